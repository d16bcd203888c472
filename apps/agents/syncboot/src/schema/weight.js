import { InvalidDomain } from './refusal.js';
/**
 * Checks what the database bounds in bytes, and which types it can index at all.
 * @throws InvalidDomain
 */
export function checkWeight(table, dialect) {
    const { title } = dialect.types;
    const nullBits = Math.ceil(table.columns.length / 8);
    const rowBytes = table.columns.reduce((sum, { type }) => sum + type.footprint.rowBytes, nullBits);
    if (rowBytes > dialect.maxRowBytes) {
        const bound = `at most ${dialect.maxRowBytes} bytes a row in ${title}, and these make ${rowBytes}; use TEXT for long texts`;
        throw new InvalidDomain('fields', `smaller: ${bound}`);
    }
    checkKey(table, table.primaryKey, (column) => `fields.${placeOf(table, column)}.primaryKey`, dialect);
    for (const [place, { columns }] of table.indexes.entries()) {
        checkKey(table, columns, (column) => `indexes.${place}.columns.${columns.indexOf(column)}`, dialect);
    }
}
function checkKey(table, names, pathOf, dialect) {
    const { title } = dialect.types;
    let keyBytes = 0;
    for (const name of names) {
        const type = table.columns[placeOf(table, name)]?.type;
        if (type?.footprint.keyBytes === undefined) {
            throw new InvalidDomain(pathOf(name), `a column that ${title} can index, which ${type?.sql} is not`);
        }
        keyBytes += type.footprint.keyBytes;
        if (keyBytes > dialect.maxKeyBytes) {
            const bound = `at most ${dialect.maxKeyBytes} bytes a key in ${title}, and up to here it has ${keyBytes}`;
            throw new InvalidDomain(pathOf(name), `shorter: ${bound}`);
        }
    }
}
function placeOf(table, column) {
    return table.columns.findIndex(({ name }) => name === column);
}
