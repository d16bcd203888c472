import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createClient } from '@synchub/client'
import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { openReferencePlace, type ReferencePlace, until } from './reference-place.js'

// Agents are processes.
jest.setTimeout(60_000)

const SCHEMA_URI = 'schema://syncboot/domain/MembershipGrade'

describe('what calls of the reference agents have made', () => {
  let place: ReferencePlace
  let url: string

  beforeAll(async () => {
    place = await openReferencePlace(1)
    url = place.urls[0] ?? ''
  })

  afterAll(async () => {
    await place.stop()
  })

  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body: unknown = await response.json()
    if (isJsonObject(body) && isJsonObject(body.result)) return body.result
    throw new Error(`no result: ${JSON.stringify(body)}`)
  }
  const uris = async () =>
    ((await ask('resources/list')).resources as readonly JsonObject[]).map(({ uri }) => String(uri))

  test('is listed and read by any client: the schema of SyncBoot, the report of SyncInsight', async () => {
    const client = createClient({ baseUrl: url, callerAgent: 'SyncVerse' })
    const [schema, research] = await Promise.all([
      client.call('syncboot_generate_schema', SCHEMA_ARGUMENTS),
      client.call('syncinsight_deep_research', RESEARCH_ARGUMENTS),
    ])
    const [, made] = schema.content as readonly JsonObject[]
    expect(await ask('resources/read', { uri: SCHEMA_URI })).toEqual({ contents: [made?.resource] })

    const { reportId } = research.structuredContent as { readonly reportId: string }
    const reportUri = `report://syncinsight/${reportId}`
    // Before the next round of discovery too: the template makes it.
    expect(await ask('resources/read', { uri: reportUri })).toMatchObject({
      contents: [{ uri: reportUri, mimeType: 'text/markdown', text: expect.stringMatching(/\S/) }],
    })
    await until(async () => (await uris()).includes(reportUri))
    expect(await uris()).toContain(SCHEMA_URI)
    expect((await ask('prompts/list')).prompts).toMatchObject([
      { name: 'weekly_report', _meta: { agent: 'SyncInsight' } },
    ])
  })
})

const SCHEMA_ARGUMENTS = {
  domainName: 'MembershipGrade',
  fields: [{ name: 'gradeCode', type: 'VARCHAR(20)', nullable: false, primaryKey: true }],
}
const RESEARCH_ARGUMENTS = { question: 'How is a trace resumed?', sources: ['readme', 'docs'] }
