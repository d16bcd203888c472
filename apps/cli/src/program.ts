import { readFileSync } from 'node:fs'
import { createClient, HubConnection } from '@synchub/client'
import { Command, CommanderError, Help, type Option } from 'commander'
import type { CommandContext, DeclareCommand } from './commands/command.js'
import { declareMcp } from './commands/mcp.js'
import type { CliEnv } from './env.js'
import { describeExitCodes, EXIT_CODES, type ExitName } from './outcome/exit-code.js'
import { reportFailure, UsageError } from './outcome/failure.js'
import { cleanLine, jsonLine } from './terminal/clean-text.js'
import type { Interrupts } from './terminal/interrupts.js'
import { createScreen, type TextStream } from './terminal/screen.js'
import { shellWord } from './terminal/shell-word.js'

/** Where the command reads and writes. */
export interface CliStreams {
  readonly stdin: AsyncIterable<Buffer | string>
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly interrupts: Interrupts
}

interface GlobalFlags {
  readonly url: string
  readonly color: boolean
}

/** Runs the command line and gives the exit code (see {@link EXIT_CODES}); never throws. */
export async function runCli(words: readonly string[], env: CliEnv, streams: CliStreams): Promise<number> {
  let exit: ExitName = 'ok'
  const program = createProgram(env, streams)
  for (const declare of await commandsFor(words)) {
    declare(program, async (command, work) => {
      exit = await runCommand(command, env, streams, work)
    })
  }
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown
    // Commander has already said what is wrong; help and version come this way too, with exit code 0.
    exit = thrown.exitCode === 0 ? 'ok' : 'usage'
  }
  return EXIT_CODES[exit].code
}

function createProgram(env: CliEnv, { stdout, stderr }: CliStreams): Command {
  return new Command('synchub')
    .description('Call the tools of a SyncHub hub, watch them work, and operate it.')
    .version(readVersion())
    .option('--url <url>', 'address of the hub (SYNCHUB_URL)', env.hubUrl)
    .option('--no-color', 'no colours (NO_COLOR)')
    .addHelpText(
      'after',
      `
Environment:
  SYNCHUB_URL      address of the hub
  SYNCHUB_API_KEY  API key, where the hub asks for one; never given on the command line, which others can read

${describeExitCodes()}`,
    )
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .showHelpAfterError('(add --help for the options and examples)')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'synchub: ')),
    })
}

/** What a command cannot do without is told before it is missed. */
function describeOption(option: Option): string {
  const description = new Help().optionDescription(option)
  return option.mandatory ? `${description} (required)` : description
}

/** The one wrapper of all commands: whatever a command throws becomes a message and an exit code here. */
async function runCommand(
  command: Command,
  env: CliEnv,
  streams: CliStreams,
  work: (context: CommandContext) => Promise<ExitName>,
): Promise<ExitName> {
  const context = createContext(command.optsWithGlobals<GlobalFlags>(), env, streams)
  try {
    return await work(context)
  } catch (thrown) {
    const { exit, lines, error } = reportFailure(context, thrown)
    for (const line of lines) context.err.line(line)
    if (error !== undefined && command.opts<{ json?: boolean }>().json === true) context.out.line(jsonLine({ error }))
    return exit
  }
}

function createContext({ url, color }: GlobalFlags, env: CliEnv, streams: CliStreams): CommandContext {
  const hub = { baseUrl: url, apiKey: env.apiKey }
  const options = {
    ...(color && !env.noColor ? {} : { color: false }),
    ...(env.canRedraw ? {} : { live: false }),
  }
  return {
    client: () => reach(() => createClient(hub)),
    connection: () => reach(() => new HubConnection(hub)),
    out: createScreen(streams.stdout, options),
    err: createScreen(streams.stderr, options),
    stdin: streams.stdin,
    interrupts: streams.interrupts,
    commandLine(...given) {
      const globals = [...(url === env.hubUrl ? [] : ['--url', url]), ...(color ? [] : ['--no-color'])]
      return ['synchub', ...given, ...globals].map((word) => shellWord(cleanLine(word))).join(' ')
    },
  }
}

function reach<T>(open: () => T): T {
  try {
    return open()
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError(`--url: ${cause.message}`, { cause })
    throw cause
  }
}

/**
 * An MCP host waits for its server at each start, and starts it twice to learn what it speaks: the other commands, and what they draw
 * with, would take most of that time.
 */
async function commandsFor(words: readonly string[]): Promise<readonly DeclareCommand[]> {
  return words[0] === 'mcp' ? [declareMcp] : (await import('./commands/command-list.js')).COMMANDS
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
