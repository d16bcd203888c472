import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { get, playing } from '../played-cases.js'
import { stopAgents } from '../running-agent.js'
import { type Answer, closeTargets, json } from '../target-server.js'
import { removeFolders } from '../temporary-folder.js'

afterEach(async () => {
  await stopAgents()
  await closeTargets()
  await removeFolders()
})

describe('a suite of fixtures', () => {
  test('passes, with one progress event for each case and a report on disk', async () => {
    const { agent, target } = await playing(
      [
        {
          name: 'creates',
          request: { path: '/items', json: { name: 'a' } },
          expect: { status: 201 },
          capture: { item: '/id' },
        },
        {
          name: 'reads',
          request: { path: '/items/{{item}}', headers: { 'x-item': '{{item}}' } },
          expect: { status: 200, headers: { etag: '{{any-string}}' }, body: { equals: { id: '{{item}}', name: 'a' } } },
        },
      ],
      ({ method }, response) => {
        if (method === 'POST') json(response, { id: 'a b/c' }, 201)
        else json(response, { name: 'a', id: 'a b/c' }, 200, { etag: '"1"' })
      },
    )
    const outcome = await agent.call({ suite: 'api' })
    expect(outcome).toMatchObject({
      ending: 'complete',
      isError: false,
      progress: [
        { progress: 1, total: 2, message: 'passed: API › creates' },
        { progress: 2, total: 2, message: 'passed: API › reads' },
      ],
      result: {
        suite: 'api',
        outcome: 'passed',
        counts: { total: 2, passed: 2, failed: 0, skipped: 0 },
        truncated: false,
        reportId: expect.stringMatching(/^rep-[0-9a-f]{16}$/),
      },
    })
    expect(target.requests[1]).toMatchObject({ path: '/items/a%20b%2Fc', headers: { 'x-item': 'a b/c' } })
    const { reportId } = outcome.result
    expect(outcome.uri).toBe(`report://synceta/${reportId}`)
    expect(outcome.text).toContain(`Cases: 2, 2 passed, 0 failed, 0 skipped. The report is ${reportId}.`)
    expect(await readFile(join(agent.dataDir, 'reports', `${reportId}.md`), 'utf8')).toBe(outcome.markdown)
  })

  test('that fails is an answer and no error: expected and actual name what differs', async () => {
    const { agent } = await playing(
      [
        get('status', '/missing'),
        get('body', '/x', { expect: { status: 200, body: { includes: { user: { name: '{{any-string}}' } } } } }),
        get('after', '/x'),
      ],
      ({ path }, response) => json(response, { user: { name: 7 } }, path === '/missing' ? 404 : 200),
    )
    const outcome = await agent.call({ suite: 'api' })
    expect(outcome).toMatchObject({ ending: 'complete', isError: false, result: { outcome: 'failed' } })
    expect(outcome.result.counts).toEqual({ total: 3, passed: 1, failed: 2, skipped: 0 })
    expect(outcome.result.cases).toMatchObject([
      { outcome: 'failed', expected: '200', actual: '404', message: expect.stringContaining('{"user":{"name":7}}') },
      {
        outcome: 'failed',
        expected: '{{any-string}}',
        actual: '7',
        message: expect.stringContaining('body /user/name'),
      },
      { outcome: 'passed' },
    ])
    expect(outcome.text).toContain('Failed: API › status; API › body.')
  })

  test('skips the cases that need what a failed one should have captured', async () => {
    const { agent, target } = await playing(
      [
        get('log in', '/login', { capture: { session: '/session' } }),
        get('use it', '/items?session={{session}}'),
        get('stand alone', '/open'),
      ],
      (_request, response) => json(response, {}),
    )
    const { result, progress } = await agent.call({ suite: 'api' })
    expect(result).toMatchObject({ outcome: 'failed', counts: { passed: 1, failed: 1, skipped: 1 } })
    expect(result.cases[0]).toMatchObject({ expected: 'a value for session', actual: 'absent' })
    expect(result.cases[1]).toMatchObject({ outcome: 'skipped', message: 'needs {{session}}, which was not captured' })
    expect(progress).toHaveLength(3)
    expect(target.requests.map(({ path }) => path)).toEqual(['/login', '/open'])
  })

  test('stops at the first failure where the caller wants that, and says what was left out', async () => {
    const { agent, target } = await playing(
      [get('one', '/one'), get('two', '/two'), get('three', '/three')],
      ({ path }, response) => json(response, {}, path === '/two' ? 500 : 200),
    )
    const { result, progress } = await agent.call({ suite: 'api', failFast: true })
    expect(result.counts).toEqual({ total: 3, passed: 1, failed: 1, skipped: 1 })
    expect(result.cases.at(-1)).toEqual({
      name: 'API › three',
      outcome: 'skipped',
      message: 'not run: an earlier case failed',
    })
    expect(progress.map(({ progress: value }) => value)).toEqual([1, 2])
    expect(target.requests).toHaveLength(2)
  })

  test('runs only the cases that a filter names, and those that these need', async () => {
    const { agent } = await playing(
      [
        get('first', '/1'),
        get('makes', '/2', { capture: { made: '/made' } }),
        get('Uses what was made', '/{{made}}'),
        get('last', '/4'),
      ],
      (_request, response) => json(response, { made: 'it' }),
    )
    const { result, progress } = await agent.call({ suite: 'api', filter: 'uses' })
    expect(result.cases.map(({ name }) => name)).toEqual(['API › makes', 'API › Uses what was made'])
    expect(progress).toMatchObject([{ total: 2 }, { total: 2 }])
    const refused = await agent.call({ suite: 'api', filter: 'nobody' })
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('one of the 4 cases') })
  })

  test('plays as many cases at the same time as it is configured to, and each after what it needs', async () => {
    const waiting: (() => void)[] = []
    const { agent, target } = await playing(
      [get('a', '/a', { capture: { a: '/path' } }), get('b', '/b'), get('after a', '/after{{a}}'), get('d', '/d')],
      ({ path }, response) => {
        waiting.push(() => json(response, { path }))
        // Two are under way, or the last one: nobody else will come.
        if (waiting.length === 2 || target.requests.length === 4) for (const go of waiting.splice(0)) go()
      },
      { suite: { concurrency: 2 } },
    )
    const { result } = await agent.call({ suite: 'api' })
    expect(result.outcome).toBe('passed')
    expect(target.requests.map(({ path }) => path)).toEqual(['/a', '/b', '/after%2Fa', '/d'])
  })

  test('gives each run a value of its own', async () => {
    const { agent, target } = await playing([get('x', '/{{run-id}}')], (_request, response) => json(response, {}))
    await agent.call({ suite: 'api' })
    await agent.call({ suite: 'api' })
    const paths = target.requests.map(({ path }) => path)
    expect(new Set(paths).size).toBe(2)
  })

  test('ends a case at its time, and goes on', async () => {
    const { agent } = await playing(
      [get('slow', '/slow', { timeoutMs: 300 }), get('quick', '/quick')],
      ({ path }, response) => {
        if (path === '/quick') json(response, {})
      },
    )
    const { result } = await agent.call({ suite: 'api' })
    expect(result.cases).toMatchObject([
      { outcome: 'failed', message: 'no complete answer within 300 ms' },
      { outcome: 'passed' },
    ])
  })

  test('that takes too long could not be run: an error, with what was known by then', async () => {
    const { agent } = await playing(
      [get('quick', '/quick'), get('slow', '/slow'), get('never', '/never')],
      ({ path }, response) => {
        if (path === '/quick') json(response, {})
      },
      { suite: { timeoutMs: 1_500 } },
    )
    const { result, isError, ending } = await agent.call({ suite: 'api' })
    expect({ isError, ending }).toEqual({ isError: true, ending: 'complete' })
    expect(result).toMatchObject({
      outcome: 'error',
      reason: 'the suite did not end within 1500 ms',
      cases: [
        { outcome: 'passed' },
        { outcome: 'failed', message: 'the time of the suite was over' },
        { outcome: 'skipped', message: 'not run: the suite did not end within 1500 ms' },
      ],
    })
  })

  test.each([
    ['cuts the connection', 'socket hang up|ECONNRESET', (response: Parameters<Answer>[1]) => void response.destroy()],
    [
      'breaks off in its body',
      'aborted|ECONNRESET',
      (response: Parameters<Answer>[1]) => {
        response.writeHead(200, { 'content-length': 10 }).write('12345', () => response.destroy())
      },
    ],
    [
      'is larger than may be',
      'at most 1024 bytes',
      (response: Parameters<Answer>[1]) => void response.end(Buffer.alloc(100_000, 'x')),
    ],
    [
      'is a redirect, which is not followed',
      '302',
      (response: Parameters<Answer>[1]) => void response.writeHead(302, { location: '/x' }).end(),
    ],
  ])('fails a case whose answer %s', async (_what, reason, answer) => {
    const { agent, target } = await playing([get('x', '/x')], (_request, response) => answer(response), {
      limits: { maxResponseBytes: 1_024 },
    })
    const { result } = await agent.call({ suite: 'api' })
    expect(result.outcome).toBe('failed')
    expect(result.cases[0]?.message).toMatch(new RegExp(reason))
    expect(target.requests).toHaveLength(1)
  })

  test('is aborted at once when its call is cancelled', async () => {
    const reached = new EventEmitter()
    const { agent } = await playing([get('hangs', '/hangs'), get('never', '/never')], (_request, response) => {
      response.on('close', () => reached.emit('closed'))
      reached.emit('request')
    })
    const [isReached, isClosed] = [once(reached, 'request'), once(reached, 'closed')]
    const call = agent.call({ suite: 'api' }, { callId: 'to-be-cancelled' })
    await isReached
    await agent.cancel('to-be-cancelled')
    expect(await call).toMatchObject({ ending: 'failed', error: { code: -31005 } })
    await isClosed
  })

  test('compares streams event by event, and captures from them', async () => {
    const { agent, target } = await playing(
      [
        get('stream', '/stream', {
          expect: {
            status: 200,
            headers: { 'content-type': 'text/event-stream' },
            events: [
              { event: 'progress', repeat: 'some', data: { includes: { n: '{{any-integer}}' } } },
              { event: 'complete', id: '{{any-string}}', data: { equals: { ok: true, by: 'me' } } },
            ],
          },
          capture: { id: { event: 3, id: true }, by: { event: 3, pointer: '/by' } },
        }),
        get('uses it', '/{{by}}/{{id}}'),
        get('too few', '/stream', { expect: { status: 200, events: [{ event: 'progress' }, { event: 'complete' }] } }),
        get('goes on', '/endless', { expect: { status: 200, events: [{ event: 'tick' }], stream: 'goes-on' } }),
        get('is none', '/json', { expect: { status: 200, events: [{ event: 'tick' }] } }),
      ],
      ({ path }, response) => {
        if (path === '/json' || path === '/me/e-9') json(response, {})
        else response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (path === '/endless') response.write('event: tick\ndata: 1\n\n')
        if (path !== '/stream') return
        for (const n of [1, 2, 3]) response.write(`event: progress\ndata: {"n":${n}}\n\n: alive\n\n`)
        response.end('id: e-9\nevent: complete\ndata: {"ok":true,"by":"me"}\n\n')
      },
    )
    const { result } = await agent.call({ suite: 'api' })
    expect(target.requests[1]?.path).toBe('/me/e-9')
    expect(result.cases).toMatchObject([
      { outcome: 'passed' },
      { outcome: 'passed' },
      { outcome: 'failed', expected: 'complete', actual: 'progress {"n":2}' },
      { outcome: 'passed' },
      { outcome: 'failed', expected: 'text/event-stream', actual: 'application/json' },
    ])
  })
})
