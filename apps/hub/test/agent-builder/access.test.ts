import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hashApiKey } from '@synchub/auth'
import type { JsonObject } from '@synchub/protocol'
import { closeAll } from '../cleanup.js'
import { callTool, request } from '../hub-requests.js'
import { openPlace } from '../running-hub.js'
import { ask, callOnPath, REVISION } from './path-requests.js'
import { manifestTool, serveToolService, type ToolService } from './tool-service.js'

const keyOf = (name: string, scopes: readonly string[]): JsonObject => ({
  name,
  sha256: hashApiKey(`key-of-${name}`),
  tenant: 'acme',
  agent: 'AgentBuilder',
  scopes,
})
const as = (name: string) => ({ Authorization: `Bearer key-of-${name}` })

let service: ToolService
let hub: string

beforeAll(async () => {
  service = await serveToolService([manifestTool('search'), manifestTool('leave')])
  const path = { name: 'hr', url: service.url, manifest: 'manifest.json' }
  const keys = [
    keyOf('whole', ['tools:call:hr']),
    keyOf('part', ['tools:call:search']),
    keyOf('none', ['tools:call:it']),
  ]
  const place = await openPlace({ publicPaths: { '/hr': path }, access: { mode: 'keys', keys } })
  hub = (await place.startHub()).url
})
afterAll(closeAll)

describe('a public path of a hub with keys', () => {
  test('answers nobody without one, in its own form', async () => {
    const answer = await ask(`${hub}/hr`, request('tools/list'))
    expect([answer.status, answer.body.id, answer.body.error?.data.title]).toEqual([401, null, 'UNAUTHENTICATED'])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(answer.body.error?.data.guid).toBe(answer.headers.get('guid'))
  })

  test('shows and runs what the key may call, by the name of the path or of the tool', async () => {
    const listed = async (name: string) => {
      const { body } = await ask(`${hub}/hr`, request('tools/list'), { ...REVISION, ...as(name) })
      return ((body.result?.tools ?? []) as readonly JsonObject[]).map((tool) => tool.name)
    }
    expect([await listed('whole'), await listed('part'), await listed('none')]).toEqual([
      ['leave', 'search'],
      ['search'],
      [],
    ])
    const titles: unknown[] = []
    for (const [name, tool] of [
      ['whole', 'leave'],
      ['part', 'search'],
      ['part', 'leave'],
      ['none', 'search'],
    ] as const) {
      const { status, body } = await callOnPath(`${hub}/hr`, tool, { query: 'x' }, as(name))
      titles.push([status, body.error?.data.title ?? 'ok'])
    }
    expect(titles).toEqual([
      [200, 'ok'],
      [200, 'ok'],
      [200, 'FORBIDDEN'],
      [200, 'FORBIDDEN'],
    ])
    expect(service.calls).toHaveLength(2)
  })

  test('cannot be reached by way of another surface', async () => {
    const before = service.calls.length
    for (const [name, meta] of [
      ['search', {}],
      ['hr.search', {}],
      ['search', { targetAgent: 'hr' }],
    ] as const) {
      const answer = await callTool(hub, name, { query: 'x' }, meta, as('whole'))
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    expect(service.calls).toHaveLength(before)
  })
})
