import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { closeAll } from '../cleanup.js'
import { openPlace } from '../running-hub.js'
import { judgeAnswer, oddities } from './fuzz.js'
import { manifestTool, serveToolService, type ToolService } from './tool-service.js'

let service: ToolService
let address: string

beforeAll(async () => {
  service = await serveToolService([manifestTool('search')])
  const place = await openPlace({ publicPaths: { '/hr': { name: 'hr', url: service.url, manifest: 'manifest.json' } } })
  address = `${(await place.startHub()).url}/hr`
})

afterAll(closeAll)

test('whatever is sent to a public path has one of the answers that are agreed, under its own id', async () => {
  await fc.assert(
    fc.asyncProperty(oddities, async (oddity) => {
      expect(await judgeAnswer(address, oddity)).toBeUndefined()
    }),
    { numRuns: 400 },
  )
  // What reached the tool had passed its schema.
  expect(service.calls.length).toBeGreaterThan(0)
  for (const { body } of service.calls) expect(typeof (JSON.parse(body) as { query: unknown }).query).toBe('string')
})
