import { describe, expect, test } from '@jest/globals'
import { mintRunAccess } from '@synchub/auth'
import { parseConfig } from '../../src/index.js'
import { maskSecrets, maskSent } from '../../src/run/secret-mask.js'
import { recordOf } from '../delegation/records.js'

describe("an agent's secret in what the agent sent", () => {
  test('is taken out wherever it stands', () => {
    const data = { error: { message: 'Bearer agent-secret leaked', data: { detail: ['agent-secret'] } } }
    expect(maskSecrets(data, ['agent-secret'])).toEqual({
      error: { message: 'Bearer [redacted] leaked', data: { detail: ['[redacted]'] } },
    })
  })

  test('is found when JSON writes it otherwise', () => {
    expect(maskSecrets({ message: 'say "quoted\\one"' }, ['"quoted\\one"'])).toEqual({ message: 'say [redacted]' })
  })

  test('is found whole where another is part of it', () => {
    const data = { message: 'agent-secret-of-a-child, agent-secret' }
    expect(maskSecrets(data, ['agent-secret', 'agent-secret-of-a-child'])).toEqual({
      message: '[redacted], [redacted]',
    })
  })

  test('leaves data without it, and agents without one, as they are', () => {
    const data = { message: 'all is well' }
    expect(maskSecrets(data, ['agent-secret'])).toBe(data)
    expect(maskSecrets(data, [])).toBe(data)
    expect(maskSecrets(data, ['well'])).toBe(data)
  })
})

describe('what an agent sent of what the hub gave it', () => {
  const agents = {
    Verse: { url: 'http://127.0.0.1:1/', secret: 'agent-secret', delegates: ['Boot'] },
    Boot: { url: 'http://127.0.0.1:1/' },
  }
  const config = parseConfig({ text: JSON.stringify({ agents }), file: 'test.json', environment: {} })
  const grant = { scopes: [], within: [] }
  const callId = '019b0000-0000-7000-8000-000000000001'

  test('is masked: its secret, and the access token of this and of an earlier attempt', () => {
    const [first, second] = [mintRunAccess(callId, 1).accessToken, mintRunAccess(callId, 2).accessToken]
    const call = { ...recordOf({ callId, grant }), accessToken: second }
    expect(maskSent({ [first]: [`agent-secret ${second}`] }, call, { config })).toEqual({
      '[redacted]': ['[redacted] [redacted]'],
    })
  })

  test('is masked where a child process tells what the configuration took from the environment for it', () => {
    const env = { API_KEY: { env: 'FILES_KEY' }, MODE: 'production', HOME_DIR: { env: 'HOME' } }
    const own = parseConfig({
      text: JSON.stringify({ agents: { Files: { connector: 'mcp-stdio', command: 'server', env } } }),
      file: 'test.json',
      environment: { FILES_KEY: 'open-sesame', HOME: '/home/files' },
    })
    const data = { content: [{ type: 'text', text: 'open-sesame in production at /home/files' }] }
    expect(maskSent(data, recordOf({ agent: 'Files' }), { config: own })).toEqual({
      content: [{ type: 'text', text: '[redacted] in production at /home/files' }],
    })
  })

  test('is left as it is where there is nothing of it, and where the agent was given no access token', () => {
    const data = { text: mintRunAccess(callId, 1).accessToken }
    expect(maskSent(data, recordOf({ agent: 'Boot' }), { config })).toBe(data)
    const plain = { text: 'shr_' }
    expect(maskSent(plain, recordOf({ grant }), { config })).toBe(plain)
  })
})
