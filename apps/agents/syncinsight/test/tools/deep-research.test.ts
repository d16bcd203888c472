import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type AgentServer, createLineLogger, serveAgent } from '@synchub/agent-sdk'
import { createSyncInsight } from '../../src/agent.js'
import { parseConfiguration } from '../../src/configuration/load.js'
import { ask, type ReadEvent, researchCall, rpc, stream } from '../agent-call.js'
import { makeFiles, makeFolder, removeFolders } from '../temporary-folder.js'
import { closeServers, serve } from '../web-server.js'

const QUESTION = 'How long does a lease last by default?'
const servers: AgentServer[] = []

async function start(configuration: object, summaryApiKey?: string) {
  const folder = await makeFiles({
    'docs/guide.md': '# Leases\n\nA lease lasts 10 seconds by default.\n',
    'notes/notes.md': 'By default a lease lasts 5 seconds.\n',
  })
  const dataDir = await makeFolder()
  const agent = createSyncInsight({
    configuration: parseConfiguration(JSON.stringify(configuration), join(folder, 'config.json')),
    dataDir,
    ...(summaryApiKey === undefined ? {} : { summaryApiKey }),
  })
  const logs: string[] = []
  const logger = createLineLogger({ write: (line) => logs.push(line) })
  const server = await serveAgent(agent, { dataDir, logger, stopGraceMs: 0, stopAbortMs: 50 })
  servers.push(server)
  return { url: server.url, dataDir, logs }
}

const docs = { kind: 'folder', path: 'docs', description: 'The guide' }
const notes = { kind: 'folder', path: 'notes' }
const missing = { kind: 'folder', path: 'none' }

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  await closeServers()
  await removeFolders()
})

describe('syncinsight_deep_research', () => {
  test('lists the configured sources, so that a caller knows what it may name', async () => {
    const { url } = await start({ sources: { docs, notes } })
    expect(await ask(url, rpc('tools/list', {}))).toMatchObject({
      result: {
        tools: [
          {
            name: 'syncinsight_deep_research',
            description: expect.stringContaining('docs (folder: The guide); notes (folder)'),
            inputSchema: { properties: { sources: { items: { enum: ['docs', 'notes'] } } } },
          },
        ],
      },
    })
  })

  test('streams progress and one complete with the report, which lies on disk too', async () => {
    const { url, dataDir, logs } = await start({ sources: { docs, notes } })
    const events: ReadEvent[] = []
    for await (const event of stream(url, researchCall({ question: QUESTION, sources: ['docs', 'notes'] }, 'c1')))
      events.push(event)
    const progress = events.filter(({ event }) => event === 'progress')
    expect(progress.length).toBeGreaterThan(5)
    expect(events.at(-1)).toMatchObject({
      event: 'complete',
      data: { result: { reportId: expect.stringMatching(/^rep-/), outcome: 'complete', findings: 2 } },
    })
    const { result, content } = events.at(-1)?.data ?? {}
    const { reportId } = result as { reportId: string }
    const [text, resource] = content as { text?: string; resource?: { uri: string; mimeType: string; text: string } }[]
    expect(text?.text).toContain('1 contested')
    expect(resource?.resource).toMatchObject({ uri: `report://syncinsight/${reportId}`, mimeType: 'text/markdown' })
    expect(await readFile(join(dataDir, 'reports', `${reportId}.md`), 'utf8')).toBe(resource?.resource?.text)
    expect(logs.join('')).toContain(`wrote report ${reportId}`)
    expect(logs.join('')).not.toContain('lease')
  })

  test('answers JSON to a caller that wants no stream, without a token usage that nobody counted', async () => {
    const { url } = await start({ sources: { docs } })
    const answer = await ask(url, researchCall({ question: QUESTION, sources: ['docs'], maxFindings: 1 }, 'c1'))
    expect(answer).toMatchObject({ result: { isError: false, structuredContent: { findings: 1 } } })
    expect(JSON.stringify(answer)).not.toContain('tokenUsage')
  })

  test('tells no findings, a gap, and nothing readable apart', async () => {
    const { url } = await start({ sources: { docs, missing } })
    const call = async (question: string, sources: string[], callId: string) =>
      ask(url, researchCall({ question, sources }, callId))
    expect(await call('Where do zeppelins land?', ['docs'], 'c1')).toMatchObject({
      result: { isError: false, structuredContent: { outcome: 'no_findings', findings: 0 } },
    })
    expect(await call(QUESTION, ['docs', 'missing'], 'c2')).toMatchObject({
      result: { isError: false, structuredContent: { outcome: 'partial', findings: 1, notFullyRead: ['missing'] } },
    })
    expect(await call(QUESTION, ['missing'], 'c3')).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text: expect.stringContaining('missing: does not exist') }] },
    })
  })

  test.each([
    [{ question: QUESTION, sources: ['../../etc/passwd'] }, 'sources.0', 'one of ["docs","notes"]'],
    [{ question: QUESTION, sources: ['docs', 'file:///etc/passwd'] }, 'sources.1', 'one of ["docs","notes"]'],
    [{ question: QUESTION, sources: ['__proto__'] }, 'sources.0', 'one of ["docs","notes"]'],
    [{ question: '?!', sources: ['docs'] }, 'question', 'a question with at least one word'],
    [{ question: QUESTION, sources: [] }, 'sources', expect.anything()],
    [{ question: QUESTION, sources: ['docs', 'docs'] }, 'sources', expect.anything()],
    [{ question: QUESTION, sources: ['docs'], maxFindings: 51 }, 'maxFindings', expect.anything()],
    [{ question: QUESTION, sources: ['docs'], path: '/etc' }, 'path', expect.anything()],
    [{ sources: ['docs'] }, 'question', expect.anything()],
  ])('refuses %j with the place and what is expected there', async (args, path, expected) => {
    const { url } = await start({ sources: { docs, notes } })
    expect(await ask(url, researchCall(args, 'c1'))).toMatchObject({
      error: { code: -32602, data: { path, expected } },
    })
  })

  test('gives the usage of the model that was really asked, and keeps its key to itself', async () => {
    const model = await serve((_request, response) => {
      const body = {
        choices: [{ message: { content: '10 s [1]' } }],
        usage: { prompt_tokens: 9, completion_tokens: 4 },
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const summary = { endpoint: model.origin, model: 'small', apiKeyEnv: 'MODEL_KEY' }
    const { url, logs } = await start({ sources: { docs }, summary }, 'sk-secret')
    const answer = await ask(url, researchCall({ question: QUESTION, sources: ['docs'] }, 'c1'))
    expect(answer).toMatchObject({
      result: { _meta: { tokenUsage: { promptTokens: 9, completionTokens: 4, totalTokens: 13 } } },
    })
    expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-secret')
    expect(JSON.stringify(answer) + logs.join('')).not.toContain('sk-secret')
  })

  test('ends promptly when the hub cancels it, and writes no report', async () => {
    const silent = await serve(() => undefined)
    const news = { kind: 'url', url: silent.origin, allowPrivate: true }
    const { url, dataDir } = await start({ sources: { news, docs } })
    const events: ReadEvent[] = []
    for await (const event of stream(url, researchCall({ question: QUESTION, sources: ['news', 'docs'] }, 'c1'))) {
      events.push(event)
      if (events.length === 1) {
        const cancel = {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 'c1', reason: 'enough' },
        }
        await fetch(url, {
          method: 'POST',
          body: JSON.stringify(cancel),
          headers: { 'content-type': 'application/json' },
        })
      }
    }
    expect(events.at(-1)).toMatchObject({ event: 'failed', data: { error: { data: { title: 'CANCELLED' } } } })
    await expect(readFile(join(dataDir, 'reports'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
