import { once } from 'node:events'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { fetchPage, type PageLimits } from '../../src/network/page.js'
import { type ResolvedAddress, resolveWithSystem } from '../../src/network/resolution.js'
import { closeServers, page, redirect, serve } from '../web-server.js'

const LIMITS: PageLimits = { timeoutMs: 5_000, maxBytes: 10_000, maxRedirects: 3 }
const LOOPBACK: readonly ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }]

interface Variation {
  readonly allowPrivate?: boolean
  readonly limits?: Partial<PageLimits>
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>
  readonly signal?: AbortSignal
}

async function fetchFrom(url: string, { allowPrivate = true, limits, resolve, signal }: Variation = {}) {
  return fetchPage(
    { url: new URL(url), allowPrivate },
    { ...LIMITS, ...limits },
    resolve ?? resolveWithSystem,
    signal ?? new AbortController().signal,
  )
}

afterEach(closeServers)

describe('fetchPage', () => {
  test('fetches a page of an allowed host', async () => {
    const server = await serve(page('<p>text</p>'))
    const result = await fetchFrom(`${server.origin}/a`)
    expect(result).toMatchObject({ outcome: 'fetched', contentType: 'text/html; charset=utf-8' })
    expect(result.outcome === 'fetched' && result.bytes.toString()).toBe('<p>text</p>')
    expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' })
  })

  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001'])(
    'refuses loopback as %s, and nothing reaches the server',
    async (host) => {
      const server = await serve(page('secret'))
      const result = await fetchFrom(`http://${host}:${server.port}/`, { allowPrivate: false })
      expect(result).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('private address') })
      expect(server.connectionCount()).toBe(0)
    },
  )

  test('refuses a public name that resolves to a private address', async () => {
    const server = await serve(page('secret'))
    const url = `http://innocent.test:${server.port}/`
    const result = await fetchFrom(url, { allowPrivate: false, resolve: async () => LOOPBACK })
    expect(result).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('innocent.test') })
    expect(server.connectionCount()).toBe(0)
  })

  test('refuses a name of which only one address is private', async () => {
    const server = await serve(page('secret'))
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }, ...LOOPBACK]
    const result = await fetchFrom(`http://mixed.test:${server.port}/`, { allowPrivate: false, resolve })
    expect(result.outcome).toBe('refused')
    expect(server.connectionCount()).toBe(0)
  })

  test('connects to the address that was checked and asks for it once, so that rebinding gains nothing', async () => {
    const server = await serve(page('<p>here</p>'))
    const resolve = jest.fn(async () => LOOPBACK)
    const result = await fetchFrom(`http://no-such-host.test:${server.port}/`, { resolve })
    expect(result.outcome).toBe('fetched')
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(server.requests[0]?.headers.host).toBe(`no-such-host.test:${server.port}`)
  })

  test('checks the name anew on each redirect', async () => {
    const target = await serve(page('secret'))
    const first = await serve(redirect(`http://127.0.0.2:${target.port}/`))
    const other = await serve(redirect('http://rebound.test/'))
    expect(await fetchFrom(`${first.origin}/`)).toMatchObject({ outcome: 'refused' })
    const resolve = async (hostname: string) => (hostname === 'rebound.test' ? LOOPBACK : [])
    expect(await fetchFrom(`${other.origin}/`, { resolve })).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('rebound.test'),
    })
    expect(target.connectionCount()).toBe(0)
  })

  test.each([
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254'],
    ['file:///etc/passwd', 'http or https'],
    ['http://user:pass@example.test/', 'credentials'],
    ['http://example.test:6379/', 'port 6379'],
  ])('refuses a redirect to %s', async (location, reason) => {
    const server = await serve(redirect(location))
    const result = await fetchFrom(`${server.origin}/`)
    expect(result).toMatchObject({ outcome: 'refused', reason: expect.stringContaining(reason) })
    expect(server.requests).toHaveLength(1)
  })

  test('follows redirects on the configured host up to a bound', async () => {
    const server = await serve((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step > 0) response.writeHead(307, { location: `/${step - 1}` }).end()
      else page('<p>end</p>')(request, response)
    })
    expect(await fetchFrom(`${server.origin}/3`)).toMatchObject({ outcome: 'fetched' })
    expect(await fetchFrom(`${server.origin}/4`)).toMatchObject({ outcome: 'refused', reason: 'more than 3 redirects' })
  })

  test('says that a redirect without a Location leads nowhere', async () => {
    const server = await serve((_request, response) => response.writeHead(302).end())
    expect(await fetchFrom(`${server.origin}/`)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('302'),
    })
  })

  test('takes a page of exactly the bound and refuses one byte more, announced or not', async () => {
    const server = await serve((request, response) => {
      const length = Number(request.url?.slice(2))
      const announced = request.url?.startsWith('/a') ? { 'content-length': length } : {}
      response.writeHead(200, { 'content-type': 'text/plain', ...announced })
      response.write(Buffer.alloc(length - 1, 'x'))
      response.end('x')
    })
    for (const kind of ['a', 'c']) {
      expect(await fetchFrom(`${server.origin}/${kind}10000`)).toMatchObject({ outcome: 'fetched' })
      expect(await fetchFrom(`${server.origin}/${kind}10001`)).toMatchObject({ outcome: 'refused' })
    }
  })

  test('stops receiving an endless page at the bound', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const timer = setInterval(() => response.write('x'.repeat(4_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(await fetchFrom(`${server.origin}/`)).toMatchObject({
      outcome: 'refused',
      reason: 'larger than 10000 bytes',
    })
  })

  test.each([
    ['never answers', () => undefined],
    [
      'drips its headers for ever',
      (response: import('node:http').ServerResponse) => {
        response.socket?.write('HTTP/1.1 200 OK\r\n')
      },
    ],
    [
      'drips its body for ever',
      (response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const timer = setInterval(() => response.write('x'), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('gives up on a server that %s', async (_name, answer) => {
    const server = await serve((_request, response) => answer(response))
    const result = await fetchFrom(`${server.origin}/`, { limits: { timeoutMs: 200 } })
    expect(result).toEqual({ outcome: 'failed', reason: 'no complete answer within 200 ms' })
  })

  test.each(['application/octet-stream', 'image/png', 'application/pdf', ''])(
    'refuses the content type "%s" before the body',
    async (contentType) => {
      const server = await serve((_request, response) => {
        if (contentType !== '') response.setHeader('content-type', contentType)
        response.writeHead(200).end('x')
      })
      expect(await fetchFrom(`${server.origin}/`)).toMatchObject({
        outcome: 'refused',
        reason: expect.stringContaining('content type'),
      })
    },
  )

  test('names the status of an error page and reads none of it', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<p>not here</p>')
    })
    expect(await fetchFrom(`${server.origin}/`)).toEqual({ outcome: 'failed', reason: 'answered 404' })
  })

  test('does not unpack what it did not ask to be packed', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('bomb')
    })
    expect(await fetchFrom(`${server.origin}/`)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('gzip'),
    })
  })

  test('says that nobody answers and that a name does not exist', async () => {
    const server = await serve(page('x'))
    await closeServers()
    expect(await fetchFrom(`${server.origin}/`)).toMatchObject({
      outcome: 'failed',
      reason: 'the connection failed (ECONNREFUSED)',
    })
    const resolve = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    }
    expect(await fetchFrom('https://missing.test/', { resolve })).toEqual({
      outcome: 'failed',
      reason: 'the host missing.test could not be resolved (ENOTFOUND)',
    })
  })

  test('speaks TLS where the URL says https', async () => {
    const server = await serve(page('x'))
    const result = await fetchFrom(`https://127.0.0.1:${server.port}/`)
    expect(result).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/SSL|EPROTO/) })
    expect(server.requests).toHaveLength(0)
  })

  test('stops at once when it is cancelled: while resolving, while waiting and while receiving', async () => {
    const resolving = new AbortController()
    const stuck = fetchFrom('https://stuck.test/', {
      resolve: async () => new Promise(() => undefined),
      signal: resolving.signal,
    })
    resolving.abort(new Error('enough'))
    await expect(stuck).rejects.toThrow('enough')

    const silent = await serve(() => undefined)
    const waiting = new AbortController()
    const waited = fetchFrom(`${silent.origin}/`, { signal: waiting.signal })
    while (silent.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const closed = once(silent.requests[0]?.socket ?? process, 'close')
    waiting.abort(new Error('enough'))
    await expect(waited).rejects.toThrow('enough')
    await closed
  })
})
