import { describe, expect, test } from '@jest/globals'
import { StopSwitch } from '../src/index.js'

describe('StopSwitch', () => {
  test('tells everybody who listens once, and keeps the first reason', () => {
    const stop = new StopSwitch()
    const told: string[] = []
    stop.addEventListener('abort', () => told.push('one'))
    stop.addEventListener('abort', () => told.push('other'))
    stop.abort('first')
    stop.abort('second')
    expect(told).toEqual(['one', 'other'])
    expect([stop.aborted, stop.reason]).toEqual([true, 'first'])
  })

  test('tells nobody who has stopped listening, also where that was within the telling', () => {
    const stop = new StopSwitch()
    const told: string[] = []
    const other = () => told.push('other')
    const gone = () => told.push('gone')
    stop.addEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.addEventListener('abort', () => {
      told.push('one')
      stop.removeEventListener('abort', other)
    })
    stop.addEventListener('abort', other)
    stop.abort()
    expect(told).toEqual(['one'])
  })
})
