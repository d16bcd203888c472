import { parse as parsePostgres } from 'libpg-query';
import nodeSqlParser from 'node-sql-parser';
const parser = new nodeSqlParser.Parser();
const DATABASES = { mysql: 'MySQL', postgresql: 'PostgreSQL' };
/**
 * Parses statements, which throws where one is not valid. node-sql-parser reads them one by one, since it knows CREATE FUNCTION
 * only alone and DROP TRIGGER not at all; PostgreSQL's own grammar, compiled from its sources, reads all that goes there at once.
 * @returns the syntax trees of node-sql-parser
 */
export async function parseStatements(statements, dialect) {
    if (dialect === 'postgresql') {
        const { stmts } = await parsePostgres(statements.join('\n\n'));
        if (stmts?.length !== statements.length)
            throw new Error(`${statements.length} statements became ${stmts?.length}`);
    }
    return statements
        .filter((statement) => !statement.startsWith('DROP TRIGGER '))
        .flatMap((statement) => parser.astify(statement, { database: DATABASES[dialect] }));
}
