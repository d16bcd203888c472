import { connect } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { defineTool } from '../src/index.js'
import { callBody, closeAll, makeFolder, type PostInit, post, postJson, serve } from './served-agent.js'

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  handler: ({ text }) => String(text),
})

const rpc = (method: string, id: unknown = 1, params: unknown = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** Sends bytes as they are and reads until the agent closes or `isEnough`. */
async function exchange(
  url: string,
  chunks: readonly (string | Uint8Array)[],
  isEnough: (text: string) => boolean,
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  for (const chunk of chunks) {
    socket.write(chunk)
    // Each chunk is a packet of its own.
    await new Promise(setImmediate)
  }
  for await (const chunk of socket) {
    text += String(chunk)
    if (isEnough(text)) break
  }
  socket.destroy()
  return text
}

afterEach(closeAll)

describe('the HTTP surface of an agent', () => {
  test('lists its tools, answers ping and shows its health', async () => {
    const { url } = await serve([echo])
    expect(await postJson(url, rpc('tools/list', 'a'))).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 'a', result: { tools: [echo.listing] } },
    })
    expect(await postJson(url, rpc('ping', 0))).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 0, result: {} } })
    const health = await fetch(`${url}/healthz`)
    expect(await health.json()).toEqual({ status: 'ok', agent: 'Tester', version: '1.0.0' })
  })

  test('takes a notification without a word, also one that it does not know', async () => {
    const { url } = await serve([echo])
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const response = await post(url, body)
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test.each([
    ['a method that does not exist', rpc('tools/drop'), 404, 'METHOD_NOT_FOUND', 1],
    ['no JSON', '{"jsonrpc":', 400, 'PARSE_ERROR', null],
    ['no JSON-RPC', '{"id":5}', 400, 'INVALID_REQUEST', 5],
    ['a batch', `[${rpc('ping')}]`, 400, 'INVALID_REQUEST', null],
    ['a tool that does not exist', callBody('shout'), 404, 'METHOD_NOT_FOUND', 'request-1'],
    ['arguments that are no object', callBody('echo', [1]), 422, 'INVALID_PARAMS', 'request-1'],
    ['arguments that break the schema', callBody('echo', { text: 1 }), 422, 'INVALID_PARAMS', 'request-1'],
    ['a callId that is no text', callBody('echo', {}, { callId: 7 }), 422, 'INVALID_PARAMS', 7],
    ['an attempt from zero', callBody('echo', {}, { attempt: 0 }), 422, 'INVALID_PARAMS', 'request-1'],
    ['a deadline that is no instant', callBody('echo', {}, { deadline: 'soon' }), 422, 'INVALID_PARAMS', 'request-1'],
  ])('refuses %s', async (_, body, status, title, id) => {
    const { url } = await serve([echo])
    const answer = await postJson(url, body)
    expect(answer).toMatchObject({ status, body: { jsonrpc: '2.0', id, error: { data: { title, status } } } })
  })

  test('refuses other paths, other methods, other bodies and other answers', async () => {
    const { url } = await serve([echo])
    expect((await fetch(`${url}/admin`)).status).toBe(404)
    const get = await fetch(url)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(`${url}/healthz`, '{}')).headers.get('allow')).toBe('GET')
    expect((await post(url, rpc('ping'), { headers: { 'Content-Type': 'text/plain' } })).status).toBe(415)
    expect((await post(url, rpc('ping'), { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(415)
    const unacceptable = await postJson(url, callBody('echo'), { headers: { Accept: 'text/html' } })
    expect(unacceptable).toMatchObject({ status: 406, body: { error: { data: { title: 'NOT_ACCEPTABLE' } } } })
  })

  test('answers in the form that is asked for', async () => {
    const { url } = await serve([echo])
    const typeFor = async (accept: string) => {
      const response = await post(url, callBody('echo', { text: 'x' }), { headers: { Accept: accept } })
      await response.text()
      return response.headers.get('content-type')?.split(';')[0]
    }
    expect(await typeFor('*/*')).toBe('application/json')
    expect(await typeFor('application/json, text/event-stream')).toBe('application/json')
    expect(await typeFor('text/event-stream')).toBe('text/event-stream')
    expect(await typeFor('application/json;q=0, text/event-stream')).toBe('text/event-stream')
  })

  test('takes a body of exactly the bound and refuses one more byte with JSON, announced or not', async () => {
    const body = callBody('echo', { text: 'x'.repeat(1000) })
    const { url } = await serve([echo], { maxBodyBytes: body.length })
    expect((await postJson(url, body)).status).toBe(200)
    const refusal = { status: 413, body: { error: { data: { title: 'PAYLOAD_TOO_LARGE', limit: body.length } } } }
    expect(await postJson(url, `${body} `)).toMatchObject(refusal)
    const unannounced = new Response(`${body} `).body
    expect(await postJson(url, '', { body: unannounced, duplex: 'half' } as PostInit)).toMatchObject(refusal)
  })

  test('answers a body that is too large while it is still coming', async () => {
    const { url } = await serve([echo], { maxBodyBytes: 100 })
    const head =
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const text = await exchange(url, [head, `c8\r\n${'x'.repeat(200)}\r\n`], (seen) =>
      seen.includes('PAYLOAD_TOO_LARGE'),
    )
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('reads a body whatever its chunks, also those that cut a character', async () => {
    const { url } = await serve([echo])
    const body = Buffer.from(callBody('echo', { text: '안녕 🎉' }))
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const bytes = Array.from(body, (_, index) => body.subarray(index, index + 1))
    expect(await exchange(url, [head, ...bytes], (seen) => seen.includes('isError'))).toContain('안녕 🎉')
  })

  test('refuses a body that is not UTF-8', async () => {
    const { url } = await serve([echo])
    const answer = await postJson(url, '', { body: Buffer.from([0x22, 0xff, 0x22]) })
    expect(answer).toMatchObject({ status: 400, body: { id: null, error: { code: -32700 } } })
  })

  test('goes on when a sender leaves in the middle of its body', async () => {
    const { url, logs } = await serve([echo])
    const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{'
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(head, () => socket.resetAndDestroy())
    await new Promise((resolve) => socket.on('close', resolve))
    expect((await postJson(url, rpc('ping'))).status).toBe(200)
    expect(logs.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

describe('the guard of an agent', () => {
  const request = (url: string, headers: string) =>
    exchange(url, [`GET /healthz HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`], () => false)

  test('serves without a secret only requests that name this machine', async () => {
    const { url } = await serve([echo])
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:4000', 'LOCALHOST']) {
      expect(await request(url, `Host: ${host}`)).toMatch(/^HTTP\/1\.1 200 /)
    }
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test:80', '10.0.0.1']) {
      expect(await request(url, `Host: ${host}`)).toMatch(/^HTTP\/1\.1 403 .*FORBIDDEN/s)
    }
  })

  test('serves without a secret no page of another origin', async () => {
    const { url } = await serve([echo])
    for (const origin of ['http://evil.test', 'null', 'file://']) {
      expect(await request(url, `Host: localhost\r\nOrigin: ${origin}`)).toMatch(/^HTTP\/1\.1 403 /)
    }
    expect(await request(url, 'Host: localhost\r\nOrigin: http://localhost:4000')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('serves with a secret whoever sends it, under any name, and nobody else', async () => {
    const { url } = await serve([echo], { secret: 'open-sesame' })
    expect(await request(url, 'Host: agent.internal\r\nAuthorization: Bearer open-sesame')).toMatch(/^HTTP\/1\.1 200 /)
    for (const authorization of ['Bearer open', 'Bearer open-sesame2', 'Basic open-sesame', 'open-sesame', '']) {
      const answer = await request(url, `Host: localhost\r\nAuthorization: ${authorization}`)
      expect(answer).toMatch(/^HTTP\/1\.1 401 .*WWW-Authenticate: Bearer.*UNAUTHENTICATED/s)
    }
    expect((await post(url, callBody('echo'))).status).toBe(401)
  })
})

describe('serveAgent', () => {
  test('says in one sentence that its port is in use', async () => {
    const { url } = await serve([echo])
    const port = Number(new URL(url).port)
    await expect(serve([echo], { port })).rejects.toThrow(
      `agent Tester cannot listen on 127.0.0.1:${port}: the port is in use; stop what uses it or choose another port`,
    )
  })

  test('says in one sentence that it cannot write', async () => {
    const folder = await makeFolder()
    const serving = serve([echo], { dataDir: `${folder}/missing\0` })
    await expect(serving).rejects.toThrow(
      /^the agent cannot write its answers to .*: make it writable or set another dataDir$/,
    )
    await expect(serve([echo], { dataDir: '/dev/null' })).rejects.toThrow(/\(ENOTDIR\): make it writable/)
  })

  test('does not listen for everyone without a secret', async () => {
    await expect(serve([echo], { host: '0.0.0.0' })).rejects.toThrow(
      'agent Tester would listen on 0.0.0.0 for everyone: give it a secret, or listen on 127.0.0.1',
    )
    await expect(serve([echo], { secret: '' })).rejects.toThrow('the secret is empty')
  })
})
