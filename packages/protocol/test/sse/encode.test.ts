import { describe, expect, test } from '@jest/globals'
import { encodeSseComment, encodeSseEvent, encodeSseRetry } from '../../src/index.js'

describe('SSE encoder', () => {
  test('writes id, event and data as one block that ends in a blank line', () => {
    expect(encodeSseEvent({ id: '7-1f', event: 'progress', data: '{"a":1}' })).toBe(
      'id: 7-1f\nevent: progress\ndata: {"a":1}\n\n',
    )
  })

  test('writes no id where the event has none', () => {
    expect(encodeSseEvent({ event: 'end', data: '{}' })).toBe('event: end\ndata: {}\n\n')
  })

  test('writes comments and the pause before a reconnect, in whole milliseconds', () => {
    expect(encodeSseComment('heartbeat')).toBe(': heartbeat\n\n')
    expect(encodeSseRetry(1000.4)).toBe('retry: 1000\n\n')
  })
})
