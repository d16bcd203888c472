import { startProgram } from '../../processes/program.mjs'
import { fillWithTraces } from '../load/trace-filler.mjs'
import { startGrowingPair } from '../programs/growing-pair.mjs'

const IDLE_TRACES = 1000

/**
 * Whether a call takes longer where more is stored, where more is live, and where more is watched: a system that has grown beside
 * one that has ten traces.
 *
 * @type {import('./list.mjs').Row}
 */
export const growth = {
  id: 'k',
  title: 'time of a call where much is stored, live and watched; beside it: ten traces',
  async measure({ short, room }) {
    const [some, most, live, watchers] = short ? [100, 500, 100, 100] : [10_000, 100_000, 10_000, 10_000]
    const { many, compare } = await startGrowingPair(room, short)
    await fillWithTraces(many.redisUrl, { from: 0, to: some, ended: true })
    const figures = [await compare('stored', `${some} stored traces`)]
    await fillWithTraces(many.redisUrl, { from: some, to: most, ended: true })
    figures.push(await compare('stored-most', `${most} stored traces`))
    await fillWithTraces(many.redisUrl, { from: 0, to: live, ended: false })
    figures.push(await compare('live', `and ${live} live traces`))
    const load = await startProgram(room, 'infra/bench/programs/watchers.mjs')
    const paths = Array.from({ length: watchers }, (_, at) => `/traces/idle-${at % IDLE_TRACES}/events?follow=1`)
    await load.ask({ join: { url: many.url, paths } })
    figures.push(await compare('watched', `and ${watchers} watchers of other traces`))
    return { figures }
  },
}
