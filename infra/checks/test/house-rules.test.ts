import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { HOUSE_RULES } from '../house-rules/house-rules.js'
import { IMPORT_DIRECTIONS } from '../house-rules/import-direction.js'
import { readSourceFile, type SourceFile } from '../house-rules/source-file.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

function readSourceFiles(): SourceFile[] {
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => /\/(?:src|test)\//.test(path) && !/\/(?:dist|node_modules)\//.test(path))
      .map((path) => readSourceFile(path, readFileSync(join(root, path), 'utf8'))),
  )
}

function breaks(path: string, text: string): string[] {
  const file = readSourceFile(path, text)
  return Object.entries(HOUSE_RULES).flatMap(([name, rule]) => rule(file).map(() => name))
}

describe('the sources of this repository', () => {
  const files = readSourceFiles()

  test('are found', () => {
    const workspaces = new Set(files.map((file) => file.workspace))
    expect([...workspaces].toSorted()).toEqual(Object.keys(IMPORT_DIRECTIONS).toSorted())
  })

  test.each(Object.entries(HOUSE_RULES))('keep the rule: %s', (_name, rule) => {
    expect(files.flatMap(rule)).toEqual([])
  })
})

describe('the house rules', () => {
  test.each([
    ['packages/protocol/src/a.ts', "import { Principal } from '@synchub/auth'"],
    ['packages/core/src/a.ts', "import type { TraceLog } from '@synchub/redis'"],
    ['packages/core/src/a.ts', "import { createLogger } from '@synchub/telemetry'"],
    ['packages/client/src/a.ts', "export { admit } from '@synchub/core'"],
    ['packages/redis/src/a.ts', "const hub = await import('@synchub/hub')"],
    ['apps/hub/src/a.ts', "import { createDispatcher } from '@synchub/dispatcher'"],
    ['apps/cli/src/a.ts', "import { openRedis } from '@synchub/redis'"],
    ['apps/agents/syncboot/src/a.ts', "import { call } from '@synchub/client'"],
    ['apps/agents/syncverse/src/a.ts', "import { admit } from '@synchub/core'"],
    ['packages/connectors/src/a.ts', "import { frame } from '@synchub/protocol/src/frame.js'"],
    ['apps/unlisted/src/a.ts', 'export {}'],
  ])('catch a wrong import direction: %s, %s', (path, text) => {
    expect(breaks(path, text)).toEqual(['imports go in one direction'])
  })

  test.each([
    ['apps/hub/src/rpc/a.ts', "import { x } from '../../../dispatcher/src/x.js'"],
    ['packages/core/test/a.test.ts', "import { x } from '../../protocol/src/x.js'"],
    ['packages/core/src/a.ts', "import { x } from '../test/x.js'"],
    ['packages/core/src/a.ts', "import { x } from '../dist/x.js'"],
  ])('catch a relative import that leaves its place: %s, %s', (path, text) => {
    expect(breaks(path, text)).toEqual(['relative imports stay in their workspace'])
  })

  test.each([
    ['packages/protocol/src/a.ts', "import { randomUUID } from 'node:crypto'"],
    ['packages/protocol/src/a.ts', "import { once } from 'events'"],
    ['packages/protocol/src/a.ts', "const bytes = Buffer.from('')"],
    ['packages/client/src/a.ts', "process.on('exit', () => undefined)"],
  ])('catch what only Node has where browsers run: %s, %s', (path, text) => {
    expect(breaks(path, text)).toContain('protocol and client run without Node')
  })

  test.each([
    "import { Redis } from 'ioredis'",
    "import express from 'express'",
    "import { pino } from 'pino'",
    "import { readFile } from 'node:fs/promises'",
    'const now = Date.now()',
    'const now = new Date()',
    'const { now } = Date',
    'const started = performance.now()',
    'const id = Math.random()',
  ])('catch a clock or an outside world in core: %s', (text) => {
    expect(breaks('packages/core/src/a.ts', text)).toEqual(['core has no clock, store, network or logger'])
  })

  test('let core handle instants that it was given', () => {
    expect(breaks('packages/core/src/a.ts', 'const text = (ms: number) => new Date(ms).toISOString()')).toEqual([])
  })

  test.each(['const level = process.env.LOG_LEVEL', "const url = process.env['REDIS_URL']", 'const { env } = process'])(
    'catch a second reader of the environment: %s',
    (text) => {
      expect(breaks('apps/hub/src/config/a.ts', text)).toEqual(['the environment is read in one place'])
      expect(breaks('packages/redis/src/a.ts', text)).toEqual(['the environment is read in one place'])
      expect(breaks('apps/hub/src/env.ts', text)).toEqual([])
    },
  )

  test.each([
    ['folders are domain nouns', 'packages/core/src/utils/a.ts', 'export {}'],
    ['findings are mended, not silenced', 'packages/core/src/a.ts', '// oxlint-disable-next-line no-console\n'],
    ['findings are mended, not silenced', 'packages/core/test/a.test.ts', '// @ts-expect-error it is wrong\n'],
    ['exports and assertions are explicit', 'packages/core/src/index.ts', "export * from './a.js'"],
    ['exports and assertions are explicit', 'packages/core/src/a.ts', 'const call = {} as unknown as string'],
    ['exports are documented', 'packages/core/src/a.ts', '// A line comment is none.\nexport const limit = 3'],
    ['exports are documented', 'packages/core/src/a.ts', '/** Of another. */\nconst a = 1\nexport const b = a'],
  ])('catch a break of "%s" in %s', (name, path, text) => {
    expect(breaks(path, text)).toEqual([name])
  })

  test('let an innocent file pass', () => {
    const text = "import { readFrame } from '@synchub/protocol'\n/** Reads. */\nexport const read = readFrame\n"
    expect(breaks('packages/redis/src/frame/read.ts', text)).toEqual([])
    expect(breaks('apps/hub/test/a.test.ts', "import { call } from '@synchub/client'")).toEqual([])
    expect(breaks('apps/agents/syncverse/src/a.ts', "import { call } from '@synchub/client'")).toEqual([])
  })
})
