import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { makeFiles, removeFolders } from './temporary-folder.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const TOOL = 'syncinsight_deep_research'
const QUESTION = { question: 'How long does a lease last?', sources: ['docs'] }

const closers: (() => Promise<unknown>)[] = []

async function settings(): Promise<Record<string, string>> {
  const sources = { docs: { kind: 'folder', path: 'docs' } }
  const folder = await makeFiles({
    'docs/guide.md': '# Leases\n\nA lease lasts 10 seconds by default.\n',
    'config.json': JSON.stringify({ sources }),
  })
  return { SYNCINSIGHT_CONFIG: join(folder, 'config.json'), DATA_DIR: join(folder, 'data'), PORT: '0' }
}

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await removeFolders()
})

// Starting a process takes seconds on a busy machine.
jest.setTimeout(60_000)

describe('SyncInsight as an MCP server', () => {
  test('tells a modern client over HTTP its progress, its reports and its prompt', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: await settings(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    closers.push(async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    const [{ listening }] = await once(child, 'message')
    const client = new Client({ name: 'reader', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', listening)))
    closers.push(async () => client.close())
    expect(client.getProtocolEra()).toBe('modern')

    const progress: Progress[] = []
    const call = { name: TOOL, arguments: QUESTION }
    const answer = await client.callTool(call, { onprogress: (update) => progress.push(update) })
    expect(answer).toMatchObject({ isError: false, structuredContent: { outcome: 'complete' } })
    expect(progress.length).toBeGreaterThan(2)
    const values = progress.map((update) => update.progress)
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other))

    const { resources } = await client.listResources()
    const uri = resources[0]?.uri ?? ''
    expect(answer.content).toContainEqual(expect.objectContaining({ resource: expect.objectContaining({ uri }) }))
    const { contents } = await client.readResource({ uri })
    expect(contents).toMatchObject([{ text: expect.stringContaining('lasts 10 seconds') }])
    const prompt = await client.getPrompt({ name: 'weekly_report', arguments: { topic: 'leases' } })
    expect(prompt.messages).toMatchObject([{ content: { type: 'text' } }, { content: { type: 'resource_link', uri } }])

    const controller = new AbortController()
    const cancelled = client.callTool(call, { signal: controller.signal, onprogress: () => controller.abort('enough') })
    await expect(cancelled).rejects.toThrow('enough')
    expect((await client.readResource({ uri })).contents).toHaveLength(1)
  })

  test('serves a client of 1.32 over stdio, cancels for it and stays', async () => {
    const client = new EarlierClient({ name: 'reader', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, '--stdio'],
        env: await settings(),
        stderr: 'ignore',
      }),
    )
    closers.push(async () => client.close())
    const call = { name: TOOL, arguments: QUESTION }
    const controller = new AbortController()
    const options = { signal: controller.signal, onprogress: () => controller.abort('enough') }
    await expect(client.callTool(call, undefined, options)).rejects.toThrow('enough')
    expect(await client.callTool(call)).toMatchObject({ structuredContent: { outcome: 'complete' } })
    expect((await client.listResources()).resources).toContainEqual(
      expect.objectContaining({ mimeType: 'text/markdown' }),
    )
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'weekly_report' }])
  })
})
