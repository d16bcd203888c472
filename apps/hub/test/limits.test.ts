import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { callOnPath, listedOn } from './agent-builder/path-requests.js'
import { manifestTool, serveToolService } from './agent-builder/tool-service.js'
import { closeAll } from './cleanup.js'
import {
  callFrame,
  callTool,
  getCall,
  getJson,
  metaOf,
  postJson,
  postRpc,
  type RpcBody,
  startCall,
} from './hub-requests.js'
import { askLegacy, askModern, modernRequest, postMcp, postMcpText, streamMcp } from './mcp/mcp-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { expectProblem } from './problem.js'
import { connectRaw } from './raw-connection.js'
import { type RunningHub, runHub } from './running-hub.js'
import { openStream, sendResult, serveScript, toolOf } from './scripted-agent.js'
import { eventually, until } from './until.js'

afterEach(closeAll)

/** A hub with limits; `work` never ends by itself. */
async function runLimited(limits: JsonObject): Promise<RunningHub> {
  const agent = await serveScript([toolOf('fine'), toolOf('work')], (res, { id, name }) =>
    name === 'work' ? openStream(res) : sendResult(res, id, { content: [] }),
  )
  const tools = { fine: { mode: 'direct' }, work: { mode: 'queued' } }
  return runHub({ agents: { Agent: { url: agent.url, concurrency: 1, tools } }, access: OWNED_ACCESS, limits })
}

describe('a limit on calls per minute', () => {
  test('refuses the next call with 429 and when to come again, and no other caller', async () => {
    const { url } = await runLimited({ caller: { callsPerMinute: 2 } })
    const send = (who: string) => callTool(url, 'fine', {}, {}, as(who))
    expect([(await send('alice')).status, (await send('alice')).status]).toEqual([200, 200])
    const refused = await send('alice')
    expectProblem(refused, 'TOO_MANY_REQUESTS', 'request-1')
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(refused.body.error?.data).toMatchObject({ limit: 2, retryAfterSeconds: seconds })
    expect((await send('bob')).status).toBe(200)
    // Nothing is recorded of it: whoever sends on and on does not fill the store.
    const { body } = await getJson<{ items: readonly unknown[] }>(url, '/traces', as('alice'))
    expect(body.items).toHaveLength(2)
  })

  test('has its code and title on every surface that takes calls', async () => {
    const hub = await runLimited({ caller: { callsPerMinute: 1 } })
    const { url } = hub
    const first = await callTool(url, 'fine', {}, {}, as('alice'))
    const { callId } = metaOf(first)
    const rerun = await postJson<never>(url, `/calls/${String(callId)}/rerun`, {}, as('alice'))
    expectProblem(rerun, 'TOO_MANY_REQUESTS')
    expect(rerun.headers.get('Retry-After')).not.toBeNull()
    const params = { name: 'fine', arguments: {} }
    for (const answer of [
      await askLegacy(url, 'tools/call', params, as('alice')),
      await askModern(url, 'tools/call', params, {}, as('alice')),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([200, -31_010])
      expect(answer.body.error?.data).toMatchObject({
        title: 'TOO_MANY_REQUESTS',
        limit: 1,
        nextStep: expect.any(String),
      })
      expect(Number(answer.body.error?.data?.retryAfterSeconds)).toBeGreaterThanOrEqual(1)
    }
  })

  test('counts each call of a batch, and names the time in the answer of each that is over', async () => {
    const { url } = await runLimited({ caller: { callsPerMinute: 2 } })
    const frames = ['a', 'b', 'c'].map((id) => ({ ...callFrame('fine'), id }))
    const { status, body } = await postRpc<readonly RpcBody[]>(url, frames, as('alice'))
    expect(status).toBe(200)
    const over = body.filter(({ error }) => error !== undefined)
    expect([body.length, over.length]).toEqual([3, 1])
    expect(over[0]?.error?.data).toMatchObject({ title: 'TOO_MANY_REQUESTS', limit: 2 })
    expect(Number(over[0]?.error?.data.retryAfterSeconds)).toBeGreaterThanOrEqual(1)
  })

  test('holds on a public path, whose answer stands on 200 and names the time', async () => {
    const service = await serveToolService([manifestTool('search')])
    const { url } = await runHub({
      publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } },
      limits: { caller: { callsPerMinute: 1, openCalls: 5 } },
    })
    expect((await callOnPath(`${url}/hr`, 'search')).body.result).toMatchObject({ isError: false })
    const refused = await callOnPath(`${url}/hr`, 'search')
    expect([refused.status, refused.body.error?.data.title]).toEqual([200, 'TOO_MANY_REQUESTS'])
    expect(Number(refused.body.error?.data.retryAfterSeconds)).toBeGreaterThanOrEqual(1)
    expect(service.calls).toHaveLength(1)
    // What costs nothing is not counted.
    expect(await listedOn(`${url}/hr`)).toEqual(['search'])
  })

  test('holds for all callers of a tenant together, and at every hub', async () => {
    const hub = await runLimited({ tenant: { callsPerMinute: 2 } })
    const second = await hub.startHub()
    const statuses = [
      (await callTool(hub.url, 'fine', {}, {}, as('alice'))).status,
      (await callTool(second.url, 'fine', {}, {}, as('bob'))).status,
      (await callTool(second.url, 'fine', {}, {}, as('alice'))).status,
      (await callTool(hub.url, 'fine', {}, {}, as('stranger'))).status,
    ]
    expect(statuses).toEqual([200, 200, 429, 200])
  })
})

describe('a limit on open calls', () => {
  test('holds until one of them has ended, however it ends', async () => {
    const { url } = await runLimited({ caller: { openCalls: 2 } })
    const open = [await startCall(url, 'work', {}, {}, as('alice')), await startCall(url, 'work', {}, {}, as('alice'))]
    const refused = await callTool(url, 'fine', {}, {}, as('alice'))
    expectProblem(refused, 'TOO_MANY_REQUESTS', 'request-1')
    expect(refused.headers.get('Retry-After')).toBe('2')
    expect((await callTool(url, 'fine', {}, {}, as('bob'))).status).toBe(200)
    await postJson(url, `/calls/${open[1]}/cancel`, {}, as('alice'))
    // Short calls give their place back each time.
    for (let at = 0; at < 5; at++) expect((await callTool(url, 'fine', {}, {}, as('alice'))).status).toBe(200)
  })

  test('is taken by one call where many come at once, and leaves the keys of the others free', async () => {
    const { url } = await runLimited({ caller: { openCalls: 1 } })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        callTool(url, 'work', {}, {}, { ...as('alice'), Prefer: 'respond-async', 'Idempotency-Key': `key-${at}` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      202,
      ...Array.from({ length: 9 }, () => 429),
    ])
    const winner = answers.find(({ status }) => status === 202)
    await postJson(url, `/calls/${winner?.headers.get('SyncHub-Call-Id')}/cancel`, {}, as('alice'))
    const loser = answers.findIndex(({ status }) => status === 429)
    const again = await callTool(url, 'fine', {}, {}, { ...as('alice'), 'Idempotency-Key': `key-${loser}` })
    expect(again.status).toBe(200)
  })

  test('is not used up by what a crash has left behind', async () => {
    const hub = await runLimited({ caller: { openCalls: 1 } })
    const { link, url } = hub
    // Counted by a hub that died before it recorded the call.
    await link.commands.zadd(link.keys.heldCalls('acme', 'alice'), Date.now() - 60_000, 'never-recorded')
    expect((await callTool(url, 'fine', {}, {}, as('alice'))).status).toBe(200)
    // One that is really open counts on, however old it is.
    const callId = await startCall(url, 'work', {}, {}, as('alice'))
    await link.commands.zadd(link.keys.heldCalls('acme', 'alice'), Date.now() - 60_000, callId)
    await until(async () => (await getCall(url, callId, as('alice'))).state === 'running')
    expect((await callTool(url, 'fine', {}, {}, as('alice'))).status).toBe(429)
  })
})

describe('a limit on streams', () => {
  test('refuses one more stream of the same caller at the same hub, until one is closed', async () => {
    const { url } = await runLimited({ caller: { streams: 2 } })
    const open = (who: string, signal: AbortSignal) =>
      fetch(`${url}/events`, { headers: { Accept: 'text/event-stream', ...as(who) }, signal })
    const controllers = [new AbortController(), new AbortController(), new AbortController()]
    const [first, second, third] = controllers.map(({ signal }) => signal)
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    expect([(await open('alice', first)).status, (await open('alice', second)).status]).toEqual([200, 200])
    const refused = await open('alice', third)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5'])
    expect((await open('bob', third)).status).toBe(200)
    controllers[0]?.abort()
    await eventually(async () => ((await open('alice', third)).status === 200 ? true : undefined))
    for (const controller of controllers) controller.abort()
  })

  test('gives back the places of those that waited behind another on a connection that was lost', async () => {
    const { url } = await runLimited({ caller: { streams: 2 } })
    const head = `GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: ${as('alice').Authorization}\r\n\r\n`
    const join = async () => {
      const connection = await connectRaw(url)
      connection.socket.write(head)
      await until(() => connection.text().includes('HTTP/1.1'))
      return connection.text().includes(' 200 ')
    }
    const lost = await connectRaw(url)
    lost.socket.write(head.repeat(2))
    await until(() => lost.text().includes('retry:'))
    expect(await join()).toBe(false)
    lost.socket.destroy()
    await until(join)
    await until(join)
  })
})

describe('a limit on streams, where an MCP client listens', () => {
  test('refuses one more listener, says when to come again, and gives the place back at its end', async () => {
    const { url } = await runLimited({ caller: { streams: 1 } })
    const { frame, headers } = modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const first = await streamMcp(url, frame, { ...headers, ...as('alice') })
    const refused = await postMcp(url, frame, { ...headers, ...as('alice') })
    expect(refused.body.error?.data).toMatchObject({ title: 'TOO_MANY_REQUESTS', limit: 1, retryAfterSeconds: 5 })
    const others = await streamMcp(url, frame, { ...headers, ...as('bob') })
    first.leave()
    await until(async () => {
      const controller = new AbortController()
      const answer = await postMcpText(url, JSON.stringify(frame), { ...headers, ...as('alice') }, controller.signal)
      controller.abort()
      return answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    })
    others.leave()
  })
})

describe('a hub without limits', () => {
  test('counts nothing in Redis', async () => {
    const { url, link, prefix } = await runLimited({})
    await callTool(url, 'fine', {}, {}, as('alice'))
    await startCall(url, 'work', {}, {}, as('alice'))
    const counted = await Promise.all([link.commands.keys(`${prefix}:held:*`), link.commands.keys(`${prefix}:sent:*`)])
    expect(counted.flat()).toEqual([])
  })
})
