import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CONFIG_SCHEMA, parseConfig } from '../../src/index.js'

const infra = new URL('../../../../infra/', import.meta.url)

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, infra), 'utf8'))
}

describe('infra/synchub.schema.json', () => {
  test('is the schema that the hub checks its configuration by (else run: npm run schema)', () => {
    expect(readJson('synchub.schema.json')).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)))
  })

  test('is a schema, which no start looks at any more', () => {
    expect(new Ajv2020({ strict: true, allowUnionTypes: true }).validateSchema(CONFIG_SCHEMA)).toBe(true)
  })

  test('is named by the configuration beside it, which keeps it', () => {
    const file = new URL('synchub.config.json', infra)
    expect(readJson('synchub.config.json')).toMatchObject({ $schema: './synchub.schema.json' })
    const environment = { SYNCHUB_AGENT_SECRET: 'secret' }
    const config = parseConfig({ text: readFileSync(file, 'utf8'), file: file.pathname, environment })
    expect([...config.agents.keys()]).toEqual(['SyncBoot', 'SyncInsight', 'SyncETA', 'SyncVerse'])
  })

  test('tells of every setting what it is or what it may be', () => {
    const unclear: string[] = []
    const look = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      for (const [name, part] of Object.entries(schema)) {
        if (name === 'properties') {
          for (const [setting, own] of Object.entries(part as Record<string, object>)) {
            const place = `${path}.${setting}`
            if (!['type', 'enum', 'oneOf'].some((keyword) => keyword in own)) unclear.push(place)
            look(own, place)
          }
        } else if (!['default', 'enum'].includes(name)) look(part, path)
      }
    }
    look(CONFIG_SCHEMA, '')
    expect(unclear).toEqual([])
  })
})
