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
})
