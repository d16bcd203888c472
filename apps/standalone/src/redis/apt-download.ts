import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { AptRequest } from './apt-install.js'
import { findAptOffer, runApt } from './apt-packages.js'
import { runCommand } from './command.js'

const ARCHIVE_FOLDER = 'archives'

/** The command inside a folder that {@link downloadWithApt} has filled. */
export function downloadedCommand(programDir: string): string {
  return join(programDir, 'redis-server')
}

/**
 * Downloads a server and the libraries that this machine lacks for it from the system's package mirrors and unpacks
 * them into `programDir`, which needs no root and changes nothing on the system. Answers the command; undefined when the
 * packages offer no server that SyncHub runs on. An interrupted download leaves nothing that a later start would trust.
 *
 * @throws Error with the complaint of apt or dpkg, or the system's error when the folder cannot be written.
 */
export async function downloadWithApt(programDir: string, request: AptRequest): Promise<string | undefined> {
  await mkdir(dirname(programDir), { recursive: true })
  const workDir = await mkdtemp(`${programDir}-`)
  try {
    const packages = await downloadPackages(workDir, request)
    if (packages === undefined) return undefined
    request.onProgress(`Redis: unpacking ${packages.length} packages into ${programDir} (2 of 2)`)
    const rootDir = join(workDir, 'root')
    for (const file of packages) {
      const { exitCode, stderr } = await runCommand('dpkg-deb', ['-x', file, rootDir], { signal: request.signal })
      if (exitCode !== 0) throw new Error(`dpkg-deb -x failed: ${stderr.trim()}`)
    }
    await writeLauncher(workDir, rootDir)
    await rm(join(workDir, ARCHIVE_FOLDER), { recursive: true })
    await rm(programDir, { recursive: true, force: true })
    await rename(workDir, programDir)
    return downloadedCommand(programDir)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** Files of the downloaded packages, by the system's package lists or, where those are missing or stale, by fresh ones. */
async function downloadPackages(workDir: string, request: AptRequest): Promise<string[] | undefined> {
  const archiveDir = join(workDir, ARCHIVE_FOLDER)
  await mkdir(archiveDir)
  try {
    const names = await downloadByLists([], archiveDir, request)
    if (names !== undefined) return names
  } catch (error) {
    request.signal?.throwIfAborted()
    request.onProgress(`Redis: the system's package lists do not serve (${String(error)})`)
  }
  request.onProgress('Redis: reading fresh package lists')
  const privateLists = await preparePrivateLists(workDir)
  await runApt('apt-get', [...privateLists, 'update'], request.signal)
  return downloadByLists(privateLists, archiveDir, request)
}

async function downloadByLists(
  aptOptions: readonly string[],
  archiveDir: string,
  { onProgress, signal }: AptRequest,
): Promise<string[] | undefined> {
  const offer = await findAptOffer(aptOptions, signal)
  if (offer === undefined) return undefined
  onProgress(`Redis: downloading ${offer.packageName} ${offer.version} without root (apt-get download, 1 of 2)`)
  const plan = await runApt(
    'apt-get',
    [...aptOptions, '--simulate', '--no-install-recommends', 'install', offer.packageName],
    signal,
  )
  // Of what an installation would bring only the server, its tools and its libraries are needed to run it.
  const wanted = [...plan.stdout.matchAll(/^Inst (\S+)/gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => /^(?:redis|valkey|lib)/.test(name))
  const names = new Set([...wanted, offer.packageName, offer.packageName.replace('-server', '-tools')])
  await runApt('apt-get', [...aptOptions, 'download', ...names], signal, archiveDir)
  return (await readdir(archiveDir)).filter((file) => file.endsWith('.deb')).map((file) => join(archiveDir, file))
}

/** Options that let apt keep its lists in a folder of ours, since only root may write the system's. */
async function preparePrivateLists(workDir: string): Promise<string[]> {
  const stateDir = join(workDir, 'apt-state')
  const cacheDir = join(workDir, 'apt-cache')
  await mkdir(join(stateDir, 'lists', 'partial'), { recursive: true })
  await mkdir(join(cacheDir, 'archives', 'partial'), { recursive: true })
  return [`Dir::State::Lists=${join(stateDir, 'lists')}`, `Dir::Cache=${cacheDir}`].flatMap((option) => ['-o', option])
}

/** The script gives the server its libraries and becomes it, so that the process we start is the server itself. */
async function writeLauncher(workDir: string, rootDir: string): Promise<void> {
  const files = await readdir(rootDir, { recursive: true, withFileTypes: true })
  const libraries = files.filter((file) => /\.so(?:\.\d+)*$/.test(file.name)).map((file) => file.parentPath)
  const server = files.find((file) => /^(?:redis|valkey)-server$/.test(file.name) && file.parentPath.endsWith('bin'))
  if (server === undefined) throw new Error('the downloaded packages hold no server program')
  const inFolder = (path: string): string => `$here/${relative(workDir, path)}`
  const launcher = downloadedCommand(workDir)
  const libraryPath = [...new Set(libraries)].map(inFolder).join(':')
  await writeFile(
    launcher,
    `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
LD_LIBRARY_PATH="${libraryPath}" exec "${inFolder(join(server.parentPath, server.name))}" "$@"
`,
  )
  await chmod(launcher, 0o755)
}
