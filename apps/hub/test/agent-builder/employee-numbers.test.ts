import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { askRaw } from '../raw-connection.js'
import { type HubPlace, openPlace } from '../running-hub.js'
import { dumpStore } from '../store-dump.js'
import { callOnPath, firstItem } from './path-requests.js'
import { manifestTool, serveToolService, type ToolService } from './tool-service.js'

let service: ToolService
let place: HubPlace
let address: string

beforeAll(async () => {
  // A tool that tells back whom it was asked for, as many do.
  service = await serveToolService([manifestTool('whoami')], (res, { headers }) => {
    const shown = Buffer.from([headers['employee-no'], headers['virtual-employee-no']].join(' '), 'latin1')
    res.writeHead(200, { 'Content-Type': 'text/plain' }).end(shown)
  })
  place = await openPlace({ publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } } })
  address = `${(await place.startHub()).url}/hr`
})
afterAll(closeAll)

const call = (headers: Readonly<Record<string, string>>) => callOnPath(address, 'whoami', { query: 'x' }, headers)

describe('the numbers of an employee', () => {
  test('reach the tool service as they came, and are written down nowhere', async () => {
    const bytes = Buffer.from('가상-4711-사원', 'utf8').toString('latin1')
    const answer = await call({
      'employee-no': 'E=4711/;"x"',
      'virtual-employee-no': bytes,
      guid: '00000000-0000-4000-8000-000000000001',
    })
    expect(service.calls.at(-1)?.headers).toMatchObject({ 'employee-no': 'E=4711/;"x"', 'virtual-employee-no': bytes })
    // The caller's answer is whole; what is kept of it is not.
    expect(firstItem(answer).text).toBe('E=4711/;"x" 가상-4711-사원')
    const kept = [...(await dumpStore(place)), ...place.logs].join('\n')
    expect(kept).toContain('[redacted] [redacted]')
    for (const part of ['4711', '가상', bytes]) expect(kept).not.toContain(part)
  })

  test('are no part of the identity of a call: nothing is made up where they are absent', async () => {
    await call({})
    const { headers } = service.calls.at(-1) ?? {}
    expect(headers).not.toHaveProperty('employee-no')
    expect(headers).not.toHaveProperty('virtual-employee-no')
  })

  test('may be 2048 characters long', async () => {
    const longest = 'x'.repeat(2048)
    expect((await call({ 'employee-no': longest })).body.result).toMatchObject({ isError: false })
    expect(service.calls.at(-1)?.headers['employee-no']).toBe(longest)
  })

  test.each<[string, string]>([
    ['a blank within', 'E 4711'],
    ['a tab within', 'E\t4711'],
    ['nothing', ''],
    ['2049 characters', 'x'.repeat(2049)],
    ['a blank of another kind', Buffer.from('E\u00a04711').toString('latin1')],
    ['a control character', Buffer.from('E\u00854711').toString('latin1')],
    ['bytes that are no text', '\u00ff4711'],
  ])('refuse the request without the tool service hearing of it when they are %s', async (_, value) => {
    for (const name of ['employee-no', 'virtual-employee-no']) {
      const before = service.calls.length
      const answer = await call({ [name]: value })
      expect([answer.status, answer.body.id, answer.body.error?.code]).toEqual([200, 'request-1', -32600])
      expect(answer.body.error?.message).toContain(`the header ${name} must be 1 to 2048 printable characters`)
      expect(value !== '' && JSON.stringify(answer.body).includes(value)).toBe(false)
      expect(service.calls).toHaveLength(before)
    }
  })

  test('cannot bring a header of their own along', async () => {
    const { host } = new URL(address)
    const before = service.calls.length
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: { query: 'x' } },
    })
    const head = (value: string) => [
      'POST /hr HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/json',
      'MCP-Protocol-Version: 2025-11-25',
      `Content-Length: ${body.length}`,
      `employee-no: ${value}`,
    ]
    const folded = await askRaw(address, head('E1\r\n x-admin: yes'), body)
    expect([folded.status === 400 || folded.body.includes('-32600'), service.calls.length]).toEqual([true, before])
    const twice = await askRaw(address, [...head('E1'), 'employee-no: E2'], body)
    expect(twice.body).toContain('-32600')
    expect(service.calls).toHaveLength(before)
  })
})
