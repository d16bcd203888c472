import { describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import { answerResult } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

const lineOf = (id: number, method: string): string => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`

describe('synchub mcp', () => {
  test('writes messages alone to stdout, tells on stderr what it does, and ends with its input', async () => {
    const at = await startHub((_request, response) => answerResult(response, {}))
    const { code, stdout, stderr } = await runCommandLine(['mcp'], at.env, lineOf(1, 'ping') + lineOf(1, 'ping').trim())
    expect(code).toBe(0)
    const messages = stdout.trimEnd().split('\n')
    expect(messages).toHaveLength(2)
    for (const message of messages) expect(JSON.parse(message)).toMatchObject({ jsonrpc: '2.0', id: 1 })
    expect(stderr).toBe(`synchub mcp: bridges stdin and stdout to ${at.url}/mcp\n`)
  })

  test('asks the hub that SYNCHUB_URL or --url names, with the key of the environment', async () => {
    const at = await startHub((_request, response) => answerResult(response, {}))
    await runCommandLine(['mcp', '--url', at.url], { SYNCHUB_API_KEY: 'shk_1' }, lineOf(2, 'tools/list'))
    expect(at.requests).toMatchObject([{ path: '/mcp', headers: { authorization: 'Bearer shk_1' } }])
  })

  test('does not begin with an address that is none', async () => {
    const { code, stdout, stderr } = await runCommandLine(['mcp'], { SYNCHUB_URL: 'ftp://hub' }, lineOf(1, 'ping'))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('http or https URL')
  })

  test('shows itself in the help, alone and among the others', async () => {
    const [own, all] = await Promise.all([runCommandLine(['mcp', '--help']), runCommandLine(['--help'])])
    for (const { code, stdout } of [own, all]) {
      expect(code).toBe(0)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Serve the hub as an MCP server on stdin and stdout')
    }
  })
})
