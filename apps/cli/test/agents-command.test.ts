import { describe, expect, test } from '@jest/globals'
import { runCommandLine } from './command-line.js'
import { answerError, answerJson } from './hub-script.js'
import { playedHubs } from './scripted-hub.js'

const startHub = playedHubs()

const AGENTS = [
  {
    name: 'SyncBoot',
    available: true,
    trust: 'local',
    connector: 'native',
    tools: [
      { name: 'generate', mode: 'direct' },
      { name: 'verify', mode: 'queued' },
    ],
    resources: [{ uri: 'schema://syncboot/domain/A', name: 'A' }],
    resourceTemplates: [{ uriTemplate: 'schema://syncboot/domain/{domain}', name: 'Schemas' }],
    prompts: [{ name: 'review' }, { name: '검토' }],
    refused: [],
  },
  {
    name: 'Github',
    available: false,
    reason: 'it refuses\u001b[31m connections',
    trust: 'external',
    connector: 'mcp-stdio',
    tools: [],
    resources: Array.from({ length: 12 }, (_, at) => ({ uri: `repo://${at}`, name: `Repository ${at}` })),
    resourceTemplates: [],
    prompts: [],
    refused: [
      { kind: 'tool', name: 'search', reason: 'its schema is none' },
      { kind: 'prompt', reason: 'prompts/list cannot be read' },
    ],
  },
]

describe('synchub agents', () => {
  test('lists agents with their tools, resources and prompts apart, and says what is wrong with them', async () => {
    const at = await startHub((_request, response) => answerJson(response, { agents: AGENTS }))
    const { code, stdout } = await runCommandLine(['agents'], at.env)
    expect(stdout.trimEnd().split('\n')).toEqual([
      'AGENT     STATE      TRUST     CONNECTOR  TOOL      MODE',
      'SyncBoot  available  local     native     generate  direct',
      '                                          verify    queued',
      'Github    away       external  mcp-stdio  -         -',
      'Github is away: it refuses connections',
      'Github: tool search refused: its schema is none',
      'Github: prompt refused: prompts/list cannot be read',
      '',
      'AGENT     RESOURCE                           NAME',
      'SyncBoot  schema://syncboot/domain/{domain}  Schemas',
      '          schema://syncboot/domain/A         A',
      'Github    repo://0                           Repository 0',
      ...Array.from(
        { length: 9 },
        (_, index) => `          repo://${index + 1}                           Repository ${index + 1}`,
      ),
      '          and 2 more: --json lists all',
      '',
      'AGENT     PROMPT',
      'SyncBoot  review',
      '          검토',
    ])
    expect(code).toBe(0)
    expect(at.requests.map(({ path }) => path)).toEqual(['/agents'])
  })

  test('prints one JSON object for each agent with --json', async () => {
    const at = await startHub((_request, response) => answerJson(response, { agents: AGENTS }))
    const { stdout } = await runCommandLine(['agents', '--json'], at.env)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(AGENTS)
  })

  test('says that there is none, which is no failure, and fails where it is refused', async () => {
    const empty = await startHub((_request, response) => answerJson(response, { agents: [] }))
    expect(await runCommandLine(['agents'], empty.env)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'there is no agent that you may use\n',
    })
    const closed = await startHub((_request, response) => answerError(response, 'UNAUTHENTICATED'))
    expect((await runCommandLine(['agents'], closed.env)).code).toBe(3)
  })
})
