import { describe, expect, test } from '@jest/globals'
import { encodeArchiveEnd, encodeArchiveEvent } from '@synchub/protocol'
import { type PlayOptions, replayArchive } from '../src/index.js'

/** Three events with two seconds between each and the next. */
const LINES = [
  '{"archive":"synchub-trace","version":1,"trace":{"traceId":"demo"}}\n',
  ...[0, 2, 4].map((second) =>
    encodeArchiveEvent({
      id: `${second}-a`,
      event: 'accepted',
      data: JSON.stringify({ seq: second, at: `2026-01-01T00:00:0${second}.000Z`, callId: 'c1', tool: 'tool' }),
    }),
  ),
  encodeArchiveEnd(3),
]

async function play(options: PlayOptions, lines: readonly string[] = LINES) {
  const sleeps: number[] = []
  let nowMs = 0
  const clock = {
    now: () => nowMs,
    async sleep(delayMs: number) {
      sleeps.push(delayMs)
      nowMs += delayMs
    },
  }
  const ids: string[] = []
  for await (const { id } of replayArchive(lines, { clock, ...options })) ids.push(id)
  return { ids, sleeps }
}

describe('the replay of an archive', () => {
  test('keeps the pauses of the recording, at the speed that is asked for', async () => {
    expect(await play({ speed: 2 })).toEqual({ ids: ['0-a', '2-a', '4-a'], sleeps: [1000, 1000] })
    expect((await play({ speed: 'max' })).sleeps).toEqual([])
    expect((await play({ maxGapMs: 5 })).sleeps).toEqual([5, 5])
  })

  test('begins with the event that is named', async () => {
    expect((await play({ from: '2-a' })).ids).toEqual(['2-a', '4-a'])
    await expect(play({ from: '9-a' })).rejects.toMatchObject({ code: 'INVALID_PARAMS', details: { path: 'from' } })
  })

  test('ends quietly when its signal aborts', async () => {
    const abort = new AbortController()
    const ids: string[] = []
    for await (const { id } of replayArchive(LINES, { speed: 'max', signal: abort.signal })) {
      ids.push(id)
      abort.abort()
    }
    expect(ids).toEqual(['0-a'])
  })

  test('says what is wrong with the file, after what could be played', async () => {
    await expect(play({ speed: 'max' }, LINES.slice(0, 3))).rejects.toMatchObject({
      reason: expect.stringContaining('line 3 is not the last one'),
    })
    expect(() => replayArchive(LINES, { speed: 0 })).toThrow('the speed must be a number above 0')
  })
})
