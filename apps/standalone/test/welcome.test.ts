import { describe, expect, test } from '@jest/globals'
import { welcome } from '../src/welcome.js'

const FACTS = { url: 'http://127.0.0.1:4010', logDir: 'logs', traceId: undefined }

describe('the lines that a start gives to paste', () => {
  test('carry a key where callers need one, and no name of an agent beside it', () => {
    const text = welcome({ ...FACTS, isOpen: false })
    expect(text).toContain('export SYNCHUB_API_KEY=<your key>')
    expect(text).toContain('-H "authorization: Bearer $SYNCHUB_API_KEY"')
    expect(text).not.toContain('callerAgent')
  })

  test('name who calls where nobody needs a key, and the hub where it is not at the usual address', () => {
    const text = welcome({ ...FACTS, isOpen: true })
    expect(text).toContain('"callerAgent":"SyncVerse"')
    expect(text).not.toMatch(/authorization|API_KEY/)
    expect(text).toContain('npx synchub watch my-trace --follow --url http://127.0.0.1:4010')
  })
})
