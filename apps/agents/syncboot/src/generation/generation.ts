import type { Catalogue, CataloguePlace } from '../catalogue/catalogue.js'
import type { CatalogueEntry, LastChange } from '../catalogue/entry.js'
import { demandApproval } from '../schema/approval.js'
import { designTable } from '../schema/design.js'
import { compareTables } from '../schema/difference.js'
import type { DomainRequest } from '../schema/domain-request.js'
import { InvalidDomain } from '../schema/refusal.js'
import type { Table } from '../schema/table.js'
import type { Dialect, DialectName } from '../sql/dialect.js'
import { dialectOf } from '../sql/dialects.js'
import { describeChange } from './notes.js'

/** What happened to the table: it is new, it is as it was, or it has changed. */
type SchemaChange = 'created' | 'unchanged' | 'altered'

/** The schema of a domain. */
export interface GeneratedSchema {
  readonly domainName: string
  readonly tableName: string
  readonly dialect: DialectName
  readonly change: SchemaChange
  /** What changed, in Korean; empty unless altered. */
  readonly notes: readonly string[]
  /** CREATE statements for a table that is new or unchanged, ALTER statements for one that changed. */
  readonly statements: readonly string[]
}

/** One call for a schema. */
export interface GenerationCall {
  readonly request: DomainRequest
  /** Identity of the call: a repeat of it gets the same answer. */
  readonly callId: string
  readonly signal: AbortSignal
}

/**
 * Generates the schema of a domain and keeps its new state in the catalogue. What is refused, cancelled or fails leaves the
 * catalogue as it was.
 * @throws InvalidDomain, ApprovalNeeded, CatalogueFailure, or the signal's reason
 */
export async function generateSchema(call: GenerationCall, catalogue: Catalogue): Promise<GeneratedSchema> {
  const { request } = call
  const dialect = dialectOf(request.dialect ?? 'mysql')
  const table = designTable(request, dialect)
  return catalogue.inTurn(table.name, dialect, async (place) => {
    call.signal.throwIfAborted()
    return advance({ request, dialect, table, callId: call.callId }, place)
  })
}

interface Step {
  readonly request: DomainRequest
  readonly dialect: Dialect
  readonly table: Table
  readonly callId: string
}

async function advance(step: Step, { known, save }: CataloguePlace): Promise<GeneratedSchema> {
  const { request, dialect, table, callId } = step
  if (known === undefined) {
    const statements = dialect.create(table)
    await save(entryOf(step, 1, { callId, change: 'created', notes: [], statements }))
    return answer(step, 'created', statements)
  }
  refuseForeignTable(request, known)

  const { changes, destructions } = compareTables(known.table, table)
  demandApproval(table.name, destructions)
  if (changes.length === 0) {
    // The call that made the last change comes again when its answer was lost: it must not lose the ALTER statements too.
    const { lastChange } = known
    if (lastChange.callId === callId) return answer(step, lastChange.change, lastChange.statements, lastChange.notes)
    return answer(step, 'unchanged', dialect.create(table))
  }
  const notes = changes.map(describeChange)
  const statements = dialect.alter(table, changes)
  await save(entryOf(step, known.revision + 1, { callId, change: 'altered', notes, statements }))
  return answer(step, 'altered', statements, notes)
}

/** `OrderItem` and `orderItem` would be one table: the second must not change the first's. */
function refuseForeignTable({ domainName }: DomainRequest, known: CatalogueEntry): void {
  if (known.domainName === domainName) return
  throw new InvalidDomain(
    'domainName',
    `another name: the domain ${known.domainName} already has the table ${known.table.name}`,
  )
}

function entryOf({ request, table }: Step, revision: number, lastChange: LastChange): CatalogueEntry {
  return { domainName: request.domainName, table, revision, lastChange }
}

function answer(
  { request, dialect, table }: Step,
  change: SchemaChange,
  statements: readonly string[],
  notes: readonly string[] = [],
): GeneratedSchema {
  return { domainName: request.domainName, tableName: table.name, dialect: dialect.name, change, notes, statements }
}
