import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { atEnd, closeAll } from '../cleanup.js'
import { getJson } from '../hub-requests.js'
import { openPlace } from '../running-hub.js'
import { until } from '../until.js'
import { callOnPath, firstItem, listedOn } from './path-requests.js'
import { manifestTool, sending, serveToolService, type ToolService } from './tool-service.js'

const REFRESH_MS = 20

afterEach(closeAll)

const pathOf = (name: string, { url }: Pick<ToolService, 'url'>, more: JsonObject = {}): JsonObject => ({
  name,
  url,
  manifest: 'manifest.json',
  refreshMs: REFRESH_MS,
  ...more,
})

function writeManifest(tools: readonly JsonObject[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'synchub-fallback-'))
  atEnd(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'sample.json')
  writeFileSync(file, JSON.stringify({ tools }))
  return file
}

describe('two public paths side by side', () => {
  test('share no tool, no name and no failure', async () => {
    const hr = await serveToolService([manifestTool('search'), manifestTool('leave')], sending('text/plain', 'from hr'))
    const it = await serveToolService([manifestTool('search'), manifestTool('order')], sending('text/plain', 'from it'))
    const place = await openPlace({ publicPaths: { '/a/hr': pathOf('hr', hr), '/a/it': pathOf('it', it) } })
    const { url } = await place.startHub()
    expect(await listedOn(`${url}/a/hr`)).toEqual(['leave', 'search'])
    expect(await listedOn(`${url}/a/it`)).toEqual(['order', 'search'])
    expect(firstItem(await callOnPath(`${url}/a/hr`, 'search')).text).toBe('from hr')
    expect(firstItem(await callOnPath(`${url}/a/it`, 'search')).text).toBe('from it')
    expect((await callOnPath(`${url}/a/hr`, 'order')).body.error?.code).toBe(-32601)
    await hr.goDown()
    expect((await callOnPath(`${url}/a/hr`, 'search')).body.result).toMatchObject({ isError: true })
    expect(firstItem(await callOnPath(`${url}/a/it`, 'search')).text).toBe('from it')
    await until(async () => JSON.stringify((await getJson(url, '/readyz')).body).includes('public path hr'))
    const { body } = await getJson<{ checks: JsonObject[] }>(url, '/readyz')
    await until(async () => {
      const { checks } = (await getJson<{ checks: JsonObject[] }>(url, '/readyz')).body
      return checks.some(({ name, ok }) => name === 'public path hr' && ok === false)
    })
    expect(body.checks).toContainEqual({ name: 'public path it', ok: true })
  })

  test('run the same idempotency key each for itself', async () => {
    const hr = await serveToolService([manifestTool('search')], sending('text/plain', 'from hr'))
    const it = await serveToolService([manifestTool('search')], sending('text/plain', 'from it'))
    const place = await openPlace({ publicPaths: { '/hr': pathOf('hr', hr), '/it': pathOf('it', it) } })
    const { url } = await place.startHub()
    const key = { 'Idempotency-Key': 'order-1' }
    const texts: unknown[] = []
    for (const path of ['/hr', '/it', '/hr'])
      texts.push(firstItem(await callOnPath(url + path, 'search', { query: 'x' }, key)).text)
    expect(texts).toEqual(['from hr', 'from it', 'from hr'])
    expect([hr.calls.length, it.calls.length]).toEqual([1, 1])
  })
})

describe('the snapshot of a public path', () => {
  test('follows its manifest, and holds when that cannot be read any more', async () => {
    const service = await serveToolService([manifestTool('old')])
    const place = await openPlace({ publicPaths: { '/hr': pathOf('hr', service) } })
    const address = `${(await place.startHub()).url}/hr`
    expect(await listedOn(address)).toEqual(['old'])
    service.offer([manifestTool('new', { endpoint: 'tools/moved?v=2' })])
    await until(async () => JSON.stringify(await listedOn(address)) === '["new"]')
    expect((await callOnPath(address, 'old')).body.error?.code).toBe(-32601)
    await callOnPath(address, 'new')
    expect(service.calls.at(-1)?.path).toBe('/api/tools/moved?v=2')
    service.offer(sending('text/plain', 'out of order', 503))
    const reads = service.manifestReads()
    await until(() => service.manifestReads() > reads + 2)
    expect(await listedOn(address)).toEqual(['new'])
    expect((await callOnPath(address, 'new')).body.result).toMatchObject({ isError: false })
    const told = place.logs.filter((line) => line.includes('tools of the public path cannot be read'))
    expect(told).toHaveLength(1)
  })

  test('is not known while no manifest was read, and production looks nowhere else', async () => {
    const service = await serveToolService([])
    service.offer(sending('text/plain', 'not yet', 503))
    const place = await openPlace({ publicPaths: { '/hr': pathOf('hr', service) } })
    const address = `${(await place.startHub()).url}/hr`
    expect(await listedOn(address)).toBe(-32603)
    const answer = await callOnPath(address, 'search')
    expect(answer.body.error).toMatchObject({ code: -32603, data: { title: 'AGENT_UNAVAILABLE' } })
    service.offer([manifestTool('search')])
    await until(async () => (await callOnPath(address, 'search')).body.result?.isError === false)
    expect(await listedOn(address)).toEqual(['search'])
  })

  test('is the file in the profile local, until the service has listed its tools', async () => {
    const service = await serveToolService([])
    service.offer(sending('text/plain', 'not yet', 500))
    const fallbackManifest = writeManifest([manifestTool('sample')])
    const settings = pathOf('hr', service, { profile: 'local', fallbackManifest })
    const place = await openPlace({ publicPaths: { '/hr': settings } })
    const address = `${(await place.startHub()).url}/hr`
    expect(await listedOn(address)).toEqual(['sample'])
    expect(firstItem(await callOnPath(address, 'sample')).text).toBe('ok')
    service.offer([manifestTool('real')])
    await until(async () => JSON.stringify(await listedOn(address)) === '["real"]')
    service.offer(sending('text/plain', 'gone again', 500))
    const reads = service.manifestReads()
    await until(() => service.manifestReads() > reads + 2)
    expect(await listedOn(address)).toEqual(['real'])
  })

  test('can be the sample that comes along', async () => {
    const service = await serveToolService([])
    service.offer(sending('text/plain', 'not yet', 503))
    const sample = fileURLToPath(
      new URL('../../../../config/local-core-tools-manifest-sample-v1.json', import.meta.url),
    )
    const { tools } = JSON.parse(readFileSync(sample, 'utf8')) as { tools: JsonObject[] }
    const settings = pathOf('hr', service, { profile: 'local', fallbackManifest: sample })
    const place = await openPlace({ publicPaths: { '/hr': settings } })
    const listed = await listedOn(`${(await place.startHub()).url}/hr`)
    expect(new Set(listed as string[])).toEqual(new Set(tools.map(({ name }) => name)))
    expect(listed).not.toHaveLength(0)
  })

  test('reports tools with an output schema in production, once, and lists them as they are', async () => {
    const outputSchema = { type: 'no type at all' }
    const service = await serveToolService([manifestTool('typed', { outputSchema })])
    const place = await openPlace({
      publicPaths: { '/hr': pathOf('hr', service), '/dev': pathOf('dev', service, { profile: 'local' }) },
    })
    const { url } = await place.startHub()
    expect(await listedOn(`${url}/dev`)).toEqual(['typed'])
    expect(await listedOn(`${url}/hr`)).toEqual(['typed'])
    const reads = service.manifestReads()
    await until(() => service.manifestReads() > reads + 4)
    const told = place.logs
      .filter((line) => line.includes('outputSchema'))
      .map((line) => JSON.parse(line) as JsonObject)
    expect(told).toMatchObject([{ deployment: 'hr', tools: ['typed'] }])
  })
})
