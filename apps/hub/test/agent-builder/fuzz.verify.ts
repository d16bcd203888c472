import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { openPlace } from '../running-hub.js'
import { judgeAnswer, oddities } from './fuzz.js'
import { manifestTool, serveToolService } from './tool-service.js'

const MESSAGES = 20_000
/** Messages under way at the same time. */
const AT_ONCE = 20

let address: string

beforeAll(async () => {
  const { url } = await serveToolService([manifestTool('search')])
  const place = await openPlace({ publicPaths: { '/hr': { name: 'hr', url, manifest: 'manifest.json' } } })
  address = `${(await place.startHub()).url}/hr`
})

afterAll(closeAll)

test('whatever is sent to a public path, twenty thousand times and several at once, is answered as is agreed', async () => {
  const batches = fc.array(oddities, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const faults = await Promise.all(batch.map((oddity) => judgeAnswer(address, oddity)))
      expect(faults.filter((fault) => fault !== undefined)).toEqual([])
    }),
    { numRuns: MESSAGES / AT_ONCE, endOnFailure: true },
  )
}, 240_000)
