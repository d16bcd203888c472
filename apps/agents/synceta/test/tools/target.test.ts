import { afterEach, describe, expect, test } from '@jest/globals'
import { get, playing } from '../played-cases.js'
import { startAgent, stopAgents } from '../running-agent.js'
import { closeTargets, json, serveTarget } from '../target-server.js'
import { removeFolders } from '../temporary-folder.js'

afterEach(async () => {
  await stopAgents()
  await closeTargets()
  await removeFolders()
})

describe('a target', () => {
  test('that does not listen is an error of the run; nothing more is tried', async () => {
    const { agent } = await playing([get('a', '/a'), get('b', '/b')], () => undefined, {
      target: { url: 'http://127.0.0.1:1' },
    })
    const { result, isError, text } = await agent.call({ suite: 'api' })
    expect(isError).toBe(true)
    expect(result).toMatchObject({
      outcome: 'error',
      reason: 'the target local at http://127.0.0.1:1 is not reached (ECONNREFUSED)',
      counts: { total: 2, failed: 1, skipped: 1 },
    })
    expect(text).toContain('could not be run to its end')
  })

  test.each([
    ['http://127.0.0.1:PORT', []],
    ['http://localhost:PORT', ['10.0.0.0/8']],
  ])('on the private address of %s is not reached where only %j are allowed', async (url, allowAddresses) => {
    const target = await serveTarget((_request, response) => json(response, {}))
    const agent = await startAgent(
      {
        targets: { local: { url: url.replace('PORT', String(target.port)), allowAddresses } },
        suites: { api: { kind: 'fixtures', folder: 'cases', target: 'local' } },
      },
      { 'cases/a.json': { title: 'API', cases: [get('x', '/x')] } },
    )
    const { result } = await agent.call({ suite: 'api' })
    expect(result).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('is not public and not in allowAddresses'),
    })
    expect(target.requests).toEqual([])
  })

  test('is the only host that a path can lead to', async () => {
    const other = await serveTarget((_request, response) => json(response, {}))
    const { agent, target } = await playing(
      [
        get('a', `//127.0.0.1:${other.port}/x`),
        get('b', `/@127.0.0.1:${other.port}/x`),
        get('c', '/../../etc/passwd', { capture: { next: '/next' } }),
        get('d', '/{{next}}'),
      ],
      (_request, response) => json(response, { next: '../..//evil?x=1#y' }),
      { target: {} },
    )
    expect((await agent.call({ suite: 'api' })).result.outcome).toBe('passed')
    expect(other.requests).toEqual([])
    expect(target.requests.at(-1)?.path).toBe('/..%2F..%2F%2Fevil%3Fx%3D1%23y')
  })

  test('gets the headers of its configuration, and no answer, report or log shows their secrets', async () => {
    const { agent, target } = await playing(
      [get('echo', '/x', { expect: { status: 200, body: { equals: 'nothing' } } })],
      ({ headers }, response) => json(response, `you sent ${headers.authorization}`),
      {
        target: { headers: { authorization: { env: 'API_KEY', prefix: 'Bearer ' }, 'x-fixed': 'yes' } },
        variables: { API_KEY: 'sk-"very"-secret' },
      },
    )
    const outcome = await agent.call({ suite: 'api' })
    expect(target.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sk-"very"-secret', 'x-fixed': 'yes' })
    expect(outcome.result.cases[0]?.actual).toBe('"you sent Bearer [redacted]"')
    expect(JSON.stringify(outcome)).not.toContain('very')
    expect(agent.log()).not.toContain('very')
  })

  test('may echo a secret where its answer was cut, of which half was told', async () => {
    const secret = 'hush-hush-hush-hush'
    // Bodies were cut at 500 characters and the data of events at 300 before secrets were taken out.
    const echo = (length: number) => `${'x'.repeat(length - 9)}${secret}`
    const expecting = (more: object) => ({ expect: { status: 200, ...more } })
    const { agent } = await playing(
      [
        get('no body', '/500', expecting({ body: { empty: true } })),
        get('no JSON', '/500', expecting({ body: { equals: 7 } })),
        get('refused', '/500?status=409'),
        get('other event', '/stream', expecting({ events: [{ event: 'other' }] })),
        get('no JSON event', '/stream', expecting({ events: [{ event: 'data', data: { equals: 7 } }] })),
      ],
      ({ path }, response) => {
        if (path === '/stream') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end(`event: data\ndata: ${echo(300)}\n\n`)
        } else response.writeHead(path.endsWith('409') ? 409 : 200, { 'content-type': 'text/plain' }).end(echo(500))
      },
      { target: { headers: { 'x-key': { env: 'API_KEY' } } }, variables: { API_KEY: secret } },
    )
    const outcome = await agent.call({ suite: 'api' })
    const texts = outcome.result.cases.map(({ message, actual }) => `${message} ${actual}`)
    expect(texts.map((text) => text.includes('x[redacte'))).toEqual([true, true, true, true, true])
    expect(JSON.stringify(outcome) + agent.log()).not.toContain('hush')
  })
})
