// Shows what SyncHub loses where Redis loses something, and that what is lost is gone as a whole. Prints a line of JSON for each way to lose.
// See docs/RELIABILITY.md, What Redis may lose. Arguments: names of the ways; all where there are none.
import { openRoom } from '../../processes/room.mjs'
import { cutTail } from './cut-tail.mjs'
import { failOver } from './fail-over.mjs'

/** @type {Record<string, (room: import('../../processes/room.mjs').Room) => Promise<object>>} */
const WAYS = {
  'cut-tail': cutTail,
  'fail-over': (room) => failOver(room, false),
  'fail-over-with-min-replicas': (room) => failOver(room, true),
}

const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : Object.keys(WAYS)) {
  const lose = WAYS[name]
  if (lose === undefined) throw new Error(`there is no way to lose named ${name}: ${Object.keys(WAYS).join(', ')}`)
  const room = await openRoom('losses')
  try {
    console.log(JSON.stringify({ name, ...(await lose(room)) }))
  } finally {
    await room.close()
  }
}
