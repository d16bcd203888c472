import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { type RunningHub, runHub } from '../running-hub.js'
import { type AskingAgent, saying, serveAsking } from './asking-agent.js'
import { askModern } from './mcp-requests.js'

let agent: AskingAgent
let hub: RunningHub

beforeAll(async () => {
  agent = await serveAsking(['short', 'long'])
  agent.behave(() => saying('ok'))
  hub = await runHub({
    agents: { Agent: { connector: 'mcp-http', url: agent.url, tools: { short: { mode: 'direct' } } } },
  })
})

afterAll(closeAll)

test.each(['short', 'long'])(
  'the agent of a %s tool gets the headers that it declares: the hub sent none, since it lists nothing itself',
  async (name) => {
    const sent = { 'Mcp-Param-Region': 'eu' }
    const { body } = await askModern(hub.url, 'tools/call', { name, arguments: { region: 'eu' } }, {}, sent)
    expect(body.result?.isError).toBe(false)
    expect(agent.calls.at(-1)).toMatchObject({ arguments: { region: 'eu' }, regionHeader: 'eu' })
  },
)
