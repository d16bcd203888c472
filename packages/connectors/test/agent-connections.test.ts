import { afterEach, describe, expect, test } from '@jest/globals'
import { parseConfig } from '@synchub/core'
import { connectAgents } from '../src/index.js'
import { atEnd, closeAll } from './cleanup.js'
import { callTool } from './seen-call.js'

const url = 'http://127.0.0.1:9/mcp'
const CONFIG = {
  agents: {
    Native: { url },
    Mcp: { connector: 'mcp-http', url },
    Child: { connector: 'mcp-stdio', command: '/nowhere/server' },
    Service: { connector: 'tool-service', url, manifest: 'manifest.json' },
  },
}

function connect(mayStartProcesses: boolean, notices: string[] = []) {
  const { agents } = parseConfig({ text: JSON.stringify(CONFIG), file: 'test.config.json', environment: {} })
  const notice = (agent: string, reason: string) => notices.push(`${agent}: ${reason}`)
  const connections = connectAgents([...agents.values()], { mayStartProcesses, notice })
  atEnd(() => connections.close())
  return connections
}

afterEach(closeAll)

describe('connectAgents', () => {
  test('connects each agent by its connector', async () => {
    const connections = connect(true)
    for (const agent of Object.keys(CONFIG.agents)) {
      const connection = connections.get(agent)
      if (connection === undefined) throw new Error(`${agent} is not connected`)
      expect((await callTool(connection, 'work')).outcome).toMatchObject({ kind: 'unreachable' })
    }
    expect(connections.get('Nobody')).toBeUndefined()
  })

  test('leaves agents that are child processes to those who may start some', () => {
    const connections = connect(false)
    expect(connections.get('Child')).toBeUndefined()
    expect(connections.get('Mcp')).toBeDefined()
  })
})
