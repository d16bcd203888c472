import { parseArgs } from 'node:util'
import { HubError } from '@synchub/protocol'
import { playDemonstration } from './demonstration/demonstration.js'
import { readEnvironment } from './env.js'
import { type Standalone, startStandalone } from './standalone.js'
import { StartError } from './start-error.js'
import { USAGE } from './usage.js'
import { welcome } from './welcome.js'

/**
 * `npm start`: starts everything, plays the demonstration, serves until a signal, and sets the exit code: 0 after Ctrl-C, 1 with
 * one sentence and a remedy when something cannot be.
 * @param args what follows `npm start --`
 */
export async function main(args: readonly string[]): Promise<void> {
  const interruption = new AbortController()
  const interrupt = () => interruption.abort()
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  let standalone: Standalone | undefined
  try {
    const { demo, help } = readArguments(args)
    if (help) {
      process.stdout.write(USAGE)
      return
    }
    const { signal } = interruption
    standalone = await startStandalone({ environment: readEnvironment(), onProgress: say, signal })
    await Promise.race([serve(standalone, demo, signal), standalone.failed])
  } catch (thrown) {
    if (!interruption.signal.aborted) complain(thrown)
  } finally {
    if (standalone !== undefined) {
      say('ending: hub, dispatcher, agents, Redis')
      await standalone.stop()
      say('ended')
    }
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function serve({ url, logDir, isOpen }: Standalone, demo: boolean, signal: AbortSignal): Promise<void> {
  let traceId: string | undefined
  if (demo && !isOpen) say('The demonstration is left out: access.mode is "keys", and it has no key')
  if (demo && isOpen) {
    try {
      traceId = (await playDemonstration({ url, stream: process.stdout, signal })).traceId
    } catch (thrown) {
      // The hub serves all the same; what went wrong is said.
      if (!signal.aborted) say(`The demonstration could not be played: ${describe(thrown)}`)
    }
  }
  if (signal.aborted) return
  process.stdout.write(welcome({ url, logDir, isOpen, traceId }))
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function readArguments(args: readonly string[]): { readonly demo: boolean; readonly help: boolean } {
  try {
    const options = { 'no-demo': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
    const { values } = parseArgs({ args: [...args], options, strict: true })
    return { demo: values['no-demo'] !== true, help: values.help === true }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`Arguments: ${message}`, 'npm start -- --help says what may follow.', { cause })
  }
}

function say(line: string): void {
  process.stdout.write(`      ${line}\n`)
}

function complain(thrown: unknown): void {
  process.exitCode = 1
  if (thrown instanceof StartError) process.stderr.write(`\n${thrown.message}\n${thrown.remedy}\n`)
  else process.stderr.write(`\n${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`)
}

function describe(thrown: unknown): string {
  if (thrown instanceof HubError) return `${thrown.message}. ${thrown.details.nextStep ?? thrown.definition.nextStep}`
  return thrown instanceof Error ? thrown.message : String(thrown)
}
