import { demandApproval } from '../schema/approval.js';
import { designTable } from '../schema/design.js';
import { compareTables } from '../schema/difference.js';
import { InvalidDomain } from '../schema/refusal.js';
import { dialectOf } from '../sql/dialect.js';
import { describeChange } from './notes.js';
/**
 * Generates the schema of a domain and keeps its new state in the catalogue. What is refused, cancelled or fails leaves the
 * catalogue as it was.
 * @throws InvalidDomain, ApprovalNeeded, CatalogueFailure, or the signal's reason
 */
export async function generateSchema(call, catalogue) {
    const { request } = call;
    const dialect = dialectOf(request.dialect ?? 'mysql');
    const table = designTable(request, dialect);
    return catalogue.inTurn(table.name, dialect, async (place) => {
        call.signal.throwIfAborted();
        return advance({ request, dialect, table, callId: call.callId }, place);
    });
}
async function advance(step, { known, save }) {
    const { request, dialect, table, callId } = step;
    if (known === undefined) {
        const statements = dialect.create(table);
        await save(entryOf(step, 1, { callId, change: 'created', notes: [], statements }));
        return answer(step, 'created', statements);
    }
    refuseForeignTable(request, known);
    const { changes, destructions } = compareTables(known.table, table);
    demandApproval(table.name, destructions);
    if (changes.length === 0) {
        // The call that made the last change comes again when its answer was lost: it must not lose the ALTER statements too.
        const { lastChange } = known;
        if (lastChange.callId === callId)
            return answer(step, lastChange.change, lastChange.statements, lastChange.notes);
        return answer(step, 'unchanged', dialect.create(table));
    }
    const notes = changes.map(describeChange);
    const statements = dialect.alter(table, changes);
    await save(entryOf(step, known.revision + 1, { callId, change: 'altered', notes, statements }));
    return answer(step, 'altered', statements, notes);
}
/** `OrderItem` and `orderItem` would be one table: the second must not change the first's. */
function refuseForeignTable({ domainName }, known) {
    if (known.domainName === domainName)
        return;
    throw new InvalidDomain('domainName', `another name: the domain ${known.domainName} already has the table ${known.table.name}`);
}
function entryOf({ request, table }, revision, lastChange) {
    return { domainName: request.domainName, table, revision, lastChange };
}
function answer({ request, dialect, table }, change, statements, notes = []) {
    return { domainName: request.domainName, tableName: table.name, dialect: dialect.name, change, notes, statements };
}
