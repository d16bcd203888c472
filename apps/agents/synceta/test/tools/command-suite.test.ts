import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { isAlive } from '../living-process.js'
import { type RunningAgent, startAgent, stopAgents } from '../running-agent.js'
import { removeFolders } from '../temporary-folder.js'
import { written } from '../written-file.js'

afterEach(async () => {
  await stopAgents()
  await removeFolders()
})

/** An agent with one suite that runs a program of this text. */
async function running(
  program: string,
  suite: object = {},
  more: { readonly limits?: object; readonly variables?: Record<string, string> } = {},
): Promise<RunningAgent> {
  const settings = { kind: 'command', command: [process.execPath, 'program.mjs'], output: 'tap', ...suite }
  const configuration = { suites: { unit: settings }, limits: { killGraceMs: 100, ...more.limits } }
  return startAgent(configuration, { 'program.mjs': program }, more.variables)
}

/** A program that prints this. */
const printing = (text: string) => `process.stdout.write(${JSON.stringify(text)})\n`

/** Lets a program write the numbers of its processes where the test finds them. */
const NOTE = `import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const note = (...pids) => { writeFileSync('pids.tmp', pids.join(' ') + '\\n'); renameSync('pids.tmp', 'pids') }
const child = (code, options = {}) => spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit'], ...options })
const FOREVER = 'setInterval(() => {}, 1000)'
`

async function pidsOf({ folder }: RunningAgent): Promise<number[]> {
  return (await written(folder, 'pids')).split(' ').map(Number)
}

describe('a command that prints TAP', () => {
  test('is read as it goes: each test point is a progress, of the total that its plan says', async () => {
    const agent = await running(`
      import { existsSync, watch } from 'node:fs'
      process.stdout.write('TAP version 14\\n1..3\\nok 1 - adds\\nok 2 - waits # SKIP not today\\n')
      // Goes on only once the first case has been told: the output is not read at the end only.
      const go = () => {
        if (!existsSync('go')) return
        process.stdout.write('not ok 3 - subtracts\\n  ---\\n  message: wrong\\n  expected: {a: 1}\\n  found: [2]\\n  ...\\n')
        process.exit(1)
      }
      watch('.', go)
      go()
    `)
    const told: string[] = []
    const outcome = await agent.call(
      { suite: 'unit' },
      {
        onProgress: (message) => {
          told.push(message)
          void writeFile(join(agent.folder, 'go'), '')
        },
      },
    )
    expect(outcome.progress).toMatchObject([
      { progress: 1, total: 3, message: 'passed: adds' },
      { progress: 2, total: 3, message: 'skipped: waits' },
      { progress: 3, total: 3, message: 'failed: subtracts' },
    ])
    expect(outcome).toMatchObject({ ending: 'complete', isError: false })
    expect(outcome.result).toMatchObject({
      outcome: 'failed',
      counts: { total: 3, passed: 1, failed: 1, skipped: 1 },
      cases: [
        { name: 'adds', outcome: 'passed' },
        { name: 'waits', outcome: 'skipped', message: 'not today' },
        { name: 'subtracts', outcome: 'failed', expected: '{"a":1}', actual: '[2]', message: 'wrong' },
      ],
    })
  })

  test("reads what Node's own test runner prints", async () => {
    const agent = await running(
      `import { describe, it } from 'node:test'
       import assert from 'node:assert'
       describe('sums', () => {
         it('adds', () => {})
         it('compares', () => assert.deepEqual({ a: 1 }, { a: 2 }))
       })`,
      { command: [process.execPath, '--test', '--test-reporter=tap', 'program.mjs'] },
    )
    const { result } = await agent.call({ suite: 'unit' })
    expect(result).toMatchObject({ outcome: 'failed', counts: { total: 2, passed: 1, failed: 1, skipped: 0 } })
    expect(result.cases[1]).toMatchObject({
      expected: '{"a":2}',
      actual: '{"a":1}',
      message: expect.stringContaining('deep-equal'),
    })
  })

  test('is ended at its first failure where the caller wants that', async () => {
    const agent = await running(`${NOTE}
      note(process.pid)
      process.stdout.write('1..9\\nok 1\\nnot ok 2 - breaks\\nok 3\\n')
      setInterval(() => {}, 1000)`)
    const { result, isError } = await agent.call({ suite: 'unit', failFast: true })
    expect(isError).toBe(false)
    expect(result).toMatchObject({ outcome: 'failed', remarks: ['The command was ended at its first failure.'] })
    expect(result.cases.map(({ name }) => name)).toContain('breaks')
    expect((await pidsOf(agent)).map(isAlive)).toEqual([false])
  })
})

describe('a command that prints the JSON of Jest', () => {
  const JSON_OF_JEST = JSON.stringify({
    testResults: [{ name: '/a.js', status: 'passed', assertionResults: [{ title: 'x', status: 'passed' }] }],
  })

  test('stops at its first failure only where its configuration tells it how', async () => {
    const plain = await running('', { output: 'jest-json' })
    const { error } = await plain.call({ suite: 'unit', failFast: true })
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('failFast must be false') })
    const program = `process.stdout.write(process.argv[2] === '--bail' ? ${JSON.stringify(JSON_OF_JEST)} : 'no')`
    const agent = await running(program, { output: 'jest-json', failFastArguments: ['--bail'] })
    const { result, progress } = await agent.call({ suite: 'unit', failFast: true })
    expect(result.outcome).toBe('passed')
    expect(progress).toMatchObject([{ progress: 1, total: 1, message: expect.stringMatching(/^passed: .*a.js › x$/) }])
  })

  test('says why it gave none: its exit code and last words', async () => {
    const program = "process.stderr.write('first\\nlast \\x1b[31mwords\\n')\nprocess.exitCode = 3"
    const agent = await running(program, { output: 'jest-json' })
    const { result, isError } = await agent.call({ suite: 'unit' })
    expect(isError).toBe(true)
    expect(result.reason).toBe(
      'the command cannot be judged: its output is no JSON of Jest; it ended with exit code 3: last words',
    )
  })
})

describe('a command', () => {
  test.each([
    ['is not there', { command: ['no-such-program-anywhere'] }, 'the program "no-such-program-anywhere" was not found'],
    ['may not be run', { command: ['./program.mjs'] }, 'may not be run'],
    ['has no folder', { cwd: 'missing' }, 'the folder in which the command runs is missing'],
  ])('that %s could not be run', async (_what, suite, reason) => {
    const agent = await running('', suite)
    const { result, isError, text } = await agent.call({ suite: 'unit' })
    expect(isError).toBe(true)
    expect(result).toMatchObject({ outcome: 'error', counts: { total: 0 }, reason: expect.stringContaining(reason) })
    expect(text).toContain('No case was run.')
  })

  test('that ends with a failure none of its cases has is no success', async () => {
    const agent = await running(`${printing('1..1\nok 1\n')}process.exitCode = 7`)
    const { result, isError } = await agent.call({ suite: 'unit' })
    expect({ isError, outcome: result.outcome }).toEqual({ isError: false, outcome: 'failed' })
    expect(result.remarks).toEqual(['No case failed, but the command ended with exit code 7.'])
  })

  test('that is killed cannot be judged', async () => {
    const agent = await running(
      `${printing('1..1\nok 1\n')}process.kill(process.pid, 'SIGSEGV')\nsetInterval(() => {}, 1000)`,
    )
    expect((await agent.call({ suite: 'unit' })).result).toMatchObject({
      outcome: 'error',
      reason: 'the command cannot be judged: it was killed by SIGSEGV',
    })
  })

  test('that floods its output is ended, and costs no memory for it', async () => {
    const agent = await running(
      `${NOTE}note(process.pid)\nconst flood = () => { while (process.stdout.write('# nothing but comments\\n'.repeat(1000))); }\nprocess.stdout.on('drain', flood)\nflood()`,
      {},
      { limits: { maxOutputBytes: 1_000_000 } },
    )
    expect((await agent.call({ suite: 'unit' })).result).toMatchObject({
      outcome: 'error',
      reason: 'the command cannot be judged: it wrote more than 1000000 bytes',
    })
    expect((await pidsOf(agent)).map(isAlive)).toEqual([false])
  })

  test('with more cases than may be is ended', async () => {
    const agent = await running(
      `let n = 0\nfor (;;) { n += 1; process.stdout.write(\`ok \${n}\\n\`); if (n % 100 === 0) await new Promise(setImmediate) }`,
      {},
      { limits: { maxCases: 50 } },
    )
    const { result } = await agent.call({ suite: 'unit' })
    expect(result).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('more than 50 cases'),
      counts: { total: 50 },
    })
  })

  test('that never ends and ignores the request to end is ended by force at its time', async () => {
    const agent = await running(
      `${NOTE}process.on('SIGTERM', () => {})\n${printing('1..2\nok 1 - quick\nok 2 - unfinished')}note(process.pid, child("process.on('SIGTERM', () => {});" + FOREVER).pid)\nsetInterval(() => {}, 1000)`,
      { timeoutMs: 700 },
    )
    const { result, isError } = await agent.call({ suite: 'unit' })
    expect(isError).toBe(true)
    expect(result).toMatchObject({
      outcome: 'error',
      reason: 'the command cannot be judged: it did not end within 700 ms',
      cases: [{ name: 'quick', outcome: 'passed' }],
    })
    expect((await pidsOf(agent)).map(isAlive)).toEqual([false, false])
  })

  test('that closes its output and goes on is waited for, and ended at its time', async () => {
    const program = `import { closeSync, writeSync } from 'node:fs'\nwriteSync(1, '1..1\\nok 1\\n')\ncloseSync(1)\ncloseSync(2)\n`
    const quick = await running(`${program}setTimeout(() => {}, 200)`)
    expect((await quick.call({ suite: 'unit' })).result.outcome).toBe('passed')
    const endless = await running(`${program}setInterval(() => {}, 1000)`, { timeoutMs: 600 })
    expect((await endless.call({ suite: 'unit' })).result.reason).toContain('did not end within 600 ms')
  })

  test('that leaves processes behind, in its group and out of it, has them ended, and keeps its verdict', async () => {
    const agent = await running(`${NOTE}
      const inGroup = child(FOREVER)
      const daemon = child(FOREVER, { detached: true })
      note(inGroup.pid, daemon.pid)
      process.stdout.write('1..1\\nok 1\\n', () => process.exit(0))`)
    const { result } = await agent.call({ suite: 'unit' })
    expect(result).toMatchObject({
      outcome: 'passed',
      remarks: ['The command left processes behind; they were ended.'],
    })
    expect((await pidsOf(agent)).map(isAlive)).toEqual([false, false])
  })

  test('whose call is cancelled is ended with everything that it has started', async () => {
    const agent = await running(`${NOTE}
      const ignoring = child("process.on('SIGTERM', () => {}); process.stdout.write('ok 1\\\\n');" + FOREVER)
      note(process.pid, ignoring.pid, child(FOREVER, { detached: true }).pid)
      setInterval(() => {}, 1000)`)
    const call = agent.call({ suite: 'unit' }, { callId: 'to-be-cancelled' })
    const pids = await pidsOf(agent)
    await agent.cancel('to-be-cancelled')
    expect(await call).toMatchObject({ ending: 'failed', error: { code: -31005 } })
    await stopAgents()
    expect(pids.map(isAlive)).toEqual([false, false, false])
  })

  test('sees only the variables of its configuration, and their secrets are not shown', async () => {
    const program = `const { SHOWN, SECRET, HIDDEN, OWN } = process.env
      process.stdout.write(\`1..1\\nnot ok 1 - \${SHOWN} \${SECRET} \${HIDDEN} \${OWN}\\n  ---\\n  found: \${SECRET}\\n  ...\\n\`)`
    const agent = await running(
      program,
      { environment: { pass: ['PATH', 'SHOWN'], secrets: ['SECRET'], set: { OWN: 'own' } } },
      { variables: { SHOWN: 'shown', SECRET: 'hush-hush', HIDDEN: 'hidden' } },
    )
    const outcome = await agent.call({ suite: 'unit' })
    expect(outcome.result.cases[0]).toMatchObject({ name: 'shown [redacted] undefined own', actual: '"[redacted]"' })
    expect(JSON.stringify(outcome)).not.toContain('hush-hush')
  })

  test('gets the arguments of a filter, which only its configuration knows', async () => {
    const program = "process.stdout.write('1..1\\nok 1 - ' + process.argv.slice(2).join(' ') + '\\n')"
    const agent = await running(program, { filters: { fast: ['--only', '$(touch x); fast'] } })
    const { result } = await agent.call({ suite: 'unit', filter: 'fast' })
    expect(result.cases[0]?.name).toBe('--only $(touch x); fast')
    const refused = await agent.call({ suite: 'unit', filter: '--config=/etc/passwd' })
    expect(refused.error).toMatchObject({ code: -32602, message: 'Invalid params: filter must be one of "fast"' })
    const none = await (await running('')).call({ suite: 'unit', filter: 'fast' })
    expect(none.error?.message).toContain('this suite has no filters')
  })

  test('runs once at a time; a second call waits for its turn', async () => {
    const agent = await running(`
      import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
      const alone = !existsSync('busy')
      mkdirSync('busy', { recursive: true })
      setTimeout(() => {
        process.stdout.write('1..1\\n' + (alone ? '' : 'not ') + 'ok 1\\n')
        rmdirSync('busy')
      }, 150)`)
    const outcomes = await Promise.all([agent.call({ suite: 'unit' }), agent.call({ suite: 'unit' })])
    expect(outcomes.map(({ result }) => result.outcome)).toEqual(['passed', 'passed'])
  })
})

describe('the tool', () => {
  test('knows only the suites of its configuration', async () => {
    const agent = await running('')
    const { error } = await agent.call({ suite: '../../etc/passwd' })
    expect(error).toMatchObject({ code: -32602, message: 'Invalid params: suite must be one of "unit"' })
  })
})
