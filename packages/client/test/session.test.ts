import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import { sendError, sendJson } from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

const SESSION = { access: 'keys', tenant: 'acme', subject: 'alice', agent: 'Dashboard', scopes: ['tools:call'] }

describe('a session', () => {
  test('is opened with the key in a header, never in path or body', async () => {
    const at = await startHub((_request, response) => sendJson(response, 200, SESSION))
    expect(await createClient({ baseUrl: at.url }).signIn('key-1')).toEqual(SESSION)
    const [request] = at.requests
    expect(request).toMatchObject({ method: 'POST', path: '/session', body: {} })
    expect(request?.headers.authorization).toBe('Bearer key-1')
    expect(request?.query.toString()).toBe('')
  })

  test('says who one is, and is ended', async () => {
    const at = await startHub(({ method }, response) => {
      if (method === 'GET') sendJson(response, 200, SESSION)
      else response.writeHead(204).end()
    })
    const client = createClient({ baseUrl: at.url })
    expect(await client.session()).toEqual(SESSION)
    await client.signOut()
    expect(at.requests.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
  })

  test('is not there for a page that has not signed in', async () => {
    const at = await startHub((_request, response) => sendError(response, 'UNAUTHENTICATED'))
    await expect(createClient({ baseUrl: at.url }).session()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})

describe('the pages of a log', () => {
  const event = (seq: number) => ({
    id: `${seq}-a`,
    event: 'progress',
    data: { seq, at: '2026-01-01T00:00:00Z', traceId: 't', callId: 'c', tool: 'x', progress: seq },
  })

  test('come in order to the end of the log, from where they are asked for', async () => {
    const at = await startHub(({ query }, response) => {
      const first = query.get('from') === '3-a'
      if (first) sendJson(response, 200, { items: [event(3), event(4)], nextCursor: '4-a' })
      else sendJson(response, 200, { items: query.get('after') === '4-a' ? [event(5)] : [] })
    })
    const seqs: number[] = []
    for await (const page of createClient({ baseUrl: at.url }).eventPages('t', { from: '3-a', owner: 'alice' })) {
      seqs.push(...page.map(({ data }) => data.seq))
    }
    expect(seqs).toEqual([3, 4, 5])
    expect(at.requests.map(({ query }) => query.get('owner'))).toEqual(['alice', 'alice', 'alice'])
  })
})
