import { setMaxListeners } from 'node:events'
import { afterEach, describe, expect, test } from '@jest/globals'
import { HubError } from '@synchub/protocol'
import { type Errand, type ErrandDeskOptions, openErrandDesk, takeErrands } from '../../src/index.js'
import { atEnd, closeAll } from '../place/cleanup.js'
import type { RedisPlace } from '../place/redis-place.js'
import { findKeys, openTestStore, sever, type TestStore } from '../place/test-store.js'

const NEVER = new AbortController().signal
// Many reads at a time listen to it.
setMaxListeners(0, NEVER)

const contentsOf = (text: string) => ({ contents: [{ uri: 'note://1', text }] })

/** How hubs have dispatchers read what only these can reach. */
export function describeErrands(place: RedisPlace): void {
  afterEach(closeAll)

  describe('an errand', () => {
    test('comes back with what was read, whatever its size and its signs', async () => {
      const store = await openTestStore(place)
      const text = `안녕 🎉\u2028${'x'.repeat(9_000_000)}`
      const taken: Errand[] = []
      await openTaker(store, async (errand) => {
        taken.push(errand)
        return contentsOf(text)
      })
      const desk = await openDesk(store)
      expect(await desk.readerOf('Github').readResource({ uri: 'note://1' }, NEVER)).toEqual(contentsOf(text))
      expect(taken).toEqual([
        { agent: 'Github', read: { kind: 'resource', query: { uri: 'note://1' } }, hubId: 'hub-1', waitMs: 5_000 },
      ])
      expect(await findKeys(store.link, `${store.prefix}:errand*`)).toEqual([])
    })

    test('is done by one dispatcher of several, and answered to the hub that gave it', async () => {
      const store = await openTestStore(place)
      const done: string[] = []
      for (const name of ['first', 'second', 'third']) {
        await openTaker(store, async ({ read }) => {
          done.push(`${name} ${JSON.stringify(read)}`)
          return { values: [JSON.stringify(read)] }
        })
      }
      const desks = await Promise.all([openDesk(store), openDesk(store, { hubId: 'hub-2' })])
      const ask = (desk: number, value: string) =>
        desks[desk]
          ?.readerOf('Github')
          .complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value } }, NEVER)
      const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at % 2, String(at))))
      for (const [at, answer] of answers.entries()) expect(answer?.values[0]).toContain(`"value":"${at}"`)
      expect(done).toHaveLength(20)
    })

    test('tells the failure with its code, its reason and its place', async () => {
      const store = await openTestStore(place)
      await openTaker(store, async () => {
        throw new HubError('INVALID_PARAMS', 'arguments.who must be given', {
          path: 'arguments.who',
          expected: 'given',
        })
      })
      const desk = await openDesk(store)
      await expect(desk.readerOf('Github').getPrompt({ name: 'greet' }, NEVER)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        reason: 'arguments.who must be given',
        details: { path: 'arguments.who' },
      })
    })

    test('fails soon where no dispatcher takes it, and is then taken by none', async () => {
      const store = await openTestStore(place)
      const desk = await openDesk(store, { takeWithinMs: 20 })
      await expect(desk.readerOf('Github').readResource({ uri: 'note://1' }, NEVER)).rejects.toMatchObject({
        code: 'AGENT_UNAVAILABLE',
        reason: expect.stringMatching(/^no dispatcher took the request to Github/),
        details: { nextStep: expect.stringMatching(/Start a dispatcher/) },
      })
      expect(await findKeys(store.link, `${store.prefix}:errand*`)).toEqual([])
      // A dispatcher that does not have the agent leaves it to others.
      await openTaker(store, async () => contentsOf('taken'))
      await expect(desk.readerOf('Elsewhere').readResource({ uri: 'note://1' }, NEVER)).rejects.toMatchObject({
        reason: expect.stringMatching(/^no dispatcher took the request to Elsewhere/),
      })
    })

    test('is announced again to a dispatcher that was not listening', async () => {
      const store = await openTestStore(place)
      const desk = await openDesk(store)
      const reading = desk.readerOf('Github').readResource({ uri: 'note://1' }, NEVER)
      const dispatcher = await openTestStore(place, { prefix: store.prefix })
      await openTaker(dispatcher, async () => contentsOf('late'))
      expect(await reading).toEqual(contentsOf('late'))
    })

    test('finds its answer when the word of it was lost', async () => {
      const store = await openTestStore(place)
      const dispatcher = await openTestStore(place, { prefix: store.prefix })
      await openTaker(dispatcher, async () => {
        await sever(store.link.subscriber)
        return contentsOf('found')
      })
      const desk = await openDesk(store)
      expect(await desk.readerOf('Github').readResource({ uri: 'note://1' }, NEVER)).toEqual(contentsOf('found'))
    })

    test('has an end when the dispatcher does not answer, or nobody waits for it any more', async () => {
      const store = await openTestStore(place)
      const givenUp: string[] = []
      await openTaker(store, (errand, signal) => {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            givenUp.push(errand.agent)
            reject(new HubError('AGENT_UNAVAILABLE', 'the agent did not answer in time'))
          })
        })
      })
      const late = expect.objectContaining({ code: 'AGENT_UNAVAILABLE', reason: 'the agent did not answer in time' })
      const desk = await openDesk(store, { waitMs: 100 })
      await expect(desk.readerOf('Slow').readResource({ uri: 'note://1' }, NEVER)).rejects.toEqual(late)
      const abort = new AbortController()
      const patient = await openDesk(store, { hubId: 'hub-2' })
      const reading = patient.readerOf('Slow').readResource({ uri: 'note://1' }, abort.signal)
      abort.abort()
      await expect(reading).rejects.toEqual(late)
      expect(givenUp).toEqual(['Slow'])
    })

    test('that runs is given up and answered when its dispatcher stops', async () => {
      const store = await openTestStore(place)
      let begin = () => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const taker = await openTaker(store, (_errand, signal) => {
        begin()
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new HubError('AGENT_UNAVAILABLE', 'the dispatcher stops')))
        })
      })
      const desk = await openDesk(store)
      const reading = desk.readerOf('Github').readResource({ uri: 'note://1' }, NEVER)
      await begun
      const [outcome] = await Promise.allSettled([reading, taker.stop()])
      expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'the dispatcher stops' } })
    })
  })
}

async function openTaker(
  { link, subscriptions }: TestStore,
  perform: (errand: Errand, signal: AbortSignal) => Promise<unknown>,
) {
  const onFailure = (thrown: unknown) => {
    throw thrown
  }
  const accepts = (agent: string) => agent !== 'Elsewhere'
  const taker = await takeErrands(link, subscriptions, { accepts, perform, onFailure })
  atEnd(() => taker.stop())
  return taker
}

async function openDesk({ link, subscriptions }: TestStore, own: Partial<ErrandDeskOptions> = {}) {
  const desk = await openErrandDesk(link, subscriptions, { hubId: 'hub-1', takeWithinMs: 2_000, waitMs: 5_000, ...own })
  atEnd(() => desk.close())
  return desk
}
