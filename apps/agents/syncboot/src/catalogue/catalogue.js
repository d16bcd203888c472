import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DIALECT_NAMES } from '../sql/dialect.js';
import { writeFileAtomically } from './atomic-file.js';
import { decodeEntry, encodeEntry } from './entry.js';
import { createTurns } from './turns.js';
/** The catalogue holds something for this table that cannot be understood, or cannot be reached at all. */
export class CatalogueFailure extends Error {
    name = 'CatalogueFailure';
}
/**
 * Opens the catalogue in `folder`, making its folders.
 * @throws CatalogueFailure when they cannot be made or written to
 */
export async function openCatalogue(folder) {
    for (const dialect of DIALECT_NAMES)
        await openFolder(join(folder, dialect));
    const turns = createTurns();
    return {
        inTurn(table, dialect, work) {
            const file = join(folder, dialect.name, `${table}.json`);
            return turns.take(file, async () => work({
                known: await readEntry(file, dialect),
                save: (entry) => saveEntry(file, entry),
            }));
        },
    };
}
async function openFolder(folder) {
    try {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK | constants.X_OK);
    }
    catch (error) {
        throw new CatalogueFailure(`SyncBoot cannot keep its catalogue in ${folder} (${codeOf(error)}): make it writable or set another DATA_DIR`, {
            cause: error,
        });
    }
}
async function readEntry(file, dialect) {
    let text;
    try {
        text = await readFile(file, 'utf8');
    }
    catch (error) {
        if (codeOf(error) === 'ENOENT')
            return undefined;
        throw new CatalogueFailure(`SyncBoot's catalogue file ${nameOf(file)} cannot be read: check the rights of the data folder`, {
            cause: error,
        });
    }
    try {
        return decodeEntry(text, dialect);
    }
    catch (error) {
        throw new CatalogueFailure(`SyncBoot's catalogue file ${nameOf(file)} is damaged: restore it from a backup, or move it away to start this table anew`, { cause: error });
    }
}
async function saveEntry(file, entry) {
    try {
        await writeFileAtomically(file, encodeEntry(entry));
    }
    catch (error) {
        throw new CatalogueFailure(`SyncBoot's catalogue file ${nameOf(file)} cannot be written: check the data folder's rights and free space`, { cause: error });
    }
}
/** Dialect and file name: what an operator needs and a caller may see. */
function nameOf(file) {
    return file.slice(dirname(dirname(file)).length + 1);
}
/** The code of a system error, by its shape: in another realm an error of the file system is no `Error`. */
function codeOf(error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
