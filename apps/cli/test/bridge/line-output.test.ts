import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { LineOutput } from '../../src/bridge/line-output.js'

describe('the lines of a bridge', () => {
  test('hold whoever writes back until their reader has caught up, any number of writers', async () => {
    const stream = new PassThrough({ highWaterMark: 8 })
    const output = new LineOutput(stream)
    let written = 0
    const writers = ['{"a":1,"b":2}', '{"c":3}', '{"d":4}'].map(async (json) => {
      await output.write(json)
      written++
    })
    await nextTurn()
    expect(written).toBe(0)
    expect(stream.read()?.toString()).toContain('{"a":1,"b":2}\n')
    stream.resume()
    await Promise.all(writers)
    expect(stream.listenerCount('close')).toBe(0)
  })

  test('are one for each message, however it was written', async () => {
    const stream = new PassThrough()
    await new LineOutput(stream).write('{\r\n  "text": "a\\nb"\n}')
    expect(stream.read()?.toString()).toBe('{   "text": "a\\nb" }\n')
  })

  test('are let go once their reader is gone', async () => {
    const stream = new PassThrough({ highWaterMark: 1 })
    const output = new LineOutput(stream)
    const writing = output.write('{"a":1}')
    stream.destroy()
    await writing
    await output.write('{"b":2}')
    expect(stream.destroyed).toBe(true)
  })
})
