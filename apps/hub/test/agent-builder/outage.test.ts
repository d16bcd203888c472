import { afterAll, expect, test } from '@jest/globals'
import { closeAll } from '../cleanup.js'
import { startRedisProxy } from '../redis-proxy.js'
import { openPlace, sharedRedis } from '../running-hub.js'
import { until } from '../until.js'
import { callOnPath, listedOn } from './path-requests.js'
import { manifestTool, serveToolService } from './tool-service.js'

afterAll(closeAll, 60_000)

test('a path whose hub is without its store still lists, begins no call, and says so as a failure of the server', async () => {
  const service = await serveToolService([manifestTool('search')])
  const way = await startRedisProxy(sharedRedis())
  const settings = { name: 'hr', url: service.url, manifest: 'manifest.json' }
  const place = await openPlace({ publicPaths: { '/hr': settings }, hubRedisUrl: way.url })
  const address = `${(await place.startHub()).url}/hr`
  expect((await callOnPath(address, 'search')).body.result).toMatchObject({ isError: false })
  await way.goAway()
  expect(await listedOn(address)).toEqual(['search'])
  const answer = await callOnPath(address, 'search')
  expect([answer.status, answer.body.error?.code, answer.body.error?.data.title]).toEqual([
    200,
    -32603,
    'HUB_UNAVAILABLE',
  ])
  expect(service.calls).toHaveLength(1)
  await way.comeBack()
  await until(async () => (await callOnPath(address, 'search')).body.result?.isError === false)
})
