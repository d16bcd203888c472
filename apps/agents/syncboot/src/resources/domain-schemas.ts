import {
  type AgentResource,
  defineResource,
  type PageRequest,
  type ReadContext,
  type ResourceEntry,
  ToolError,
} from '@synchub/agent-sdk'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CatalogueEntry } from '../catalogue/entry.js'
import { DOMAIN_URI, joinStatements, SQL_TYPE } from '../generation/content.js'
import { isName, tableNameOf } from '../schema/naming.js'
import { DIALECT_NAMES, type Dialect } from '../sql/dialect.js'
import { dialectOf } from '../sql/dialects.js'

const DIALECTS = DIALECT_NAMES.map(dialectOf)

/**
 * The schemas of the catalogue as resources, each the CREATE statements of the table as it is now: under the URI that answers of
 * `syncboot_generate_schema` carry (S0.4), in the first dialect that has the domain, and under that URI with a dialect behind it.
 */
export function schemaResources(catalogue: Catalogue): readonly AgentResource[] {
  return [
    defineResource({
      uri: DOMAIN_URI,
      name: 'Domain schemas',
      description: 'The SQL schema of a domain as SyncBoot answered it last; MySQL where both dialects have it.',
      mimeType: SQL_TYPE,
      list: async (page, ctx) => listDomains(catalogue, page, ctx),
      complete: { domain: async (typed, ctx) => suggestDomains(catalogue, typed, DIALECTS, ctx) },
      read: async ({ domain }) => readSchema(catalogue, domain, DIALECTS),
    }),
    defineResource({
      uri: `${DOMAIN_URI}/{dialect}`,
      name: 'Domain schemas by dialect',
      description: `The SQL schema of a domain in one dialect: ${DIALECT_NAMES.join(' or ')}.`,
      mimeType: SQL_TYPE,
      complete: {
        domain: async (typed, ctx) => suggestDomains(catalogue, typed, dialectsOf(ctx.known.dialect), ctx),
        dialect: (typed) => DIALECT_NAMES.filter((name) => name.startsWith(typed.toLowerCase())),
      },
      read: async ({ domain, dialect }) => readSchema(catalogue, domain, dialectsOf(dialect)),
    }),
  ]
}

/** The dialect of this name, or all of them where none is chosen. */
function dialectsOf(chosen: string | undefined): readonly Dialect[] {
  return chosen === undefined ? DIALECTS : DIALECTS.filter(({ name }) => name === chosen)
}

async function readSchema(
  catalogue: Catalogue,
  domain: string,
  dialects: readonly Dialect[],
): Promise<string | undefined> {
  // A name from outside becomes a file name: only what a domain may be called gets that far.
  if (!isName(domain)) return undefined
  for (const dialect of dialects) {
    const entry = await catalogue.find(tableNameOf(domain), dialect)
    if (entry?.domainName === domain) return joinStatements(dialect.create(entry.table))
  }
  return undefined
}

/** The cursor is the last table of the page before. */
async function listDomains(catalogue: Catalogue, { cursor, limit }: PageRequest, ctx: ReadContext) {
  if (cursor !== undefined && !/^tb_[a-z0-9_]+$/.test(cursor)) {
    const expected = 'the nextCursor of an earlier page'
    throw new ToolError('INVALID_PARAMS', `cursor must be ${expected}`, { path: 'cursor', expected })
  }
  const tables = (await catalogue.tables()).filter((table) => cursor === undefined || table > cursor)
  const page = tables.slice(0, limit)
  const known = await Promise.all(page.map((table) => findDomain(catalogue, table, DIALECTS, ctx)))
  const entries = known.flatMap((entry) => (entry === undefined ? [] : [toListing(entry)]))
  const last = page.at(-1)
  return { entries, ...(tables.length > limit && last !== undefined ? { nextCursor: last } : {}) }
}

/** Domains that begin with what was typed, in whatever case. One file after the other: a catalogue may be large. */
async function suggestDomains(
  catalogue: Catalogue,
  typed: string,
  dialects: readonly Dialect[],
  ctx: ReadContext,
): Promise<readonly string[]> {
  const domains: string[] = []
  for (const table of await catalogue.tables()) {
    ctx.signal.throwIfAborted()
    // What a table is called tells whether its file is worth reading, not how its domain is written.
    if (!lettersOf(table).startsWith(lettersOf(`tb_${typed}`))) continue
    const name = (await findDomain(catalogue, table, dialects, ctx))?.domainName
    if (name?.toLowerCase().startsWith(typed.toLowerCase()) === true) domains.push(name)
  }
  return domains
}

function lettersOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

async function findDomain(
  catalogue: Catalogue,
  table: string,
  dialects: readonly Dialect[],
  { logger }: ReadContext,
): Promise<CatalogueEntry | undefined> {
  for (const dialect of dialects) {
    try {
      const entry = await catalogue.find(table, dialect)
      if (entry !== undefined) return entry
    } catch (err) {
      // One damaged file must not hide all the others; whoever asks for this very domain is told.
      logger.warn({ err, table }, `the schema of ${table} was left out of a list`)
    }
  }
  return undefined
}

function toListing({ domainName, table }: CatalogueEntry): ResourceEntry<'domain'> {
  return { variables: { domain: domainName }, name: domainName, description: `The table ${table.name}` }
}
