import { once } from 'node:events'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Resolves once a program has written this file, whole with its last line break, with what is in it. */
export async function written(folder: string, name: string): Promise<string> {
  const watcher = watch(folder)
  try {
    for (;;) {
      const changed = once(watcher, 'change')
      const text = await readFile(join(folder, name), 'utf8').catch(() => '')
      if (text.endsWith('\n')) return text.trim()
      await changed
    }
  } finally {
    watcher.close()
  }
}
