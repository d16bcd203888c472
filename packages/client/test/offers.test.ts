import { describe, expect, test } from '@jest/globals'
import { createClient } from '../src/index.js'
import { failureCode, sendJson, sendResult } from './hub-answers.js'
import { scriptedHubs } from './scripted-hub.js'

const startHub = scriptedHubs()

describe('what agents offer beside tools', () => {
  test('is asked for by MCP without a session, names and all', async () => {
    const contents = [{ uri: 'report://보고서', mimeType: 'text/plain', text: 'found' }]
    const at = await startHub((_request, response) => sendResult(response, { resultType: 'complete', contents }))
    expect(await createClient({ baseUrl: at.url }).readResource('report://보고서')).toEqual({ contents })
    expect(at.requests[0]).toMatchObject({ path: '/mcp', body: { method: 'resources/read' } })
    expect(at.requests[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
      'mcp-name': expect.stringMatching(/^=\?base64\?/),
    })
  })

  test('lists prompts of all pages, and fills one in', async () => {
    const at = await startHub(({ body }, response) => {
      if (body.method === 'prompts/get') {
        return sendResult(response, { messages: [{ role: 'user', content: { type: 'text', text: 'Write' } }] })
      }
      const isFirst = body.params?.cursor === undefined
      return sendResult(
        response,
        isFirst ? { prompts: [{ name: 'a' }], nextCursor: 'n' } : { prompts: [{ name: 'b' }] },
      )
    })
    const client = createClient({ baseUrl: at.url })
    expect(await client.prompts()).toEqual([{ name: 'a' }, { name: 'b' }])
    const filled = await client.prompt('a', { topic: 'queues' })
    expect(filled.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Write' } }])
    expect(at.requests[2]?.body.params).toMatchObject({ name: 'a', arguments: { topic: 'queues' } })
  })

  test('is taken for nothing where it is not whole, and keeps the failures of the hub', async () => {
    const missing = { code: -32602, message: 'there is no resource', data: { title: 'NOT_FOUND', detail: 'none' } }
    const at = await startHub((_request, response, index) => {
      if (index === 0) sendResult(response, { messages: [{ role: 'system', content: {} }] })
      else if (index === 1) sendResult(response, { contents: 'text' })
      else sendJson(response, 200, { jsonrpc: '2.0', id: 1, error: missing })
    })
    const client = createClient({ baseUrl: at.url })
    expect(await failureCode(client.prompt('a', {}))).toBe('CONTRACT_BROKEN')
    expect(await failureCode(client.readResource('report://x'))).toBe('CONTRACT_BROKEN')
    expect(await failureCode(client.readResource('report://x'))).toBe('NOT_FOUND')
  })
})
