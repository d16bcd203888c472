import { resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { readApiKey, readEnv } from '../src/env.js'

describe('readEnv', () => {
  test('has a default for everything', () => {
    expect(readEnv({})).toEqual({
      host: '127.0.0.1',
      port: 4102,
      dataDir: resolve('.synchub/syncinsight'),
      logLevel: 'info',
      configurationPath: expect.stringMatching(/\/syncinsight\/syncinsight\.config\.json$/),
    })
  })

  test('takes what is set and ignores what is empty', () => {
    const env = {
      HOST: '::1',
      PORT: '0',
      DATA_DIR: '/data',
      SYNCHUB_AGENT_SECRET: 's',
      LOG_LEVEL: '',
      SYNCINSIGHT_CONFIG: '/c.json',
    }
    expect(readEnv(env)).toEqual({
      host: '::1',
      port: 0,
      dataDir: '/data',
      secret: 's',
      logLevel: 'info',
      configurationPath: '/c.json',
    })
  })

  test.each([
    [{ PORT: 'http' }, 'PORT is "http", but must be a port from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but must be one of fatal'],
  ])('refuses %j, naming the variable', (env, reason) => {
    expect(() => readEnv(env)).toThrow(reason)
  })
})

describe('readApiKey', () => {
  test('reads the variable that the configuration names, and says when it is missing', () => {
    expect(readApiKey('MODEL_KEY', { MODEL_KEY: 'sk' })).toBe('sk')
    expect(() => readApiKey('MODEL_KEY', {})).toThrow('MODEL_KEY is not set: summary.apiKeyEnv')
  })
})
