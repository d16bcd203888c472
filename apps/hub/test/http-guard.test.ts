import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from './cleanup.js'
import { callFrame, getJson, postRpc, postText, readAnswer, request } from './hub-requests.js'
import { expectProblem } from './problem.js'
import { askRaw, bodyOf } from './raw-connection.js'
import { type RunningHub, runHub } from './running-hub.js'
import { echoTool, serveTools } from './served-agent.js'

let hub: RunningHub
let port: string

beforeAll(async () => {
  const agent = await serveTools([echoTool])
  hub = await runHub({
    agents: { Echo: { url: agent.url, mode: 'direct' } },
    http: { allowedHosts: ['hub.example'], allowedOrigins: ['https://app.example'] },
  })
  port = new URL(hub.url).port
  await postRpc(hub.url, callFrame('echo', {}, { traceId: 'guarded' }))
})

afterAll(closeAll)

const PING = JSON.stringify(request('ping'))

describe('the guard in front of every surface', () => {
  const surfaces = [
    ['POST', '/rpc'],
    ['GET', '/traces'],
    ['GET', '/traces/guarded'],
    ['GET', '/traces/guarded/events'],
    ['GET', '/calls/x'],
    ['POST', '/calls/x/cancel'],
    ['GET', '/nothing'],
  ] as const

  const ask = (method: string, path: string, headers: readonly string[]) => {
    const body = method === 'POST' ? PING : ''
    const head = [`${method} ${path} HTTP/1.1`, ...headers, 'Accept: text/event-stream, application/json']
    return askRaw(
      hub.url,
      method === 'POST' ? [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`] : head,
      body,
    )
  }

  test.each(surfaces)('refuses a foreign Host and a foreign Origin: %s %s', async (method, path) => {
    const refused = [
      ['Host: evil.test'],
      ['Host: evil.test:4000'],
      [`Host: 127.0.0.1.evil.test:${port}`],
      [`Host: localhost:${port}`, 'Origin: http://evil.test'],
      [`Host: localhost:${port}`, 'Origin: null'],
      [`Host: localhost:${port}`, 'Origin: https://app.example.evil.test'],
      [`Host: localhost:${port}`, 'Origin: file://localhost'],
    ]
    for (const headers of refused) {
      const answer = await ask(method, path, headers)
      expectProblem({ status: answer.status, body: bodyOf(answer) }, 'FORBIDDEN')
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
    }
  })

  test.each(surfaces)('takes no request that names two hosts: %s %s', async (method, path) => {
    const answer = await ask(method, path, [`Host: localhost:${port}`, 'Host: evil.test'])
    expectProblem({ status: answer.status, body: bodyOf(answer) }, 'INVALID_REQUEST')
  })

  test.each([
    ['its own address', [`Host: 127.0.0.1:PORT`]],
    ['localhost, in any case', ['Host: LocalHost:PORT']],
    ['the loopback of IPv6', ['Host: [::1]:PORT']],
    ['a host of the configuration', ['Host: hub.example']],
    ['an origin of the configuration', ['Host: localhost:PORT', 'Origin: https://app.example']],
    ['a page that this machine serves itself', ['Host: localhost:PORT', 'Origin: http://localhost:5173']],
  ])('lets pass %s', async (_what, lines) => {
    const headers = lines.map((line) => line.replace('PORT', port))
    expect((await ask('POST', '/rpc', headers)).status).toBe(200)
    const stream = await ask('GET', '/traces/guarded/events', headers)
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  test('refuses a request of HTTP/1.0 that names no host', async () => {
    const answer = await askRaw(hub.url, ['GET /traces HTTP/1.0'])
    expectProblem({ status: answer.status, body: bodyOf(answer) }, 'FORBIDDEN')
  })

  test('lets a page of an allowed origin read answers, failures and streams', async () => {
    const headers = { Origin: 'https://app.example' }
    for (const response of [
      await postText(hub.url, PING, headers),
      await postText(hub.url, '{', headers),
      await fetch(`${hub.url}/traces/guarded`, { headers }),
      await fetch(`${hub.url}/nothing`, { headers }),
      await fetch(`${hub.url}/traces/guarded/events`, { headers: { ...headers, Accept: 'text/event-stream' } }),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
      expect(response.headers.get('access-control-expose-headers')).toContain('SyncHub-Call-Id')
      expect(response.headers.get('vary')).toContain('Origin')
      await response.body?.cancel()
    }
  })

  test('answers the preflight of an allowed origin, and refuses that of another', async () => {
    const preflight = (origin: string) =>
      fetch(`${hub.url}/rpc`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      })
    const allowed = await preflight('https://app.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expectProblem(await readAnswer(await preflight('https://evil.test')), 'FORBIDDEN')
  })
})

describe('the form of an answer', () => {
  const call = (headers: Readonly<Record<string, string>>) =>
    askRaw(
      hub.url,
      [
        'POST /rpc HTTP/1.1',
        `Host: localhost:${port}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(CALL)}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ],
      CALL,
    )
  const CALL = JSON.stringify(callFrame('echo', { city: 'Seoul' }))

  test.each([
    {},
    { Accept: '' },
    { Accept: '*/*' },
    { Accept: 'application/json' },
    { Accept: 'application/*' },
    { Accept: 'text/html, */*;q=0.1' },
    { Accept: 'application/json, text/event-stream' },
    { Accept: 'Application/JSON; charset=utf-8' },
  ])('of a short tool is JSON for %j', async (headers: Record<string, string>) => {
    const answer = await call(headers)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(bodyOf(answer).result?.structuredContent).toEqual({ city: 'Seoul' })
  })

  test.each(['text/event-stream', 'text/event-stream, application/json;q=0', 'text/*', 'TEXT/EVENT-STREAM'])(
    'of a short tool is a stream of one complete for %s',
    async (accept) => {
      const answer = await call({ Accept: accept })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(answer.body.match(/^event: .*$/gm)).toEqual(['event: complete'])
    },
  )

  test.each(['application/json;q=0', 'text/html', 'application/xml, image/*', 'text/event-stream;q=0'])(
    'is refused with 406 for %s, and nothing is called',
    async (accept) => {
      const before = (await getJson<{ items: unknown[] }>(hub.url, '/traces')).body.items.length
      const answer = await call({ Accept: accept })
      expectProblem({ status: answer.status, body: bodyOf(answer) }, 'NOT_ACCEPTABLE')
      expect((await getJson<{ items: unknown[] }>(hub.url, '/traces')).body.items).toHaveLength(before)
    },
  )

  test('of the event stream is refused with 406 where neither form is named', async () => {
    const headers = { Accept: 'text/html' }
    expectProblem(await getJson(hub.url, '/traces/guarded/events', headers), 'NOT_ACCEPTABLE')
  })
})

describe('a request that is not served', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-rpc',
    'text/json',
  ])('as %s is refused with 415', async (type) => {
    expectProblem(await readAnswer(await postText(hub.url, PING, { 'Content-Type': type })), 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['application/json', 'APPLICATION/JSON', 'application/json;charset=UTF-8', 'application/json ; x=y'])(
    'as %s is served',
    async (type) => {
      expect((await postText(hub.url, PING, { 'Content-Type': type })).status).toBe(200)
    },
  )

  test('without a Content-Type is refused with 415', async () => {
    const head = ['POST /rpc HTTP/1.1', `Host: localhost:${port}`, `Content-Length: ${PING.length}`]
    const answer = await askRaw(hub.url, head, PING)
    expectProblem({ status: answer.status, body: bodyOf(answer) }, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, identity'])(
    'with the Content-Encoding %s is refused',
    async (encoding) => {
      const answer = await readAnswer(await postText(hub.url, PING, { 'Content-Encoding': encoding }))
      expectProblem(answer, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s on /rpc names the method that is', async (method) => {
    const answer = await readAnswer(await fetch(`${hub.url}/rpc`, { method }))
    expectProblem(answer, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test.each([
    ['POST', '/traces', 'GET'],
    ['DELETE', '/traces/guarded', 'GET'],
    ['POST', '/traces/guarded/events', 'GET'],
    ['PUT', '/calls/x', 'GET'],
    ['GET', '/calls/x/cancel', 'POST'],
  ])('%s on %s names the method that is', async (method, path, allow) => {
    const answer = await readAnswer(await fetch(`${hub.url}${path}`, { method }))
    expectProblem(answer, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test.each(['/', '/rpc/', '/rpc/x', '/RPC', '/traces/a/b', '/traces//events', '/calls', '/%', '/traces/%/events'])(
    'under the path %s is a 404 that is JSON-RPC too',
    async (path) => {
      expectProblem(await getJson(hub.url, path), 'METHOD_NOT_FOUND')
    },
  )

  test('says nothing of what the hub is made of', async () => {
    for (const path of ['/nothing', '/traces', '/healthz', '/rpc']) {
      const { headers } = await fetch(`${hub.url}${path}`)
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
    }
  })
})

describe('the probes', () => {
  test('answer whatever host they are asked by', async () => {
    const health = await askRaw(hub.url, ['GET /healthz HTTP/1.1', 'Host: 10.0.0.7:4000'])
    expect([health.status, health.body]).toEqual([200, '{"status":"ok"}'])
    const readiness = await askRaw(hub.url, ['GET /readyz HTTP/1.1', 'Host: 10.0.0.7:4000'])
    expect(readiness.status).toBe(200)
  })
})
