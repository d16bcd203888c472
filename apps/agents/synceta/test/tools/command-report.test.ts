import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { isAlive } from '../living-process.js'
import { stopAgents } from '../running-agent.js'
import { NOTE, pidsOf, running } from '../running-command.js'
import { removeFolders } from '../temporary-folder.js'

afterEach(async () => {
  await stopAgents()
  await removeFolders()
})

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

describe('the tool', () => {
  test('knows only the suites of its configuration', async () => {
    const agent = await running('')
    const { error } = await agent.call({ suite: '../../etc/passwd' })
    expect(error).toMatchObject({ code: -32602, message: 'Invalid params: suite must be one of ["unit"]' })
  })
})
