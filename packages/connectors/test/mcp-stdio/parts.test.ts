import { describe, expect, test } from '@jest/globals'
import { LastLines } from '../../src/mcp-stdio/last-lines.js'
import { readLines } from '../../src/mcp-stdio/line-reader.js'
import { RestartPause } from '../../src/mcp-stdio/restart-pause.js'

async function linesOf(chunks: readonly string[], maxBytes = 100): Promise<string[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const lines: string[] = []
  for await (const line of readLines(bytes(), maxBytes)) lines.push(line.toString('utf8'))
  return lines
}

describe('readLines', () => {
  test('cuts lines whatever the chunks', async () => {
    expect(await linesOf(['a\nb', 'c\r', '\n\n', 'd'])).toEqual(['a', 'bc', ''])
    const text = '안녕\n🎉\r\n'
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))
    const single = async function* () {
      yield* bytes
    }
    const lines: string[] = []
    for await (const line of readLines(single(), 100)) lines.push(line.toString('utf8'))
    expect(lines).toEqual(['안녕', '🎉'])
  })

  test('takes a line of exactly the bound and none beyond, ended or not', async () => {
    expect(await linesOf(['12345\n'], 5)).toEqual(['12345'])
    const tooLarge = 'the agent wrote a line larger than 5 bytes'
    await expect(linesOf(['123456\n'], 5)).rejects.toThrow(tooLarge)
    await expect(linesOf(['123', '456'], 5)).rejects.toThrow(tooLarge)
  })
})

describe('LastLines', () => {
  const say = (written: readonly string[], given: readonly string[] = []) => {
    const lines = new LastLines(given)
    for (const chunk of written) lines.add(Buffer.from(chunk))
    return lines.toString()
  }

  test('tells the last three lines, without colours and blank lines', () => {
    expect(say(['one\ntwo\n\nthr', 'ee\n\u001b[31mfour\u001b[0m\n  \n'])).toBe('two | three | four')
    expect(say([])).toBe('')
  })

  test('bounds what it keeps and what it tells', () => {
    expect(say(['x'.repeat(10_000_000), '\nend\n'])).toMatch(/^x{200} \| end$/)
  })

  test('hides what the process was given, also when it was written in parts', () => {
    expect(say(['key open-', 'sesame\n'], ['open-sesame', 'on'])).toBe('key ***')
  })

  test('hides what is left of a secret of which the beginning was let go', () => {
    const end = 'x'.repeat(4090)
    expect(say([`key open-sesame${end}`], ['open-sesame'])).toMatch(/^x+$/)
    expect(say([`key open-sesame`, end.slice(0, 4085)], ['open-sesame'])).toMatch(/^\*{3}x+$/)
  })
})

describe('RestartPause', () => {
  test('doubles with each early end up to its longest, and begins anew after a long life', () => {
    const pause = new RestartPause({ firstPauseMs: 10, longestPauseMs: 35, stableAfterMs: 1_000 })
    expect(pause.isOn(0)).toBe(false)
    for (const [end, pauseMs] of [
      [100, 10],
      [200, 20],
      [300, 35],
      [400, 35],
    ] as const) {
      pause.noteEnd(end, 0)
      expect(pause.isOn(end + pauseMs - 1)).toBe(true)
      expect(pause.isOn(end + pauseMs)).toBe(false)
    }
    pause.noteEnd(5_000, 1_000)
    expect(pause.isOn(5_009)).toBe(true)
    expect(pause.isOn(5_010)).toBe(false)
  })
})
