import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import { signState } from '@synchub/core'
import { type JsonObject, META_KEYS } from '@synchub/protocol'
import { readStateKey } from '@synchub/redis'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { asking, saying, serveAsking } from './asking-agent.js'
import { askLegacy, askModern } from './mcp-requests.js'
import { connectAnswering } from './stock-clients.js'

const OWNER = { Authorization: 'Bearer owner' }
const OTHER = { Authorization: 'Bearer other' }
const ELICITS = { [META_KEYS.clientCapabilities]: { elicitation: {} } }
const NAMED = { who: { action: 'accept', content: { name: 'Kim' } } }

let hub: RunningHub
let otherUrl: string

beforeAll(async () => {
  const agent = await serveAsking(['short'])
  agent.behave(({ inputResponses }) => (inputResponses === undefined ? asking(['who']) : saying('done')))
  const key = (name: string) => ({
    name,
    sha256: hashApiKey(name),
    tenant: 't',
    agent: name,
    scopes: ['tools:call', 'prompts:get', 'resources:read'],
  })
  hub = await runHub({
    agents: { Agent: { connector: 'mcp-http', url: agent.url, tools: { short: { mode: 'direct' } } } },
    access: { mode: 'keys', keys: [key('owner'), key('other')] },
  })
  otherUrl = (await hub.startHub()).url
})

afterAll(closeAll)

type Around = { headers?: { Authorization: string }; url?: string; meta?: JsonObject }

const ask = (method: string, params: JsonObject, { headers = OWNER, url = hub.url, meta = ELICITS }: Around = {}) =>
  askModern(url, method, params, meta, headers)

describe.each([
  [
    'a prompt',
    'prompts/get',
    { name: 'letter', arguments: { to: 'Kim' } },
    { name: 'letter', arguments: { to: 'Lee' } },
  ],
  ['a resource', 'resources/read', { uri: 'diary://today' }, { uri: 'diary://none' }],
  ['a tool', 'tools/call', { name: 'short', arguments: { a: 1 } }, { name: 'short', arguments: { a: 2 } }],
] as const)('the agent of %s that asks first', (what, method, params, others) => {
  const again = (more: JsonObject, around?: Around) => ask(method, { ...params, ...more }, around)
  const begin = async () => {
    const { body } = await again({})
    expect(body.result).toMatchObject({ resultType: 'input_required', inputRequests: { who: expect.anything() } })
    expect(body.result).not.toHaveProperty('ttlMs')
    return String(body.result?.requestState)
  }

  test('is given the answer at any hub, once', async () => {
    const requestState = await begin()
    expect(requestState).not.toContain('state of')
    const { body } = await again({ requestState, inputResponses: NAMED }, { url: otherUrl })
    expect(body.result?.resultType).toBe('complete')
    const told = { 'a prompt': 'from Kim, state of the prompt', 'a resource': 'read by Kim, state of the diary' }
    expect(JSON.stringify(body.result)).toContain(what === 'a tool' ? 'done' : told[what])
    const twice = await again({ requestState, inputResponses: NAMED })
    expect([twice.status, twice.body.error?.code, twice.body.error?.data?.path]).toEqual([200, -32602, 'requestState'])
  })

  test('is not given an action that there is none of: whoever answers so is told, and may answer again', async () => {
    const requestState = await begin()
    const { body } = await again({ requestState, inputResponses: { who: { action: 'explode' } } })
    expect(body.error).toMatchObject({
      code: -32602,
      data: { path: 'inputResponses.who.action', expected: 'one of accept, decline, cancel' },
    })
    expect((await again({ requestState, inputResponses: NAMED })).body.result?.resultType).toBe('complete')
  })

  test('asks again where nothing answers it', async () => {
    const requestState = await begin()
    const { body } = await again({ requestState, inputResponses: { who: 'Kim', else: NAMED.who } })
    expect(body.result).toMatchObject({ resultType: 'input_required', inputRequests: { who: expect.anything() } })
  })

  test('goes on with nothing but its own state, which others do not use up', async () => {
    const requestState = await begin()
    const [name = '', expiry = '', signature = ''] = requestState.split('~')
    const later = (Number.parseInt(expiry, 36) + 3_600_000).toString(36)
    const refused: readonly [string, Promise<{ readonly body: { readonly error?: JsonObject } }>][] = [
      ['another caller', again({ requestState, inputResponses: NAMED }, { headers: OTHER })],
      ['other parameters', ask(method, { ...others, requestState, inputResponses: NAMED })],
      ['another name', again({ requestState: `${name}x~${expiry}~${signature}`, inputResponses: NAMED })],
      ['a later expiry', again({ requestState: `${name}~${later}~${signature}`, inputResponses: NAMED })],
      ['no signature', again({ requestState: `${name}~${expiry}~`, inputResponses: NAMED })],
      ['the bare name', again({ requestState: name, inputResponses: NAMED })],
      ['more behind it', again({ requestState: `${requestState}~x`, inputResponses: NAMED })],
    ]
    for (const [why, answer] of refused) {
      expect([why, (await answer).body.error]).toEqual([
        why,
        expect.objectContaining({ code: -32602, data: expect.objectContaining({ path: 'requestState' }) }),
      ])
    }
    expect((await again({ requestState, inputResponses: NAMED })).body.result?.resultType).toBe('complete')
  })

  test('does not go on with a state whose time is over, though nothing has answered it', async () => {
    const requestState = await begin()
    const key = await readStateKey(hub.link)
    const binding = { principal: { tenant: 't', subject: 'owner' }, request: { method, ...params } }
    const name = requestState.split('~')[0] ?? ''
    const expired = signState({ name, expiresAtMs: Date.now() - 1 }, binding, key)
    expect((await again({ requestState: expired, inputResponses: NAMED })).body.error?.code).toBe(-32602)
    const forged = signState({ name, expiresAtMs: Date.now() + 60_000 }, binding, Buffer.alloc(32))
    expect((await again({ requestState: forged, inputResponses: NAMED })).body.error?.code).toBe(-32602)
    const valid = signState({ name, expiresAtMs: Date.now() + 60_000 }, binding, key)
    expect((await again({ requestState: valid, inputResponses: NAMED })).body.result?.resultType).toBe('complete')
  })

  test('does not ask a client that has not declared that it can be asked', async () => {
    const { status, body } = await again({}, { meta: {} })
    expect([status, body.error?.code]).toEqual([400, -32021])
  })
})

test('a state of one method is none of another', async () => {
  const { body } = await ask('prompts/get', { name: 'letter', arguments: {} })
  const requestState = String(body.result?.requestState)
  const crossed = await ask('resources/read', { uri: 'diary://today', requestState, inputResponses: NAMED })
  expect(crossed.body.error?.code).toBe(-32602)
  const { result } = (await ask('prompts/get', { name: 'letter', arguments: {}, requestState, inputResponses: NAMED }))
    .body
  expect(result?.resultType).toBe('complete')
})

test('a client of the legacy era, which has no second round, is told what its agent asks for', async () => {
  for (const [method, params] of [
    ['prompts/get', { name: 'letter' }],
    ['resources/read', { uri: 'diary://today' }],
  ] as const) {
    const { status, body } = await askLegacy(hub.url, method, params, OWNER)
    expect([status, body.error?.data?.title]).toEqual([200, 'CAPABILITY_MISSING'])
  }
})

test('the client 2.4 answers by itself what it is asked before it reads', async () => {
  const { client } = await connectAnswering(hub.url, [{ action: 'accept', content: { name: 'Lee' } }], OWNER)
  expect((await client.readResource({ uri: 'diary://today' })).contents).toMatchObject([
    { text: 'read by Lee, state of the diary' },
  ])
})
