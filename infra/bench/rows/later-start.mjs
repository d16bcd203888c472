import { join } from 'node:path'
import { startProgram } from '../../processes/program.mjs'
import { medianOf } from '../load/rounds.mjs'
import { oursAtMost } from '../report/goal.mjs'

/**
 * How long a start takes whose packages, build and Redis are there: from the command to the welcome, without npm itself.
 *
 * @type {import('./list.mjs').Row}
 */
export const laterStart = {
  id: 'j',
  title: 'a later start of hub, dispatcher, Redis and four agents',
  async measure({ short, room }) {
    const environment = { PORT: '0', SYNCHUB_DATA_DIR: join(room.folder, 'data') }
    const start = async () => {
      const startedAt = performance.now()
      const program = await startProgram(room, 'infra/launch/start.mjs', {
        environment,
        args: ['--no-demo'],
        readyLine: (line) => (line.includes('SyncHub serves') ? true : undefined),
      })
      const seconds = (performance.now() - startedAt) / 1000
      await program.stop()
      return seconds
    }
    // The first one makes the data folder.
    await start()
    /** @type {number[]} */
    const seconds = []
    for (let round = 0; round < (short ? 1 : 5); round++) seconds.push(await start())
    return {
      figures: [{ ours: medianOf(seconds, (value) => value), peer: null, unit: 's', goal: oursAtMost(5) }],
      lines: [`after ${seconds.map((value) => value.toFixed(1)).join(', ')} s`],
    }
  },
}
