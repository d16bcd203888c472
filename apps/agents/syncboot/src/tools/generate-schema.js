import { defineTool, ToolError } from '@synchub/agent-sdk';
import { CatalogueFailure } from '../catalogue/catalogue.js';
import { schemaContent } from '../generation/content.js';
import { generateSchema } from '../generation/generation.js';
import { DOMAIN_SCHEMA } from '../schema/domain-request.js';
import { ApprovalNeeded, InvalidDomain } from '../schema/refusal.js';
import { DIALECT_NAMES } from '../sql/dialect.js';
import { measureTokenUsage } from '../usage/token-count.js';
const NAME = 'syncboot_generate_schema';
/**
 * The tool `syncboot_generate_schema`: the SQL schema of a domain, in MySQL or PostgreSQL.
 *
 * **It takes** a domain name, its fields (name, type, nullable, primaryKey, defaultValue) and, if wanted, `enableAuditing`,
 * `dialect` (`mysql` where none is named) and `indexes` (name, columns, unique). Names are ASCII letters, digits and single
 * underscores; they become snake case, the table gets the prefix `tb_`. Types come from a closed table of the dialect, defaults
 * are values of their type and never SQL. Words that the dialect reserves are quoted.
 *
 * **It answers** two content items (S0.4): a sentence, and the SQL as the resource `schema://syncboot/domain/<domainName>`.
 * `structuredContent` says the same for programs: table, dialect, statements, and whether the table is `created`, `unchanged` or
 * `altered`, with `notes` on what changed.
 *
 * **It remembers** each table and dialect in a catalogue on disk. A domain that is new or unchanged gets CREATE statements, one
 * that changed gets the ALTER statements from its last state to the new one. A repeat of the call that made a change gets the
 * same statements again. What is refused, cancelled or fails changes nothing. The catalogue is what SyncBoot answered last; no
 * database is ever read.
 *
 * | change | outcome |
 * |---|---|
 * | column added; type widened; default, NOT NULL or auditing changed; index added | ALTER statements |
 * | index changed or dropped; primary key changed | -32001, `Index modification detected on table <table>` |
 * | column dropped (a renamed field, or auditing taken away, is one too) | -32001, `Column removal detected on ...` |
 * | type changed to one that does not hold every old value | -32001, `Lossy column type change detected on ...` |
 * | order of columns or indexes changed | none: that is no change |
 *
 * NOT NULL and unique can fail on rows that exist; the notes say so. A failure loses nothing, so neither needs an approval.
 *
 * **It refuses** with -32602, `path` and `expected`: what the schema forbids, names that could inject or are too long (64 bytes
 * in MySQL, 63 in PostgreSQL), two names that become one, unknown types, defaults that do not fit, rows and keys larger than the
 * database allows, and a domain whose table belongs to a domain of another name.
 *
 * In PostgreSQL an index name must be free in the whole database schema; only the names of its own table are checked here.
 */
export function generateSchemaTool(catalogue) {
    return defineTool({
        name: NAME,
        title: 'Generate a database schema',
        description: 'Generates the SQL schema of a domain for MySQL or PostgreSQL: CREATE statements for a new or unchanged domain, ALTER statements for one that changed since the last call. Changes that destroy something need an approval.',
        inputSchema: DOMAIN_SCHEMA,
        outputSchema: OUTPUT_SCHEMA,
        async handler(request, { callId, signal }) {
            try {
                const schema = await generateSchema({ request, callId, signal }, catalogue);
                const content = schemaContent(schema);
                const [sentence, { resource }] = content;
                const { tableName, dialect, change, notes, statements } = schema;
                return {
                    content,
                    structuredContent: { tableName, dialect, change, notes, statements },
                    tokenUsage: measureTokenUsage(request, [sentence.text, resource.text]),
                };
            }
            catch (error) {
                throw toToolError(error);
            }
        },
    });
}
const TEXTS = { type: 'array', items: { type: 'string' } };
const OUTPUT_SCHEMA = {
    type: 'object',
    required: ['tableName', 'dialect', 'change', 'notes', 'statements'],
    properties: {
        tableName: { type: 'string' },
        dialect: { enum: DIALECT_NAMES },
        change: { enum: ['created', 'unchanged', 'altered'] },
        notes: { ...TEXTS, description: 'What changed, in Korean; empty unless altered.' },
        statements: { ...TEXTS, minItems: 1, description: 'The SQL statements in the order in which to run them.' },
    },
};
function toToolError(error) {
    if (error instanceof InvalidDomain) {
        const { message, path, expected } = error;
        return new ToolError('INVALID_PARAMS', message, { path, expected });
    }
    if (error instanceof ApprovalNeeded) {
        const { message, detail } = error;
        return new ToolError('HITL_APPROVAL_REQUIRED', message, { detail, instance: `/tools/call/${NAME}` });
    }
    if (error instanceof CatalogueFailure)
        return new ToolError('INTERNAL_ERROR', error.message, { cause: error.cause });
    return error;
}
