import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folders: string[] = []

/** Makes an empty folder and gives its real path. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'syncinsight-')))
  folders.push(folder)
  return folder
}

/** Makes a folder with files in it; names may hold folders. */
export async function makeFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await makeFolder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return folder
}

/** Removes what the functions above made; for `afterEach`. */
export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}
