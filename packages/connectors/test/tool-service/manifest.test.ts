import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { atEnd, closeAll } from '../cleanup.js'
import { call } from '../seen-call.js'
import { type Answer, connect, sending, serve, TOOL, text } from './served-service.js'

const never = new AbortController().signal

afterEach(closeAll)

describe('the manifest of a tool service', () => {
  test('is read from the service, for each list and for the first call', async () => {
    const { url, of } = await serve(sending('text/plain', 'ok'))
    const connection = connect(url)
    await call(connection)
    await call(connection)
    expect(of('/api/manifest.json')).toHaveLength(1)
    expect((await connection.listTools(never)).offers).toEqual([{ name: 'work', inputSchema: { type: 'object' } }])
    expect(of('/api/manifest.json')).toHaveLength(2)
  })

  test('is read from a file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'synchub-manifest-'))
    atEnd(async () => rmSync(dir, { recursive: true }))
    const file = join(dir, 'tools.json')
    writeFileSync(file, JSON.stringify({ tools: [{ ...TOOL, endpoint: 'relative?v=1' }] }))
    const { url, of } = await serve(sending('text/plain', 'ok'))
    for (const manifest of [`file:${file}`, pathToFileURL(file).href]) {
      expect((await call(connect(url, { manifest }))).outcome.kind).toBe('result')
    }
    expect(of('/api/relative?v=1')).toHaveLength(2)
    const missing = connect(url, { manifest: `file:${dir}/none.json` })
    await expect(missing.listTools(never)).rejects.toMatchObject({
      code: 'AGENT_UNAVAILABLE',
      reason: `the manifest ${dir}/none.json cannot be read`,
    })
    expect((await call(missing)).outcome).toMatchObject({ kind: 'unreachable' })
  })

  test('holds for as long as is said, for calls', async () => {
    const { url, of } = await serve(sending('text/plain', 'ok'))
    const hasty = connect(url, { maxManifestAgeMs: 0 })
    for (let calls = 0; calls < 3; calls++) await call(hasty)
    expect(of('/api/manifest.json')).toHaveLength(3)
  })

  test('is taken from the fallback until the service has listed its tools once, and never again', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'synchub-manifest-'))
    atEnd(async () => rmSync(dir, { recursive: true }))
    const fallbackManifest = join(dir, 'sample.json')
    writeFileSync(fallbackManifest, JSON.stringify({ tools: [{ ...TOOL, name: 'sample' }] }))
    let isUp = false
    const { url, of } = await serve(sending('text/plain', 'ok'), (res: ServerResponse) =>
      isUp ? res.end(JSON.stringify({ tools: [TOOL] })) : res.writeHead(503).end(),
    )
    const notices: string[] = []
    const connection = connect(url, { fallbackManifest, notice: (reason) => notices.push(reason) })
    const names = async () => (await connection.listTools(never)).offers.map(({ name }) => name)
    expect([await names(), await names()]).toEqual([['sample'], ['sample']])
    expect(notices).toEqual([
      'the manifest cannot be read, the fallback holds until it can: the manifest answers HTTP 503',
    ])
    expect((await call(connection, never, { tool: 'sample' })).outcome).toEqual(text('ok'))
    expect(of('/tools/work')).toHaveLength(1)
    isUp = true
    expect(await names()).toEqual(['work'])
    isUp = false
    await expect(names()).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
  })

  test('sends arguments and secret to no other host', async () => {
    const tools = [
      { ...TOOL, name: 'elsewhere', endpoint: 'http://169.254.169.254/' },
      { ...TOOL, name: 'nowhere', endpoint: undefined },
      { ...TOOL, name: 'scheme', endpoint: 'file:///etc/passwd' },
      TOOL,
    ]
    const { url } = await serve(sending('text/plain', 'ok'), { tools, nextCursor: 'ignored' })
    const { offers, refused } = await connect(url).listTools(never)
    expect(offers.map(({ name }) => name)).toEqual(['work'])
    const { origin } = new URL(url)
    expect(refused).toEqual([
      { kind: 'tool', name: 'elsewhere', reason: `its endpoint is not at ${origin}` },
      { kind: 'tool', name: 'nowhere', reason: 'it has no endpoint' },
      { kind: 'tool', name: 'scheme', reason: `its endpoint is not at ${origin}` },
    ])
    expect(() => connect(url, { manifest: 'http://169.254.169.254/manifest.json' })).toThrow(
      `the manifest http://169.254.169.254/manifest.json must be at ${origin}`,
    )
  })

  test.each<[string, Answer | object, string]>([
    ['is no manifest', { hello: 1 }, 'CONTRACT_BROKEN'],
    ['is no JSON', sending('application/json', '{'), 'CONTRACT_BROKEN'],
    ['is not there', sending('text/plain', 'none', 404), 'CONTRACT_BROKEN'],
    ['is kept from us', sending('text/plain', 'none', 401), 'AGENT_UNAVAILABLE'],
    ['cannot be given now', sending('text/plain', 'none', 503), 'AGENT_UNAVAILABLE'],
  ])('makes the service unavailable when it %s', async (_, manifest, code) => {
    const { url, of } = await serve(sending('text/plain', 'ok'), manifest)
    const connection = connect(url)
    await expect(connection.listTools(never)).rejects.toMatchObject({ code })
    expect((await call(connection)).outcome).toMatchObject({
      kind: 'unreachable',
      error: { code: 'AGENT_UNAVAILABLE' },
    })
    expect(of('/tools/work')).toEqual([])
  })
})
