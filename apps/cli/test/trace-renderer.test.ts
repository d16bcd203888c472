import { Writable } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import type { TraceEvent } from '@synchub/protocol'
import stripAnsi from 'strip-ansi'
import { createTraceRenderer } from '../src/render/trace-renderer.js'
import { CALL_ID } from './hub-script.js'

/** A terminal that keeps what was written to it. */
class Terminal extends Writable {
  readonly isTTY = true
  readonly columns = 120
  readonly rows = 30
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

const BEGAN_MS = Date.parse('2026-01-01T00:00:00.000Z')

function eventAt(afterMs: number, event: string, members: object = {}): TraceEvent {
  const at = new Date(BEGAN_MS + afterMs).toISOString()
  return { event, data: { seq: 1, at, traceId: 'demo', callId: CALL_ID, tool: 'tool', ...members } } as TraceEvent
}

function drawn(events: readonly TraceEvent[]): string {
  const terminal = new Terminal()
  const renderer = createTraceRenderer(terminal, { color: false })
  for (const event of events) renderer.show(event)
  renderer.close()
  return stripAnsi(terminal.text)
}

describe('the bars of a trace', () => {
  test('of calls that ended long ago show the time that each took, not the time to read them', () => {
    const child = { callId: 'child', tool: 'child', parentCallId: CALL_ID, caller: 'A', agent: 'B' }
    const text = drawn([
      eventAt(0, 'received', { caller: 'A', agent: 'B' }),
      eventAt(1000, 'received', child),
      eventAt(1320, 'complete', { ...child, isError: false, progress: 100, total: 100, executionTimeMs: 320 }),
      eventAt(65_400, 'complete', { isError: false, progress: 100, total: 100, executionTimeMs: 65_400 }),
    ])
    expect(text).toMatch(/✔ tool +█{20} 100% +1m05s/)
    expect(text).toMatch(/✔ └─ child +█{20} 100% +320ms *\n/)
  })

  test('name a tool that failed as lists of traces do: they called it failed, as a call that never gave a result', () => {
    const text = drawn([
      eventAt(0, 'received', { caller: 'A', agent: 'B' }),
      eventAt(320, 'complete', { isError: true, progress: 100, total: 100, executionTimeMs: 320 }),
    ])
    expect(text).toMatch(/✘ tool .* 320ms {2}tool_failed\s*\n {2}the tool reports a failure/)
  })

  test('of a call that was waited for stood at its last progress, though its result was there', () => {
    const terminal = new Terminal()
    const renderer = createTraceRenderer(terminal, { color: false })
    const call = { callId: CALL_ID, tool: 'tool' }
    renderer.update({ ...call, state: 'running', progress: 99, total: 100 })
    renderer.update({ ...call, state: 'completed', message: '' })
    renderer.close()
    expect(stripAnsi(terminal.text)).toMatch(/✔ tool +█{20} 100% /)
  })

  test('of calls that still run show how long, by the clock of the trace', () => {
    const text = drawn([
      eventAt(0, 'received', { caller: 'A', agent: 'B' }),
      eventAt(12_900, 'progress', { progress: 40, total: 100, message: 'on its way' }),
    ])
    expect(text).toMatch(/tool +█{8}░{12} {2}40% +12s {2}on its way/)
  })
})
