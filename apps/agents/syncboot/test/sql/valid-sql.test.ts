import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { designTable } from '../../src/schema/design.js'
import { compareTables } from '../../src/schema/difference.js'
import { dialectOf } from '../../src/sql/dialects.js'
import { domain, grownDomain } from '../domain-arbitrary.js'
import { parseStatements } from '../sql-parsers.js'

describe.each(['mysql', 'postgresql'] as const)('SQL for random domains in %s', (name) => {
  const dialect = dialectOf(name)

  test('makes a table that a real parser takes', async () => {
    await fc.assert(
      fc.asyncProperty(domain(name), async (request) => {
        const statements = dialect.create(designTable(request, dialect))
        expect(await parseStatements(statements, name)).toHaveLength(statements.length)
      }),
      { numRuns: 300 },
    )
  })

  test('changes a table in a way that a real parser takes', async () => {
    await fc.assert(
      fc.asyncProperty(grownDomain(name), async ([before, after]) => {
        const table = designTable(after, dialect)
        const { changes, destructions } = compareTables(designTable(before, dialect), table)
        fc.pre(changes.length > 0)
        expect(destructions).toEqual([])
        await parseStatements(dialect.alter(table, changes), name)
      }),
      { numRuns: 300 },
    )
  })

  test('is the same whenever the same domain is designed', () => {
    fc.assert(
      fc.property(domain(name), (request) => {
        const table = designTable(request, dialect)
        const again = designTable(request, dialect)
        expect(dialect.create(again)).toEqual(dialect.create(table))
        expect(compareTables(table, again)).toEqual({ changes: [], destructions: [] })
      }),
    )
  })
})

test.each(['go', 'vector', 'persist', 'persist_only'])(
  'a column named %s, which tools take for a word of theirs, stands between quotes',
  async (name) => {
    for (const [dialect, type] of [
      ['mysql', 'YEAR'],
      ['postgresql', 'BIGINT'],
    ] as const) {
      const request = {
        domainName: 'a',
        fields: [{ name, type, nullable: false, primaryKey: true }],
        enableAuditing: false,
        dialect,
        indexes: [],
      }
      const statements = dialectOf(dialect).create(designTable(request, dialectOf(dialect)))
      expect(await parseStatements(statements, dialect)).toHaveLength(statements.length)
    }
  },
)
