import { afterEach, describe, expect, test } from '@jest/globals'
import { isAlive } from '../living-process.js'
import { startAgent, stopAgents } from '../running-agent.js'
import { NOTE, pidsOf, printing, running } from '../running-command.js'
import { removeFolders } from '../temporary-folder.js'

afterEach(async () => {
  await stopAgents()
  await removeFolders()
})

describe('a command', () => {
  test('that is missing, may not be run or has no folder could not be run', async () => {
    const command = (more: object) => ({ kind: 'command', command: ['./program.mjs'], output: 'tap', ...more })
    const suites = {
      missing: command({ command: ['no-such-program-anywhere'] }),
      forbidden: command({}),
      homeless: command({ cwd: 'no-such-folder' }),
    }
    const agent = await startAgent({ suites }, { 'program.mjs': '' })
    const reasons: unknown[] = []
    for (const suite of Object.keys(suites)) {
      const { result, isError, text } = await agent.call({ suite })
      expect({ isError, outcome: result.outcome, counts: result.counts.total }).toEqual({
        isError: true,
        outcome: 'error',
        counts: 0,
      })
      expect(text).toContain('No case was run.')
      reasons.push(result.reason)
    }
    expect(reasons).toEqual([
      'the command cannot be started: the program "no-such-program-anywhere" was not found',
      'the command cannot be started: "./program.mjs" may not be run',
      'the folder in which the command runs is missing',
    ])
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
      { timeoutMs: 2_500 },
    )
    const { result, isError } = await agent.call({ suite: 'unit' })
    expect(isError).toBe(true)
    expect(result).toMatchObject({
      outcome: 'error',
      reason: 'the command cannot be judged: it did not end within 2500 ms',
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

  test.each<[string, string, string]>([
    ['last words were cut at 2,000 characters', 'hush-hush-hush', "'x' + SECRET + ' '.repeat(1990)"],
    ['last words end with its last line', '-----BEGIN KEY-----\nhush-hush-hush\n-----END KEY-----', 'SECRET'],
    ['output is no JSON, of which the parser told a piece', 'hush-hush-hush', "''"],
  ])('has no half of a secret told of it where its %s', async (_case, secret, lastWords) => {
    const program = `const { SECRET } = process.env
      process.stdout.write('{"testResults": ' + SECRET)
      process.stderr.write(${lastWords})
      process.exitCode = 1`
    const agent = await running(
      program,
      { output: 'jest-json', environment: { pass: ['PATH'], secrets: ['SECRET'], set: {} } },
      { variables: { SECRET: secret } },
    )
    const outcome = await agent.call({ suite: 'unit' })
    expect(outcome.result.reason).toMatch(/cannot be judged: its output begins like JSON and is none/)
    expect(JSON.stringify(outcome)).not.toMatch(/hush|KEY/)
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
