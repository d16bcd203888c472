import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AgentList } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { getJson, postJson } from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { type ScriptedAgent, serveScript, toolOf } from './scripted-agent.js'
import { eventually } from './until.js'

let first: ScriptedAgent
let second: ScriptedAgent
let hub: RunningHub

beforeAll(async () => {
  first = await serveScript([toolOf('search'), toolOf('work'), toolOf('broken', { inputSchema: { type: 'nothing' } })])
  second = await serveScript([toolOf('sum')])
  hub = await runHub({
    agents: {
      Second: { url: second.url, trust: 'external' },
      First: { url: first.url, tools: { search: { mode: 'direct' } } },
    },
    access: OWNED_ACCESS,
  })
})

afterAll(closeAll)

const NO_RUNS = { runs: 0, failed: 0, perHour: Array.from({ length: 24 }, () => 0), medianMsPerHour: [] }
const NOTHING = { resources: [], resourceTemplates: [], prompts: [] }

const agentsOf = async (who: string) => (await getJson<AgentList>(hub.url, '/agents', as(who))).body.agents

describe('the list of agents', () => {
  test('shows what each offers, how it runs, and which tools are refused, with the reason', async () => {
    expect(await agentsOf('alice')).toEqual([
      {
        name: 'First',
        available: true,
        trust: 'internal',
        connector: 'native',
        tools: [
          { name: 'search', mode: 'direct' },
          { name: 'work', mode: 'queued' },
        ],
        ...NOTHING,
        refused: [{ kind: 'tool', name: 'broken', reason: expect.stringMatching(/./) }],
        pace: NO_RUNS,
      },
      {
        name: 'Second',
        available: true,
        trust: 'external',
        connector: 'native',
        tools: [{ name: 'sum', mode: 'queued' }],
        ...NOTHING,
        refused: [],
        pace: NO_RUNS,
      },
    ])
  })

  test('shows an agent only to those who may call one of its tools, and only those tools', async () => {
    expect(await agentsOf('oneTool')).toMatchObject([{ name: 'First', tools: [{ name: 'search' }], refused: [] }])
    expect(await agentsOf('oneAgent')).toMatchObject([{ name: 'Second', tools: [{ name: 'sum' }] }])
    expect(await agentsOf('reader')).toEqual([])
  })

  test('says why an agent is away, and keeps its tools', async () => {
    await second.goDown()
    const away = await eventually(async () => (await agentsOf('oneAgent')).find(({ available }) => !available))
    expect(away).toMatchObject({ name: 'Second', reason: expect.stringMatching(/./), tools: [{ name: 'sum' }] })
  })

  test('needs a key, and is only read', async () => {
    expectProblem(await getJson(hub.url, '/agents'), 'UNAUTHENTICATED')
    expectProblem(await postJson(hub.url, '/agents', {}, as('alice')), 'METHOD_NOT_ALLOWED')
  })
})
