import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { CallChange } from '@synchub/core'
import {
  createClientSessions,
  createHeldQuestions,
  createRequestCancels,
  listenForReplies,
  readStateKey,
} from '../../src/index.js'
import { recordRunning } from '../call/sample-call.js'
import { atEnd, closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore } from '../place/test-store.js'

const REQUESTS = { who: { method: 'elicitation/create', params: {} }, where: { method: 'roots/list' } }

const fail = (thrown: unknown) => {
  throw thrown
}

/** What is kept of the clients of MCP: their sessions, what they are asked, and the cancels that hubs pass on. */
export function describeClients(place: RedisPlace): void {
  afterEach(closeAll)

  describe('the session of a client', () => {
    test('is found by every hub, changed part by part, and gone once ended', async () => {
      const { link, prefix, subscriptions } = await openTestStore(place)
      const other = await openTestStore(place, { prefix })
      const here = createClientSessions(link, subscriptions, 3, fail)
      const there = createClientSessions(other.link, other.subscriptions, 3, fail)
      const opened = { tenant: 't', subject: 's', capabilities: { elicitation: {} } }
      await here.open('secret-id', opened)
      expect(await there.find('secret-id')).toEqual({ ...opened, resourceUris: [] })
      await there.setLogLevel('secret-id', 'info')
      await there.addResource('secret-id', 'trace://a')
      await there.addResource('secret-id', 'trace://b')
      await here.removeResource('secret-id', 'trace://a')
      expect(await here.find('secret-id')).toEqual({ ...opened, logLevel: 'info', resourceUris: ['trace://b'] })
      const keys = await findKeys(link, `${prefix}:*`)
      expect(keys.join()).not.toContain('secret-id')
      expect(await link.commands.pttl(keys[0] ?? '')).toBeGreaterThan(0)
      await there.end('secret-id')
      expect(await here.find('secret-id')).toBeNull()
    })

    test('is announced by its name to every hub when it is changed or ended', async () => {
      const first = await openTestStore(place)
      const second = await openTestStore(place, { prefix: first.prefix })
      const [here, there] = [first, second].map(({ link, subscriptions }) =>
        createClientSessions(link, subscriptions, 3, fail),
      )
      const heard: string[] = []
      const told = new Promise<void>((resolve) => {
        there?.listen((name) => {
          if (heard.push(name) === 4) resolve()
        })
      })
      await second.subscriptions.add('ready', () => undefined)
      await here?.open('secret-id', { tenant: 't', subject: 's', capabilities: {} })
      await here?.setLogLevel('secret-id', 'info')
      await here?.addResource('secret-id', 'trace://a')
      await here?.removeResource('secret-id', 'trace://a')
      await here?.end('secret-id')
      await told
      expect(new Set(heard)).toEqual(new Set([there?.nameOf('secret-id')]))
      expect(heard.join()).not.toContain('secret-id')
    })

    test('that is unused for longest ends when its caller opens more than it may have', async () => {
      const { link, subscriptions } = await openTestStore(place)
      const sessions = createClientSessions(link, subscriptions, 3, fail)
      const open = (id: string, subject: string) => sessions.open(id, { tenant: 't', subject, capabilities: {} })
      const isThere = async (id: string) => (await sessions.find(id)) !== null
      const heard: string[] = []
      sessions.listen((name) => heard.push(name))
      await open('other', 'another')
      for (const id of ['one', 'two', 'three']) {
        await open(id, 's')
        // Sessions of the same millisecond have no order.
        for (const openedAtMs = Date.now(); Date.now() === openedAtMs; ) await nextTurn()
      }
      expect(await isThere('one')).toBe(true)
      await open('four', 's')
      expect([await isThere('one'), await isThere('two'), await isThere('three'), await isThere('four')]).toEqual([
        true,
        false,
        true,
        true,
      ])
      expect(await isThere('other')).toBe(true)
      // One that was ended has its place free.
      await sessions.end('four')
      await open('five', 's')
      expect([await isThere('one'), await isThere('three'), await isThere('five')]).toEqual([true, true, true])
      expect(heard).toContain(sessions.nameOf('two'))
    })

    test('that is over does not come back with a change', async () => {
      const { link, subscriptions } = await openTestStore(place)
      const sessions = createClientSessions(link, subscriptions, 3, fail)
      await sessions.setLogLevel('none', 'info')
      expect(await sessions.find('none')).toBeNull()
    })
  })

  describe('a question that is held', () => {
    test('is found until it is taken, which it is once, whoever asks for it', async () => {
      const questions = createHeldQuestions((await openTestStore(place)).link)
      const held = { requests: REQUESTS, agentState: 'opaque' }
      await questions.hold('ticket', held, 60_000)
      expect([await questions.find('ticket'), await questions.find('ticket')]).toEqual([held, held])
      const taken = await Promise.all([questions.take('ticket'), questions.take('ticket'), questions.take('other')])
      expect(taken.filter((isTaken) => isTaken)).toEqual([true])
      expect(await questions.find('ticket')).toBeNull()
    })
  })

  describe('the key of states', () => {
    test('is the same for every hub of a place, and another after the place was emptied', async () => {
      const { link, prefix } = await openTestStore(place)
      const other = await openTestStore(place, { prefix })
      const keys = await Promise.all([link, other.link, link].map(readStateKey))
      expect(keys.map((key) => key.toString('hex'))).toEqual(Array(3).fill(keys[0]?.toString('hex')))
      expect(keys[0]).toHaveLength(32)
      await link.commands.del(link.keys.stateKey)
      expect(await readStateKey(other.link)).not.toEqual(keys[0])
    })
  })

  describe('the cancel of a request', () => {
    test('reaches every hub with its reason', async () => {
      const first = await openTestStore(place)
      const second = await openTestStore(place, { prefix: first.prefix })
      const heard: string[] = []
      const cancels = [first, second].map(({ link, subscriptions }) => createRequestCancels(link, subscriptions, fail))
      const told = new Promise<void>((resolve) => {
        for (const each of cancels) {
          each.listen((request, reason) => {
            heard.push(`${request}: ${reason}`)
            if (heard.length === 2) resolve()
          })
        }
      })
      await first.subscriptions.add('ready', () => undefined)
      await second.subscriptions.add('ready', () => undefined)
      await cancels[0]?.announce('request', 'no\nmore')
      await told
      expect(heard).toEqual(['request: no\nmore', 'request: no\nmore'])
    })
  })

  describe('a call whose agent asks', () => {
    test('tells those who wait what is open, and keeps question, capabilities and hub', async () => {
      const store = await openTestStore(place)
      const replies = await listenForReplies(store.link, store.subscriptions, store.log, 'hub-1')
      atEnd(() => replies.close())
      const call = await recordRunning(store)
      const waiting = replies.wait(call.callId, new AbortController().signal)
      const question = { requests: REQUESTS, agentState: 'opaque', answers: { where: {} }, ticket: 'x', askedAtMs: 7 }
      const asked: CallChange = {
        call,
        events: [{ event: 'input_requested', data: { inputRequests: REQUESTS } }],
        set: { question, hubId: 'other' },
      }
      expect(await store.log.change(asked)).toMatchObject({ kind: 'changed', state: 'awaiting_input' })
      expect(await waiting).toEqual({ event: 'input_requested', data: { inputRequests: { who: REQUESTS.who } } })
      expect(await store.log.find(call.callId)).toMatchObject({ state: 'awaiting_input', question, hubId: 'other' })
    })

    test('takes answers to the round that is open only, so that of two at once neither undoes the other', async () => {
      const store = await openTestStore(place)
      const other = await openTestStore(place, { prefix: store.prefix })
      const call = await recordRunning(store)
      const question = { requests: REQUESTS, answers: { '"ticket":"b"': {} }, ticket: 'a', askedAtMs: 7 }
      const asked = { event: 'input_requested', data: { inputRequests: REQUESTS } } as const
      await store.log.change({ call, attempt: 1, events: [asked], set: { question } })
      const received = { event: 'input_received', data: { answered: [] } } as const
      const answer = (log: typeof store.log, ticket: string) =>
        log.change({
          call,
          attempt: 1,
          ticket,
          events: [received],
          set: { question: { ...question, ticket: `${ticket}2` } },
        })
      expect(await answer(store.log, 'b')).toEqual({ kind: 'stale' })
      const outcomes = await Promise.all([answer(store.log, 'a'), answer(other.log, 'a')])
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'stale'])
      expect((await answer(store.log, 'a2')).kind).toBe('changed')
    })
  })
}
