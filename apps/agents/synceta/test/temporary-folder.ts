import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folders: string[] = []

/** A new folder with these files, by its real path; names of files may hold folders, and what is no text is written as JSON. */
export async function makeFolder(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'synceta-')))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** Removes what {@link makeFolder} made; for `afterEach`. */
export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}
