import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type AgentConnection, NO_OFFERS } from '@synchub/core'
import { closeAll, keepAll } from '../cleanup.js'
import { call, callTool } from '../seen-call.js'
import { until } from '../until.js'
import { type AgentUnderTest, CONNECTOR_KINDS } from './connector-kinds.js'

// Agents are processes.
jest.setTimeout(30_000)

const never = new AbortController().signal

/** Waits until the agent can be called, as the hub does by asking again. */
async function comesBack(connection: AgentConnection): Promise<void> {
  await until(async () => (await callTool(connection, 'say')).outcome.kind === 'result', 'the agent answers again')
}

afterEach(closeAll)

// What the hub may rely on, however an agent is reached: a caller cannot tell by which connector (S3.1).
describe.each(CONNECTOR_KINDS)(
  'an agent over $name',
  ({ start, startSecret, toNobody, tellsProgress, givesAccess, offers }) => {
    let agent: AgentUnderTest
    let connection: AgentConnection
    let end: () => Promise<void>

    beforeAll(async () => {
      agent = await start()
      connection = agent.connection
      end = keepAll()
    })

    afterAll(() => end())

    test('lists its tools as they are', async () => {
      const { offers: tools, refused } = await connection.listTools(never)
      expect(refused).toEqual([])
      expect(tools.map(({ name }) => name)).toEqual([
        'echo',
        'say',
        'fail',
        'steps',
        'wait',
        'large',
        'given',
        'due',
        'exit',
      ])
      expect(tools[0]).toEqual({
        name: 'echo',
        title: 'Echo',
        description: 'Answers its arguments.',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
        outputSchema: { type: 'object', properties: { arguments: { type: 'object' } }, required: ['arguments'] },
        annotations: { readOnlyHint: true },
      })
    })

    test('gets its arguments unchanged, and its structured result and text come back so', async () => {
      const args = { city: '서울 🎉', deep: { list: [0, '', null, false, 1.5e-7, { a: [] }] }, 'a.b': ' \n\u2028' }
      const structuredContent = { arguments: args }
      expect((await callTool(connection, 'echo', args)).outcome).toEqual({
        kind: 'result',
        result: {
          content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
          structuredContent,
          isError: false,
        },
      })
      expect((await callTool(connection, 'say')).outcome).toEqual({
        kind: 'result',
        result: { content: [{ type: 'text', text: '안녕 🎉\nhello' }], isError: false },
      })
    })

    test('fails with a result, which is no error', async () => {
      expect((await callTool(connection, 'fail')).outcome).toMatchObject({
        kind: 'result',
        result: { content: [{ type: 'text', text: 'no such city' }], isError: true },
      })
    })

    test('answers with an error for a tool that it does not have', async () => {
      const { outcome } = await callTool(connection, 'nothing')
      expect(outcome.kind).toBe('error')
      expect(outcome).toMatchObject({ error: { code: expect.stringMatching(/^(METHOD_NOT_FOUND|INVALID_PARAMS)$/) } })
    })

    test(`is given ${givesAccess ? 'the' : 'no'} access token of its run`, async () => {
      const accessToken = 'shr_of-this-run.1.secret'
      const given = await call(connection, never, { callId: 'call-given', tool: 'given', accessToken })
      const said = givesAccess ? accessToken : 'none'
      expect(given.outcome).toMatchObject({ kind: 'result', result: { content: [{ text: said }] } })
      expect((await callTool(connection, 'given')).outcome).toMatchObject({ result: { content: [{ text: 'none' }] } })
    })

    test('is told the instant of its deadline', async () => {
      const deadline = '2027-01-01T00:00:00.000Z'
      const told = await call(connection, never, { callId: 'call-due', tool: 'due', deadline })
      expect(told.outcome).toMatchObject({ kind: 'result', result: { content: [{ text: deadline }] } })
    })

    if (tellsProgress) {
      test('tells its progress in order, all of it before the result', async () => {
        const { outcome, progress } = await callTool(connection, 'steps', { steps: 5, label: '단계' })
        expect(outcome).toMatchObject({ kind: 'result', result: { content: [{ text: 'done 단계' }] } })
        // An agent may leave steps out that nobody could have seen, never the last one.
        expect(progress.at(-1)).toEqual({ progress: 5, total: 5, message: '단계 5' })
        const values = progress.map((update) => Number(update.progress))
        expect(values).toEqual(values.toSorted((left, right) => left - right))
      })
    }

    test('keeps calls apart that run at the same time', async () => {
      const labels = Array.from({ length: 8 }, (_, index) => `call ${index}`)
      const seen = await Promise.all(labels.map((label) => callTool(connection, 'steps', { steps: 3, label })))
      for (const [index, { outcome, progress }] of seen.entries()) {
        expect(outcome).toMatchObject({ result: { content: [{ text: `done ${labels[index]}` }] } })
        for (const { message } of progress) expect(message).toMatch(new RegExp(`^${labels[index]} `))
      }
    })

    test('hears of it when nobody waits for its answer any more', async () => {
      const controller = new AbortController()
      const waiting = callTool(connection, 'wait', { label: 'abort' }, controller.signal)
      await agent.notes.has('started abort')
      controller.abort()
      expect((await waiting).outcome).toEqual({ kind: 'aborted' })
      await agent.notes.has('aborted abort')
      expect((await callTool(connection, 'say')).outcome.kind).toBe('result')
    })

    test('hears of a cancel', async () => {
      const args = { label: 'cancel' }
      const waiting = call(connection, never, { callId: 'call-to-cancel', tool: 'wait', arguments: args })
      await agent.notes.has('started cancel')
      await connection.notifyCancelled('call-to-cancel', 'not wanted')
      expect((await waiting).outcome).toMatchObject({
        kind: 'error',
        error: { code: 'CANCELLED', reason: 'not wanted' },
      })
      await agent.notes.has('aborted cancel')
    })

    test('is not asked when nobody waits from the beginning', async () => {
      expect((await callTool(connection, 'wait', { label: 'late' }, AbortSignal.abort())).outcome).toEqual({
        kind: 'aborted',
      })
      await callTool(connection, 'say')
      expect(agent.notes.lines()).not.toContain('started late')
    })

    test('leaves the outcome unknown when it dies, and is reached again once it is back', async () => {
      const waiting = callTool(connection, 'wait', { label: 'death' })
      await agent.notes.has('started death')
      await agent.kill()
      expect((await waiting).outcome).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } })
      await agent.revive()
      await comesBack(connection)
    })

    test('is unreachable when it is not there: nothing was done', async () => {
      const nobody = toNobody()
      const unreachable = { kind: 'unreachable', error: { code: 'AGENT_UNAVAILABLE' } }
      expect((await callTool(nobody, 'say')).outcome).toMatchObject(unreachable)
      await expect(nobody.listTools(never)).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
    })

    test('breaks its contract with an answer larger than the bound', async () => {
      const bounded = agent.connectAgain({ maxBytes: 50_000 })
      expect((await callTool(bounded, 'large', { bytes: 40_000 })).outcome.kind).toBe('result')
      expect((await callTool(bounded, 'large', { bytes: 60_000 })).outcome).toMatchObject({
        kind: 'broken',
        error: { code: 'CONTRACT_BROKEN', reason: expect.stringMatching(/larger than 50000 bytes/) },
      })
      await comesBack(bounded)
    })

    if (startSecret !== undefined) {
      test('is asked with its secret, and unavailable to whoever has another', async () => {
        const { insider, stranger } = await startSecret()
        expect((await callTool(insider, 'say')).outcome.kind).toBe('result')
        await expect(stranger.listTools(never)).rejects.toMatchObject({ code: 'AGENT_UNAVAILABLE' })
      })
    }

    if (offers === 'nothing') {
      test('offers nothing but tools, and says so', async () => {
        expect(await connection.offers.list(never)).toEqual(NO_OFFERS)
        const missing = expect.objectContaining({ code: 'NOT_FOUND' })
        await expect(connection.offers.readResource({ uri: 'note://worker/today' }, never)).rejects.toEqual(missing)
        await expect(connection.offers.getPrompt({ name: 'greet' }, never)).rejects.toEqual(missing)
      })
    } else {
      test('lists its resources, their templates and its prompts as they are', async () => {
        expect(await connection.offers.list(never)).toEqual({
          resources: [{ uri: 'note://worker/today', name: 'Today', mimeType: 'text/plain', size: 12 }],
          resourceTemplates: [
            { uriTemplate: 'note://worker/{id}', name: 'Notes', description: 'By their id.', mimeType: 'text/plain' },
          ],
          prompts: [
            {
              name: 'greet',
              title: 'A greeting',
              description: 'Greets somebody.',
              arguments: [{ name: 'who', description: 'Whom.', required: true }, { name: 'how' }],
            },
          ],
          refused: [],
        })
      })

      test('passes what a resource holds on byte for byte', async () => {
        const mimeType = 'text/plain'
        const text = '안녕 🎉\n\u2028 end'
        expect(await connection.offers.readResource({ uri: 'note://worker/today' }, never)).toEqual({
          contents: [{ uri: 'note://worker/today', mimeType, text }],
        })
        expect(await connection.offers.readResource({ uri: 'note://worker/bytes' }, never)).toEqual({
          contents: [{ uri: 'note://worker/bytes', mimeType, blob: 'AP8K' }],
        })
      })

      test('tells a resource that is not there from a failure', async () => {
        await expect(connection.offers.readResource({ uri: 'note://worker/none' }, never)).rejects.toMatchObject({
          code: 'NOT_FOUND',
        })
      })

      test('fills a prompt, and refuses one with an argument missing', async () => {
        const filled = await connection.offers.getPrompt({ name: 'greet', arguments: { who: '김', how: '' } }, never)
        expect(filled).toEqual({
          description: 'Greets somebody.',
          messages: [{ role: 'user', content: { type: 'text', text: 'Greet 김 .' } }],
        })
        await expect(connection.offers.getPrompt({ name: 'greet' }, never)).rejects.toMatchObject({
          code: 'INVALID_PARAMS',
          reason: expect.stringMatching(/arguments.who/),
        })
      })

      test('completes an argument where it can, and has no values where it cannot', async () => {
        const ref = { type: 'ref/prompt' as const, name: 'greet' }
        const complete = (value: string, context = {}) =>
          connection.offers.complete({ ref, argument: { name: 'who', value }, context }, never)
        const isCompleted = offers === 'completion too'
        const nothing = { values: [], total: 0, hasMore: false }
        expect(await complete('K')).toEqual(isCompleted ? { values: ['Kim', 'Kang'], total: 2 } : nothing)
        expect((await complete('K', { how: 'nobody' })).values).toEqual([])
      })
    }

    test('has nothing to read where it is not there, and does not wait for it for ever', async () => {
      const nobody = toNobody()
      const { refused, ...lists } = await nobody.offers.list(never)
      expect(lists).toEqual({ resources: [], resourceTemplates: [], prompts: [] })
      if (offers === 'nothing') return
      expect(refused.map(({ kind }) => kind)).toEqual(['resource', 'resourceTemplate', 'prompt'])
      await expect(nobody.offers.readResource({ uri: 'note://worker/today' }, never)).rejects.toMatchObject({
        code: 'AGENT_UNAVAILABLE',
      })
      await expect(
        connection.offers.readResource({ uri: 'note://worker/today' }, AbortSignal.abort()),
      ).rejects.toMatchObject({
        code: 'AGENT_UNAVAILABLE',
        reason: 'the agent did not answer in time',
      })
    })

    test('hears of it when its connection is closed', async () => {
      const closed = agent.connectAgain()
      const waiting = callTool(closed, 'wait', { label: 'end' })
      await agent.notes.has('started end')
      await closed.close()
      expect((await waiting).outcome).toMatchObject({ kind: 'lost', error: { code: 'OUTCOME_UNKNOWN' } })
      await agent.notes.has('aborted end')
    })
  },
)
