import { describe, expect, test } from '@jest/globals'
import { hashApiKey, SCOPES } from '@synchub/auth'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson, answerRpc } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

function trace(traceId: string, rootTool: string) {
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:09Z' }
  return {
    traceId,
    owner: 'o',
    state: 'running',
    rootTool,
    caller: 'SyncVerse',
    callCount: 3,
    openCalls: 1,
    lastSeq: 9,
    ...times,
  }
}

describe('synchub traces', () => {
  test('lays a table out, also where a name is in Korean, and passes the filters on', async () => {
    const items = [trace('demo', 'tool'), trace('시연', 'syncinsight_deep_research')]
    const at = await startHub((_request, response) => answerJson(response, { items, asOf: 'now' }))
    const words = [
      'traces',
      '--state',
      'running',
      '--tool',
      'tool',
      '--caller',
      'SyncVerse',
      '--from',
      '2h',
      '--to',
      '2026-02-01',
    ]
    const { code, stdout } = await runCommandLine(words, at.env)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'TRACE  STATE    TOOL                       CALLER     ENDED  UPDATED',
      'demo   running  tool                       SyncVerse  2/3    2026-01-01T00:00:09Z',
      '시연   running  syncinsight_deep_research  SyncVerse  2/3    2026-01-01T00:00:09Z',
    ])
    const query = Object.fromEntries(at.requests[0]?.query ?? [])
    expect(query).toMatchObject({ state: 'running', tool: 'tool', to: '2026-02-01T00:00:00.000Z', limit: '20' })
    expect(Date.now() - Date.parse(query.from ?? '')).toBeGreaterThanOrEqual(7_200_000)
    expect(code).toBe(0)
  })

  test('walks pages up to its limit and says how to go on', async () => {
    const at = await startHub(({ query }, response) => {
      const count = Math.min(Number(query.get('limit')), 60)
      const items = Array.from({ length: count }, (_, index) => trace(`t-${index}`, 'tool'))
      answerJson(response, { items, nextCursor: `after-${at.requests.length}`, asOf: 'now' })
    })
    const { stdout, stderr } = await runCommandLine(['traces', '--limit', '130', '--json'], at.env)
    expect(stdout.trimEnd().split('\n')).toHaveLength(130)
    expect(at.requests.map(({ query }) => [query.get('cursor'), query.get('limit')])).toEqual([
      [null, '100'],
      ['after-1', '70'],
      ['after-2', '10'],
    ])
    expect(stderr).toBe('more: synchub traces --limit 130 --json --cursor after-3\n')
  })

  test('says that none matches apart from a refusal', async () => {
    let requests = 0
    const at = await startHub((_request, response) => {
      if (requests++ === 0) answerJson(response, { items: [], asOf: 'now' })
      else answerError(response, 'UNAUTHENTICATED')
    })
    expect(await runCommandLine(['traces'], at.env)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'no trace matches\n',
    })
    expect(await runCommandLine(['traces'], at.env)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('UNAUTHENTICATED'),
    })
  })
})

describe('synchub cancel', () => {
  test('cancels each call, and tells those apart that had ended or are not there', async () => {
    const at = await startHub(({ path }, response) => {
      const [, , callId = ''] = path.split('/')
      if (callId === 'missing') return answerError(response, 'NOT_FOUND')
      const cancelled = callId === 'open'
      answerJson(response, { callId, state: cancelled ? 'cancelled' : 'completed', cancelled })
    })
    const { code, stdout, stderr } = await runCommandLine(
      ['cancel', 'missing', 'open', 'ended', '--reason', 'wrong year'],
      at.env,
    )
    expect(stdout).toBe('open  cancelled\nended  had already ended: completed\n')
    expect(stderr).toContain('NOT_FOUND')
    expect(at.requests.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => ({ reason: 'wrong year' })))
    expect(code).toBe(3)
  })

  test('says of a call whose tool had failed that it did: it called it completed, as after a success', async () => {
    const answer = { callId: 'c', state: 'completed', isError: true, cancelled: false }
    const at = await startHub((_request, response) => answerJson(response, answer))
    expect(await runCommandLine(['cancel', 'c'], at.env)).toMatchObject({
      code: 1,
      stdout: 'c  had already ended: tool_failed\n',
    })
    const { stdout } = await runCommandLine(['cancel', 'c', '--json'], at.env)
    expect(JSON.parse(stdout)).toEqual(answer)
  })

  test('takes a call that was cancelled before for done', async () => {
    const at = await startHub((_request, response) => {
      answerJson(response, { callId: 'c', state: 'cancelled', cancelled: false })
    })
    expect((await runCommandLine(['cancel', 'c'], at.env)).code).toBe(0)
  })
})

describe('synchub doctor', () => {
  const checks = [
    { name: 'serving', ok: true },
    { name: 'store', ok: true },
    { name: 'agent SyncBoot', ok: true },
  ]
  const tools = [{ name: 'a', _meta: { agent: 'SyncBoot', mode: 'direct', available: true } }]

  test('passes a hub that has all it needs', async () => {
    const at = await startHub(({ path }, response) => {
      if (path === '/readyz') answerJson(response, { status: 'ready', checks })
      else answerRpc(response, { tools })
    })
    const { code, stdout } = await runCommandLine(['doctor'], at.env)
    expect(stdout).toMatch(/✔ node +Node \d+/)
    expect(stdout).toMatch(/✔ agent SyncBoot +ok/)
    expect(stdout).toMatch(/✔ tools +1 of 1/)
    expect(stdout).toMatch(/✔ clock +differs from the hub's by less than 1 s/)
    expect(code).toBe(0)
  })

  test('names each fault with its remedy and ends with exit code 1', async () => {
    const down = [
      { name: 'store', ok: false, detail: 'Redis does not answer' },
      { name: 'agent SyncBoot', ok: false, detail: 'connection refused' },
    ]
    const at = await startHub(({ path }, response) => {
      response.setHeader('Date', new Date(Date.now() - 60_000).toUTCString())
      if (path === '/readyz') answerJson(response, { status: 'not-ready', checks: down }, 503)
      else answerError(response, 'UNAUTHENTICATED')
    })
    const { code, stdout } = await runCommandLine(['doctor', '--json'], at.env)
    const findings = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; state: string })
    expect(findings.filter(({ state }) => state === 'failed')).toEqual([
      expect.objectContaining({ name: 'store', remedy: expect.stringContaining('REDIS_URL') }),
      expect.objectContaining({ name: 'agent SyncBoot', remedy: expect.stringContaining('Start the agent') }),
      expect.objectContaining({ name: 'access', remedy: expect.stringContaining('SYNCHUB_API_KEY') }),
      expect.objectContaining({ name: 'clock', remedy: expect.stringContaining('NTP') }),
    ])
    expect(code).toBe(1)
  })

  test('says how to start a hub where none is, and what it could not look at', async () => {
    const at = await startHub(() => undefined)
    await at.stop()
    const { code, stdout } = await runCommandLine(['doctor'], at.env)
    expect(stdout).toMatch(/✘ hub .*ECONNREFUSED\)\n {2}→ Start the hub with "npm start"/)
    expect(stdout).toMatch(/- store +the hub cannot be asked/)
    expect(code).toBe(1)
  })
})

describe('synchub keys new', () => {
  test('prints a fresh key once and the entry with its hash', async () => {
    const words = [
      'keys',
      'new',
      '--name',
      'ci',
      '--tenant',
      'acme',
      '--agent',
      'SyncVerse',
      '--scope',
      'tools:call',
      'traces:read:tenant',
    ]
    const { stdout } = await runCommandLine([...words, '--json'])
    const { apiKey, entry } = JSON.parse(stdout) as { apiKey: string; entry: unknown }
    expect(apiKey).toMatch(/^shk_[\w-]{43}$/)
    expect(entry).toEqual({
      name: 'ci',
      sha256: hashApiKey(apiKey),
      tenant: 'acme',
      agent: 'SyncVerse',
      subject: 'SyncVerse',
      scopes: ['tools:call', 'traces:read:tenant'],
    })
    const [other] = (await runCommandLine(words)).stdout.split('\n')
    expect(other).toMatch(/^shk_/)
    expect(other).not.toBe(apiKey)
  })

  test('tells every scope that a hub knows, and refuses what is none', async () => {
    const { stdout } = await runCommandLine(['keys', 'new', '--help'])
    for (const scope of Object.keys(SCOPES)) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(scope)
    const words = ['keys', 'new', '--name', 'ci', '--tenant', 'acme', '--agent', 'SyncVerse', '--scope', 'everything']
    expect(await runCommandLine(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Scopes are tools:call'),
    })
  })
})

describe('synchub', () => {
  const help = async (...words: string[]) => (await runCommandLine([...words, '--help'])).stdout.replaceAll(/\s+/g, ' ')

  test('did not mark in its help what a command cannot do without', async () => {
    const required = async (...words: string[]) =>
      [...(await help(...words)).matchAll(/ --(\w+) <[^(]*\(required\)/g)].map(([, name]) => name)
    expect(await required('keys', 'new')).toEqual(['name', 'tenant', 'agent', 'scope'])
    expect(await required('resolve')).toEqual(['reason'])
    expect(await required('traces', 'export')).toEqual(['to'])
    expect(await required('traces')).toEqual([])
  })

  test('hid the filters of "traces" behind the help of "traces list"', async () => {
    const text = await help('traces')
    const own = await help('traces', 'list')
    const flags = (of: string) => of.match(/ --[a-z]+(?= <| [a-z])/g)
    expect(flags(text)).toEqual(expect.arrayContaining([' --state', ' --failed', ' --from', ' --cursor']))
    expect(text).toContain(own.slice(own.indexOf('Options:'), own.indexOf('Examples:')).trim())
    expect(await help('traces', 'export')).not.toContain('--failed')
  })

  test('documents every exit code, and an example for every command', async () => {
    const { stdout } = await runCommandLine(['--help'])
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 130]) expect(stdout).toMatch(new RegExp(`^ {2}${code} +\\w`, 'm'))
    for (const words of [['call'], ['watch'], ['traces'], ['cancel'], ['doctor'], ['keys', 'new']]) {
      expect((await runCommandLine([...words, '--help'])).stdout).toMatch(
        /Examples:\n {2}\$ synchub|Examples:\n {2}\$ echo/,
      )
    }
  })
})
