import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
/**
 * Replaces a file so that a reader, and a machine that lost power, finds the old content or the new one and never a part: a
 * neighbour is written and flushed, takes the name, and the folder is flushed. The neighbour's name is fixed, so what a crash
 * left behind is overwritten next time; the caller sees to it that only one write of a file runs.
 */
export async function writeFileAtomically(path, text) {
    const neighbour = `${path}.tmp`;
    const file = await open(neighbour, 'w');
    try {
        await file.writeFile(text, 'utf8');
        await file.sync();
    }
    finally {
        await file.close();
    }
    await rename(neighbour, path);
    const folder = await open(dirname(path), 'r');
    try {
        await folder.sync();
    }
    finally {
        await folder.close();
    }
}
