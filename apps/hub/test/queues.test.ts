import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { QueueList } from '@synchub/protocol'
import { closeAll } from './cleanup.js'
import { getJson, startCall } from './hub-requests.js'
import { as, OWNED_ACCESS } from './owners.js'
import { expectProblem } from './problem.js'
import { type RunningHub, runHub } from './running-hub.js'
import { openStream, serveScript, toolOf } from './scripted-agent.js'
import { eventually } from './until.js'

const SECRET = 'the-argument-that-no-queue-holds'

let hub: RunningHub

beforeAll(async () => {
  const busy = await serveScript([toolOf('work')], (res) => openStream(res))
  const idle = await serveScript([toolOf('rest')])
  hub = await runHub({
    agents: { Busy: { url: busy.url, concurrency: 1 }, Idle: { url: idle.url } },
    access: OWNED_ACCESS,
  })
  for (let at = 0; at < 3; at++) await startCall(hub.url, 'work', { SECRET }, {}, as('alice'))
})

afterAll(closeAll)

const board = (path: string, who: string, init: RequestInit = {}) =>
  fetch(`${hub.url}/queues/board${path}`, { ...init, headers: as(who) })

describe('the queues of agents', () => {
  test('tell how much waits and runs, to those with the scope alone', async () => {
    const depths = await eventually(async () => {
      const { queues } = (await getJson<QueueList>(hub.url, '/queues', as('queueWatcher'))).body
      return queues[0]?.active === 1 ? queues : undefined
    })
    expect(depths).toEqual([
      { agent: 'Busy', waiting: 2, active: 1, delayed: 0 },
      { agent: 'Idle', waiting: 0, active: 0, delayed: 0 },
    ])
    expectProblem(await getJson(hub.url, '/queues', as('operator')), 'FORBIDDEN')
  })

  test('are shown by a board that asks no other site for anything', async () => {
    const page = await board('/', 'queueWatcher')
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).not.toMatch(/https?:|<style| style=/)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
    const [script = ''] = /static\/js\/main[^"]+/.exec(html) ?? []
    expect((await board(`/${script}`, 'queueWatcher')).status).toBe(200)
  })

  test('are shown with the ids of calls and nothing of their arguments', async () => {
    const shown = await (await board('/api/queues?activeQueue=agent-Busy&status=latest', 'queueWatcher')).text()
    expect(JSON.parse(shown)).toMatchObject({
      queues: [{ name: 'agent-Busy', readOnlyMode: true }, { name: 'agent-Idle' }],
    })
    expect(shown).toMatch(/"callId":"[0-9a-f-]{36}"/)
    expect(shown).not.toContain(SECRET)
  })

  test('are changed by nobody, whatever the method says', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await board('/api/queues/agent-Busy/empty', 'queueWatcher', { method })).status).toBe(405)
    }
  })

  test('are kept from those without the scope, and from strangers to the hub', async () => {
    for (const path of ['/', '/api/queues', '/static/favicon.ico']) {
      expect((await board(path, 'operator')).status).toBe(403)
      expect((await fetch(`${hub.url}/queues/board${path}`)).status).toBe(401)
    }
  })
})
