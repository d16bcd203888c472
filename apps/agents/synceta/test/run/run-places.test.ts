import { describe, expect, test } from '@jest/globals'
import type { SuiteDefinition } from '../../src/configuration/definition.js'
import { parseConfiguration } from '../../src/configuration/load.js'
import { RunPlaces } from '../../src/run/run-places.js'

const command = { kind: 'command', command: ['x'], output: 'tap' }
const { suites } = parseConfiguration(
  JSON.stringify({
    targets: { t: { url: 'https://t.test' } },
    suites: { one: command, two: command, api: { kind: 'fixtures', folder: '.', target: 't' } },
  }),
  '/c.json',
  {},
)
const suite = (name: string) => suites.get(name) as SuiteDefinition

/** Runs that begin when they are let and end when they are told to. */
function observed(places: RunPlaces) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const take = (name: string, label: string, signal = new AbortController().signal) =>
    places.take(
      suite(name),
      () => {
        begun.push(label)
        return new Promise<string>((resolve) => ends.set(label, () => resolve(label)))
      },
      signal,
    )
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    return [...begun]
  }
  return { take, settle, end: (label: string) => ends.get(label)?.() }
}

describe('the places for runs', () => {
  test('are so many, and for a command suite only one', async () => {
    const { take, settle, end } = observed(new RunPlaces(2))
    const runs = [take('one', 'a'), take('one', 'b'), take('two', 'c'), take('api', 'd'), take('api', 'e')]
    expect(await settle()).toEqual(['d', 'e'])
    end('d')
    expect(await settle()).toEqual(['d', 'e', 'a'])
    end('e')
    expect(await settle()).toEqual(['d', 'e', 'a', 'c'])
    end('a')
    expect(await settle()).toEqual(['d', 'e', 'a', 'c', 'b'])
    end('b')
    end('c')
    expect(await Promise.all(runs)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('let one who is cancelled while waiting go at once, and never run it', async () => {
    const { take, settle, end } = observed(new RunPlaces(1))
    const first = take('one', 'a')
    const cancelled = new AbortController()
    const second = take('one', 'b', cancelled.signal)
    const third = take('two', 'c')
    await settle()
    cancelled.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    end('a')
    expect(await settle()).toEqual(['a', 'c'])
    end('c')
    expect(await Promise.all([first, third])).toEqual(['a', 'c'])
  })
})
