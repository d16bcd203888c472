import { describe, expect, test } from '@jest/globals'
import { readEnv } from '../src/env.js'

describe('the environment of SyncVerse', () => {
  test('has defaults for everything; an empty variable is not set', () => {
    expect(readEnv({ PORT: '', SYNCHUB_URL: '' })).toEqual({
      host: '127.0.0.1',
      port: 4104,
      dataDir: expect.stringMatching(/\/\.synchub\/syncverse$/),
      logLevel: 'info',
      hubUrl: 'http://127.0.0.1:4000',
    })
  })

  test.each([
    [{ PORT: 'http' }, 'the environment variable PORT must be a port from 0 to 65535'],
    [{ LOG_LEVEL: 'loud' }, 'the environment variable LOG_LEVEL must be one of'],
    [{ SYNCHUB_URL: 'hub:4000' }, 'the environment variable SYNCHUB_URL must be the http or https URL of a hub'],
    [
      { SYNCHUB_URL: 'http://me:secret@hub' },
      'SYNCHUB_URL must be the http or https URL of a hub, without credentials',
    ],
  ])('refuses %j in one sentence', (variables, words) => {
    expect(() => readEnv(variables)).toThrow(words)
    expect(() => readEnv(variables)).not.toThrow('secret')
  })
})
