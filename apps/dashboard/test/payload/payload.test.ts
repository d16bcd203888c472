import { describe, expect, test } from '@jest/globals'
import type { CallView } from '@synchub/protocol'
import { toPayload } from '../../src/payload/call-payload.js'
import { lineOf, toJsonText, toPlainText } from '../../src/payload/code-text.js'

function viewOf(more: Partial<CallView>): CallView {
  const call = {
    callId: 'c',
    traceId: 't',
    tool: 'x',
    agent: 'A',
    caller: 'B',
    mode: 'direct',
    attempt: 1,
    createdAt: '',
    links: {},
  }
  return { ...call, state: 'completed', arguments: { city: 'Seoul' }, ...more } as CallView
}

describe('a JSON value as lines', () => {
  test('pairs each bracket with the line that closes it', () => {
    const code = toJsonText({ list: [1, { deep: '{[' }], empty: [], text: 'a\nb}' })
    const pairs = [...code.folds].flatMap((end, line) => (end > 0 ? [[line, end]] : []))
    expect(pairs).toEqual([
      [0, 9],
      [1, 6],
      [3, 5],
    ])
    expect(lineOf(code, 4, 100).shown).toBe('      "deep": "{["')
    expect(lineOf(code, 9, 100).shown).toBe('}')
  })

  test('cuts a line that is megabytes long', () => {
    expect(lineOf(toPlainText(`short\n${'x'.repeat(5000)}`), 1, 100)).toEqual({ shown: 'x'.repeat(100), cut: 4900 })
  })
})

describe('what a call answered', () => {
  test('is taken apart by its kinds, each as what it is', async () => {
    const { parts, arguments: given } = toPayload(
      viewOf({
        content: [
          { type: 'text', text: 'plain' },
          { type: 'text', text: '{"a":1}' },
          { type: 'text', text: '# Title\n\ntext' },
          { type: 'resource', resource: { uri: 'report://1', mimeType: 'text/markdown', text: 'r' } },
          { type: 'image', mimeType: 'image/png', data: btoa('png') },
          { type: 'audio', mimeType: 'audio/wav', data: btoa('wav') },
          { type: 'resource_link', uri: 'file:///x', name: 'x' },
          { type: 'later', what: 1 },
        ],
        result: { ok: true },
      }),
    )
    expect(parts.map(({ kind }) => kind)).toEqual([
      'code',
      'code',
      'markdown',
      'markdown',
      'image',
      'audio',
      'link',
      'code',
      'code',
    ])
    expect(parts.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(given.text).toBe('{\n  "city": "Seoul"\n}')
    const [, json, , , image] = parts
    expect(json?.kind === 'code' && json.code.text).toBe('{\n  "a": 1\n}')
    expect(image?.kind === 'image' && (await image.blob.text())).toBe('png')
  })

  test('is kept apart as late where the call had been given up before, and is no answer of it', () => {
    const at = '2026-01-01T00:00:09.000Z'
    const late = { at, content: [{ type: 'text', text: 'after all' }], result: { id: 7 }, isError: false }
    const { parts, late: shown } = toPayload(viewOf({ state: 'unknown', late }))
    expect(parts).toEqual([])
    expect(shown).toMatchObject({
      atMs: Date.parse(at),
      parts: [{ code: { text: 'after all' } }, { title: 'structuredContent' }],
    })
    expect(shown?.failure).toBeUndefined()
    const error = { code: -32603, message: 'Internal Error: no stock', data: { title: 'INTERNAL_ERROR' } }
    const failed = toPayload(viewOf({ state: 'unknown', late: { at, error: error as never } })).late
    expect(failed).toMatchObject({ parts: [], failure: { code: 'INTERNAL_ERROR', reason: 'Internal Error: no stock' } })
  })

  test('stays text where a picture is none', () => {
    const { parts } = toPayload(viewOf({ content: [{ type: 'image', mimeType: 'image/png', data: 'no base64!' }] }))
    expect(parts[0]).toMatchObject({ kind: 'code', code: { text: 'no base64!' } })
  })
})
