import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What a program of this folder left. */
export interface ProgramEnd {
  readonly exitCode: number | null
  readonly lines: readonly string[]
  /** What stayed in the folder for temporary files, which was its own. */
  readonly leftBehind: readonly string[]
}

/** Runs a program of this folder to its end. */
export async function runProgram(name: string, args: readonly string[]): Promise<ProgramEnd> {
  const temporary = mkdtempSync(join(tmpdir(), 'synchub-chaos-test-'))
  const child = spawn(process.execPath, [`infra/chaos/${name}`, ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>])
  const leftBehind = readdirSync(temporary)
  // A run that found something says so; its folder is for whoever runs it by hand.
  rmSync(temporary, { recursive: true, force: true })
  return { exitCode, lines: output.trim().split('\n'), leftBehind }
}
