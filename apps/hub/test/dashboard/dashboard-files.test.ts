import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '@synchub/telemetry'
import { startHub } from '../../src/index.js'
import { atEnd, closeAll, stopAtEnd } from '../cleanup.js'
import { getJson } from '../hub-requests.js'
import { OWNED_ACCESS } from '../owners.js'
import { expectProblem } from '../problem.js'
import { openPlace, sharedRedis } from '../running-hub.js'

const PAGE = '<!doctype html><title>SyncHub</title>'
let url: string
let bare: string

async function start(dashboardDir: string): Promise<string> {
  const { config, prefix } = await openPlace({ access: OWNED_ACCESS })
  const logger = createLogger({ name: 'hub', level: 'silent' })
  const redis = { redisUrl: sharedRedis(), redisPrefix: prefix }
  const hub = await startHub({ ...redis, config, host: '127.0.0.1', port: 0, logger, dashboardDir })
  stopAtEnd(hub.stop)
  return hub.url
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'synchub-dashboard-'))
  atEnd(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'site', 'assets'), { recursive: true })
  await writeFile(join(folder, 'site', 'index.html'), PAGE)
  await writeFile(join(folder, 'site', 'assets', 'app-1a2b.js'), 'let a')
  await writeFile(join(folder, 'site', 'assets', 'app-1a2b.js.gz'), gzipSync('let a'))
  url = await start(join(folder, 'site'))
  bare = await start(join(folder, 'missing'))
})

afterAll(closeAll)

describe('the dashboard', () => {
  test('is what the root leads to, for people without a key too', async () => {
    const response = await fetch(url)
    expect(response.url).toBe(`${url}/ui/`)
    expect(await response.text()).toBe(PAGE)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  })

  test.each(['/ui', '/ui/traces', '/ui/traces/a.trace:1', '/ui/traces/x?call=y'])(
    'answers %s with its page',
    async (path) => {
      const response = await fetch(url + path)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(PAGE)
    },
  )

  test('loads, runs and sends nothing that is not of this hub', async () => {
    const { headers } = await fetch(`${url}/ui/`)
    const policy = String(headers.get('content-security-policy'))
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('keeps files that never change, compressed, and asks for the page each time', async () => {
    const file = await fetch(`${url}/ui/assets/app-1a2b.js`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(file.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(await file.text()).toBe('let a')
    const page = await fetch(`${url}/ui/`)
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await fetch(`${url}/ui/`, { headers: { 'If-None-Match': String(page.headers.get('etag')) } })
    expect(again.status).toBe(304)
  })

  test('does not pass its page off as a script of an older build', async () => {
    expectProblem(await getJson(url, '/ui/assets/app-old.js'), 'NOT_FOUND')
  })

  test('opens no way to files beside it', async () => {
    for (const path of [
      '/ui/..%2f..%2fetc%2fpasswd',
      '/ui/%2e%2e/%2e%2e/package.json',
      '/ui/assets/..%2f..%2fsecret',
    ]) {
      expect(await (await fetch(url + path)).text()).not.toMatch(/root:|"name"/)
    }
  })

  test('leaves everything else to the hub, which asks for a key', async () => {
    expectProblem(await getJson(url, '/traces', { Accept: 'text/html' }), 'UNAUTHENTICATED')
    expectProblem(await getJson(url, '/uis'), 'UNAUTHENTICATED')
  })

  test('says how to build it where it is missing', async () => {
    const answer = await getJson(bare, '/ui/')
    expectProblem(answer, 'NOT_FOUND')
    expect(answer.body.error?.data.nextStep).toContain('npm run build')
  })
})
