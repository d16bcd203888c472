import { readDefault } from '../sql/default-value.js';
import { readType } from '../sql/type-table.js';
import { checkName, tableNameOf, toSnakeCase } from './naming.js';
import { InvalidDomain } from './refusal.js';
import { checkWeight } from './weight.js';
/**
 * Turns a domain into a table of the dialect and checks all that the database would refuse.
 * @throws InvalidDomain that names the first argument at fault
 */
export function designTable(request, dialect) {
    checkName(request.domainName, 'domainName');
    const name = tableNameOf(request.domainName);
    checkLength(name, 'domainName', dialect);
    const columns = request.fields.map((field, place) => designColumn(field, `fields.${place}`, dialect));
    refuseTwice(columns, 'fields', 'name');
    if (request.enableAuditing === true)
        columns.push(...auditColumns(columns, dialect));
    const table = {
        name,
        columns,
        primaryKey: request.fields.filter((field) => field.primaryKey === true).map((field) => toSnakeCase(field.name)),
        indexes: (request.indexes ?? []).map((index, place) => designIndex(index, `indexes.${place}`, columns, name, dialect)),
    };
    refuseTwice(table.indexes, 'indexes', 'name');
    checkWeight(table, dialect);
    return table;
}
function designColumn(field, path, dialect) {
    checkName(field.name, `${path}.name`);
    const name = toSnakeCase(field.name);
    checkLength(name, `${path}.name`, dialect);
    if (dialect.systemColumns.has(name)) {
        throw new InvalidDomain(`${path}.name`, `another name: ${dialect.types.title} keeps ${name} for itself`);
    }
    const isKey = field.primaryKey === true;
    if (isKey && field.nullable === true) {
        throw new InvalidDomain(`${path}.nullable`, 'false: a primary key is never null');
    }
    const type = readType(dialect.types, field.type, `${path}.type`);
    const column = { name, type, nullable: !isKey && (field.nullable ?? true), touchedOnUpdate: false };
    if (field.defaultValue === undefined || field.defaultValue === null)
        return column;
    return { ...column, defaultSql: readDefault(field.defaultValue, type, dialect.temporal, `${path}.defaultValue`) };
}
/** `created_at` and `updated_at` as S0.4 has them. */
function auditColumns(columns, dialect) {
    const type = readType(dialect.types, dialect.auditType, 'enableAuditing');
    const audit = { type, nullable: false, defaultSql: 'CURRENT_TIMESTAMP' };
    for (const [place, { name }] of columns.entries()) {
        if (name === 'created_at' || name === 'updated_at') {
            throw new InvalidDomain(`fields.${place}.name`, `another name: enableAuditing adds the column ${name}`);
        }
    }
    return [
        { name: 'created_at', ...audit, touchedOnUpdate: false },
        { name: 'updated_at', ...audit, touchedOnUpdate: true },
    ];
}
function designIndex(index, path, columns, tableName, dialect) {
    checkName(index.name, `${path}.name`);
    const name = toSnakeCase(index.name);
    checkLength(name, `${path}.name`, dialect);
    if (dialect.takenIndexNames(tableName).includes(name)) {
        throw new InvalidDomain(`${path}.name`, `another name: ${name} is taken in ${dialect.types.title}`);
    }
    const names = index.columns.map(toSnakeCase);
    for (const [at, column] of names.entries()) {
        const place = `${path}.columns.${at}`;
        if (!columns.some((known) => known.name === column))
            throw new InvalidDomain(place, 'the name of a field');
        if (names.indexOf(column) !== at)
            throw new InvalidDomain(place, `another field: ${column} stands there twice`);
    }
    return { name, columns: names, unique: index.unique ?? false };
}
function checkLength(name, path, dialect) {
    if (Buffer.byteLength(name) > dialect.maxNameBytes) {
        const bound = `${dialect.maxNameBytes} bytes in ${dialect.types.title}`;
        throw new InvalidDomain(path, `a shorter name: it becomes ${name}, and a name has at most ${bound}`);
    }
}
/** Two names that differ for the caller can be one for the database: `gradeCode` and `grade_code`. */
function refuseTwice(named, list, member) {
    const places = new Map();
    for (const [place, { name }] of named.entries()) {
        const first = places.get(name);
        if (first !== undefined) {
            throw new InvalidDomain(`${list}.${place}.${member}`, `another name: ${list}.${first} already becomes ${name}`);
        }
        places.set(name, place);
    }
}
