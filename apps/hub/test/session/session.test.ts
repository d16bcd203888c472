import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseConfig } from '@synchub/core'
import { createLogger } from '@synchub/telemetry'
import { startHub } from '../../src/index.js'
import { closeAll } from '../cleanup.js'
import { callTool, getJson, readAnswer, type SentHeaders } from '../hub-requests.js'
import { as, OWNED_ACCESS } from '../owners.js'
import { expectProblem } from '../problem.js'
import { type RunningHub, runHub, sharedRedis } from '../running-hub.js'
import { echoTool, serveTools } from '../served-agent.js'
import { dumpStore } from '../store-dump.js'

let hub: RunningHub
let open: RunningHub

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  const agents = { Agent: { url: agent.url, mode: 'direct' } }
  hub = await runHub({ agents, access: OWNED_ACCESS })
  open = await runHub({ agents })
})

afterAll(closeAll)

const own = (): SentHeaders => ({ Origin: hub.url })

const send = (method: string, headers: SentHeaders, at = hub.url) => fetch(`${at}/session`, { method, headers })

async function signIn(who: string, headers: SentHeaders = own()): Promise<SentHeaders> {
  const response = await send('POST', { ...headers, ...as(who) })
  expect(response.status).toBe(200)
  return { Cookie: String(response.headers.get('set-cookie')).split(';', 1)[0] ?? '' }
}

describe('signing in', () => {
  test('gives a cookie that scripts cannot read and other sites do not send, and says who one is', async () => {
    const response = await send('POST', { ...own(), ...as('alice') })
    const cookie = response.headers.get('set-cookie')
    expect(cookie).toMatch(/^synchub-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      access: 'keys',
      tenant: 'acme',
      subject: 'alice',
      agent: 'SyncVerse',
      scopes: ['tools:call'],
    })
  })

  test('asks for TLS ever after when the page came over it', async () => {
    const origin = hub.url.replace('http:', 'https:')
    const response = await send('POST', { Origin: origin, ...as('alice') })
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-synchub-session=.*; Secure$/)
    const cookie = await signIn('alice', { Origin: origin })
    expect((await getJson(hub.url, '/session', cookie)).status).toBe(200)
  })

  test.each([
    ['no page at all', (): SentHeaders => ({})],
    ['another port of the same host', (): SentHeaders => ({ Origin: 'http://127.0.0.1:1' })],
    ['a page without an origin of its own', (): SentHeaders => ({ Origin: 'null' })],
  ])('is refused to %s', async (_what, headers) => {
    const response = await send('POST', { ...headers(), ...as('alice') })
    expect(response.headers.get('set-cookie')).toBeNull()
    expectProblem(await readAnswer(response), 'FORBIDDEN')
  })

  test('is refused without a valid key, in a cookie too', async () => {
    const cookie = await signIn('alice')
    const tries: SentHeaders[] = [{}, { Authorization: 'Bearer wrong' }, cookie]
    for (const headers of tries) {
      const response = await send('POST', { ...own(), ...headers })
      expect(response.headers.get('set-cookie')).toBeNull()
      expectProblem(await readAnswer(response), 'UNAUTHENTICATED')
    }
  })

  test('is not there where nobody needs a key', async () => {
    const answer = await readAnswer(await send('POST', { Origin: open.url }, open.url))
    expectProblem(answer, 'INVALID_REQUEST')
    const { body } = await getJson<{ access: string; subject: string }>(open.url, '/session')
    expect(body).toMatchObject({ access: 'none', subject: 'local' })
  })

  test('leaves neither the key nor the secret in the store or the logs', async () => {
    const cookie = await signIn('alice')
    const secret = cookie.Cookie?.split('=')[1] ?? ''
    const key = as('alice').Authorization?.slice('Bearer '.length) ?? ''
    const kept = `${(await dumpStore(hub)).join('\n')}\n${hub.logs.join('\n')}`
    expect(secret).toHaveLength(43)
    expect(kept).toContain(`${hub.prefix}:session:`)
    expect(kept).not.toContain(secret)
    expect(key).not.toBe('')
    expect(kept).not.toContain(key)
  })
})

describe('a session', () => {
  test('acts as the key does, for reading and for calling', async () => {
    const cookie = await signIn('alice')
    expect((await getJson<{ subject: string }>(hub.url, '/session', cookie)).body.subject).toBe('alice')
    const answer = await callTool(hub.url, 'echo', {}, { traceId: 'by-session' }, { ...cookie, ...own() })
    expect(answer.status).toBe(200)
    expect((await getJson(hub.url, '/traces/by-session', cookie)).status).toBe(200)
    expectProblem(await getJson(hub.url, '/traces/by-session', await signIn('bob')), 'NOT_FOUND')
  })

  test.each([
    ['no origin', (): SentHeaders => ({})],
    ['the origin of another port', (): SentHeaders => ({ Origin: 'http://127.0.0.1:1' })],
    ['the origin of an allowed host with another scheme', (): SentHeaders => ({ Origin: 'http://localhost' })],
    ['nothing but a promise', (): SentHeaders => ({ 'Sec-Fetch-Site': 'same-origin' })],
  ])('changes nothing for a request with %s', async (_what, headers) => {
    const cookie = await signIn('alice')
    const answer = await callTool(hub.url, 'echo', {}, { traceId: 'forged' }, { ...cookie, ...headers() })
    expectProblem(answer, 'UNAUTHENTICATED')
    expectProblem(await getJson(hub.url, '/traces/forged', cookie), 'NOT_FOUND')
  })

  test.each([
    ['same-origin', 200],
    ['none', 200],
    ['same-site', 401],
    ['cross-site', 401],
  ])('reads for a request that the browser calls %s: %i', async (site, status) => {
    const cookie = await signIn('alice')
    expect((await getJson(hub.url, '/traces', { ...cookie, 'Sec-Fetch-Site': site })).status).toBe(status)
  })

  test('is passed over where a request brings a key of its own', async () => {
    const cookie = await signIn('alice')
    const { body } = await getJson<{ subject: string }>(hub.url, '/session', { ...cookie, ...as('bob') })
    expect(body.subject).toBe('bob')
    expectProblem(await getJson(hub.url, '/session', { ...cookie, Authorization: 'Bearer wrong' }), 'UNAUTHENTICATED')
  })

  test('ends with its sign-out, which no other page can ask for', async () => {
    const cookie = await signIn('alice')
    expectProblem(await readAnswer(await send('DELETE', cookie)), 'FORBIDDEN')
    expect((await getJson(hub.url, '/session', cookie)).status).toBe(200)
    const response = await send('DELETE', { ...cookie, ...own() })
    expect(response.status).toBe(204)
    expect(response.headers.get('set-cookie')).toMatch(/^synchub-session=; Path=\/; Max-Age=0; /)
    expectProblem(await getJson(hub.url, '/session', cookie), 'UNAUTHENTICATED')
  })

  test('ends when its time is over', async () => {
    const cookie = await signIn('alice')
    const names = await hub.link.commands.keys(`${hub.prefix}:session:*`)
    const lasts = await Promise.all(names.map((name) => hub.link.commands.pttl(name)))
    for (const ms of lasts) {
      expect(ms).toBeGreaterThan(0)
      expect(ms).toBeLessThanOrEqual(12 * 3_600_000)
    }
    for (const name of names) await hub.link.commands.pexpire(name, 1)
    expectProblem(await untilRefused(cookie), 'UNAUTHENTICATED')
  })

  test('ends when its key is configured no more', async () => {
    const cookie = await signIn('alice')
    const { keys } = OWNED_ACCESS as { keys: readonly { name: string }[] }
    const access = { ...OWNED_ACCESS, keys: keys.filter(({ name }) => name !== 'alice') }
    const config = parseConfig({ text: JSON.stringify({ agents: {}, access }), file: 'test', environment: {} })
    const logger = createLogger({ name: 'hub', level: 'silent' })
    const redis = { redisUrl: sharedRedis(), redisPrefix: hub.prefix }
    const later = await startHub({ ...redis, config, host: '127.0.0.1', port: 0, logger })
    try {
      expectProblem(await getJson(later.url, '/session', cookie), 'UNAUTHENTICATED')
    } finally {
      await later.stop()
    }
  })

  test('is asked for by these methods alone', async () => {
    const response = await send('PUT', { ...own(), ...as('alice') })
    expect(response.headers.get('allow')).toBe('GET, POST, DELETE')
    expectProblem(await readAnswer(response), 'METHOD_NOT_ALLOWED')
  })
})

async function untilRefused(cookie: SentHeaders) {
  for (;;) {
    const answer = await getJson(hub.url, '/session', cookie)
    if (answer.status !== 200) return answer
  }
}
