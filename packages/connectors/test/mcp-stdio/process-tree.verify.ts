import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { atEnd, closeAll } from '../cleanup.js'
import { openNotes } from '../contract/worker-process.js'
import { callTool } from '../seen-call.js'
import { until } from '../until.js'
import { isAlive, prepareRogue, ROGUE_CHILD } from './rogue-child.js'

jest.setTimeout(30_000)

const OWNER = fileURLToPath(new URL('../fixtures/owner.mjs', import.meta.url))

afterEach(closeAll)

/** Numbers of a child and of its own child, which both hear neither TERM nor the end of their input. */
function familyIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line) => (/^(pid|child) \d+$/.test(line) ? [Number(line.split(' ')[1])] : []))
}

describe('the processes that a child process has started', () => {
  test('end with its connection', async () => {
    const { connection, notes } = prepareRogue('family')
    await callTool(connection, 'work')
    const family = familyIn(notes.lines())
    expect(family.filter(isAlive)).toHaveLength(2)
    await connection.close()
    await until(() => !family.some(isAlive), 'all have ended')
  })

  test('lived on when they had left its group', async () => {
    const { connection, notes } = prepareRogue('leaves-home')
    await callTool(connection, 'work')
    const family = familyIn(notes.lines())
    expect(family.filter(isAlive)).toHaveLength(2)
    await connection.close()
    await until(() => !family.some(isAlive), 'all have ended')
  })

  test('end with the child, when it dies by itself', async () => {
    const { connection, notes } = prepareRogue('family')
    expect((await callTool(connection, 'crash-on-call')).outcome.kind).toBe('lost')
    await until(() => !familyIn(notes.lines()).some(isAlive), 'all have ended')
  })

  test.each(['family', 'leaves-home'])(
    'end with our own process, also when it is killed and can do nothing about it: %s',
    async (mode) => {
      const notes = openNotes()
      const owner = spawn(process.execPath, [OWNER, ROGUE_CHILD, mode], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NOTES_FILE: notes.file },
      })
      atEnd(async () => owner.kill('SIGKILL'))
      await once(owner.stdout, 'data')
      const family = familyIn(notes.lines())
      expect(family.filter(isAlive)).toHaveLength(2)
      owner.kill('SIGKILL')
      await until(() => !family.some(isAlive), 'all have ended')
    },
  )
})
