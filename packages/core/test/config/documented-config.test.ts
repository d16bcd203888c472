import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import { parseConfig } from '../../src/index.js'

const page = new URL('../../../../docs/CONNECTING.md', import.meta.url)
const environment = { SYNCHUB_AGENT_SECRET: 'secret', HR_TOOLS_SECRET: 'secret' }
const FRAGMENT = /```json\n(".*?)```/gs

/** The fragments that the page shows: settings of the whole, or agents by their names. */
const fragments = [...readFileSync(page, 'utf8').matchAll(FRAGMENT)].map(
  ([, text = '']): JsonObject => JSON.parse(`{${text}}`),
)

const url = 'http://other'
const others = { SyncBoot: { url }, SyncInsight: { url }, SyncETA: { url } }

describe('each fragment of a configuration in docs/CONNECTING.md', () => {
  test.each(fragments.map((fragment) => [Object.keys(fragment).join(' '), fragment]))(
    'can be pasted: %s',
    (_, fragment) => {
      const { agents = {}, publicPaths = {}, ...single } = fragment as Record<string, JsonObject>
      const text = JSON.stringify({ agents: { ...others, ...agents, ...single }, publicPaths })
      const config = parseConfig({ text, file: 'CONNECTING.md', environment })
      expect(config.agents.size + config.publicPaths.size).toBeGreaterThan(0)
    },
  )

  test('is found by this test', () => {
    expect(fragments.map((fragment) => Object.keys(fragment)[0])).toEqual([
      'agents',
      'SyncInsight',
      'SyncBoot',
      'SyncVerse',
      'publicPaths',
    ])
  })
})
