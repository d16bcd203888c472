import { describe, expect, test } from '@jest/globals'
import { encodeSseEvent } from '@synchub/protocol'
import { type ChangeItem, createClient } from '../src/index.js'
import { openStream, sendError } from './hub-answers.js'
import { type ScriptedHub, scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

const NOTICE = { traceId: 't', owner: 'alice', seq: 3, state: 'running' }
const change = (seq: number) => encodeSseEvent({ event: 'change', data: JSON.stringify({ ...NOTICE, seq }) })

async function take(count: number, at: ScriptedHub): Promise<ChangeItem[]> {
  const items: ChangeItem[] = []
  for await (const item of createClient({ baseUrl: at.url }).changes()) {
    items.push(item)
    if (items.length === count) break
  }
  return items
}

describe('changes', () => {
  test('tell when they are listened to, what changes, and when notices were lost', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.write(change(3) + encodeSseEvent({ event: 'reset', data: '{"reason":"overflow"}' }) + change(4))
    })
    expect(await take(4, at)).toEqual([
      { kind: 'open' },
      { kind: 'change', ...NOTICE },
      { kind: 'lost', reason: 'overflow' },
      { kind: 'change', ...NOTICE, seq: 4 },
    ])
    expect(at.requests[0]).toMatchObject({ path: '/events', headers: { accept: 'text/event-stream' } })
  })

  test('are listened to again after a cut, and say so: what came meanwhile is in the list alone', async () => {
    const at = await startHub((_request, response, index) => {
      openStream(response)
      if (index === 0) response.end(change(3))
      else response.write(change(9))
    })
    expect((await take(4, at)).map(({ kind }) => kind)).toEqual(['open', 'change', 'open', 'change'])
  })

  test('pass over what a later version tells', async () => {
    const at = await startHub((_request, response) => {
      openStream(response)
      response.write(encodeSseEvent({ event: 'approval', data: '{}' }) + change(5))
    })
    expect((await take(2, at)).map(({ kind }) => kind)).toEqual(['open', 'change'])
  })

  test('fail at once for a page that has not signed in', async () => {
    const at = await startHub((_request, response) => sendError(response, 'UNAUTHENTICATED'))
    await expect(take(1, at)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})
