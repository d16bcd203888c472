import { describe, expect, test } from '@jest/globals'
import { Command } from 'ioredis'
import { ScriptCommand } from '../src/connection/script-command.js'

const SCRIPT = { name: 'step-2', keyCount: 2, source: 'return 1', sha: 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db' }
const KEYS = ['{synchub:a}:call', '{synchub:a}:trace']

describe('the command of a step', () => {
  test.each([
    ['text and numbers', ['queued', 7, -0.5, '']],
    ['characters of several bytes', ['Größe', '漢字', '😀', '\ud800']],
    ['what RESP uses itself', ['a\r\n$3\r\nb', '*1\r\n']],
    ['nothing beside its keys', []],
  ])('is written as the client would write it, with %s', (_what, args) => {
    const { sha, keyCount } = SCRIPT
    const own = new Command('evalsha', [sha, keyCount, ...KEYS, ...args])
    const step = new ScriptCommand(SCRIPT, KEYS, args)
    expect(Buffer.from(step.toWritable())).toEqual(Buffer.from(own.toWritable({})))
    expect([step.getKeys(), step.getSlot()]).toEqual([own.getKeys(), own.getSlot()])
  })
})
