import { describe, expect, test } from '@jest/globals'
import { readEnv } from '../src/env.js'

describe('readEnv', () => {
  test('has defaults for everything, and takes an empty variable for one that is not set', () => {
    const env = readEnv({ PORT: '', SYNCHUB_AGENT_SECRET: '' })
    expect(env).toMatchObject({ host: '127.0.0.1', port: 4103, logLevel: 'info' })
    expect(env.dataDir).toMatch(/\/\.synchub\/synceta$/)
    expect(env.configurationPath).toMatch(/synceta\.config\.json$/)
    expect(env).not.toHaveProperty('secret')
  })

  test('reads what is set, and hands on all of it for the configuration', () => {
    const variables = { PORT: '0', DATA_DIR: '/data', SYNCHUB_AGENT_SECRET: 's', SYNCETA_CONFIG: '/c.json', OTHER: 'x' }
    expect(readEnv(variables)).toEqual({
      host: '127.0.0.1',
      port: 0,
      dataDir: '/data',
      secret: 's',
      logLevel: 'info',
      configurationPath: '/c.json',
      variables,
    })
  })

  test.each([
    [{ PORT: '65536' }, 'PORT must be a port from 0 to 65535'],
    [{ PORT: 'http' }, 'PORT must be a port'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  ])('refuses %j, naming the variable', (variables, reason) => {
    expect(() => readEnv(variables)).toThrow(reason)
  })
})
