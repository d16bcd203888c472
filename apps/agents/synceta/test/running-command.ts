import { type RunningAgent, startAgent } from './running-agent.js'
import { written } from './written-file.js'

/** An agent with one suite that runs a program of this text. */
export async function running(
  program: string,
  suite: object = {},
  more: { readonly limits?: object; readonly variables?: Record<string, string> } = {},
): Promise<RunningAgent> {
  const settings = { kind: 'command', command: [process.execPath, 'program.mjs'], output: 'tap', ...suite }
  const configuration = { suites: { unit: settings }, limits: { killGraceMs: 100, ...more.limits } }
  return startAgent(configuration, { 'program.mjs': program }, more.variables)
}

/** A program that prints this. */
export const printing = (text: string) => `process.stdout.write(${JSON.stringify(text)})\n`

/** Lets a program write the numbers of its processes where the test finds them. */
export const NOTE = `import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const note = (...pids) => { writeFileSync('pids.tmp', pids.join(' ') + '\\n'); renameSync('pids.tmp', 'pids') }
const child = (code, options = {}) => spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit'], ...options })
const FOREVER = 'setInterval(() => {}, 1000)'
`

/** What a program has noted. */
export async function pidsOf({ folder }: RunningAgent): Promise<number[]> {
  return (await written(folder, 'pids')).split(' ').map(Number)
}
