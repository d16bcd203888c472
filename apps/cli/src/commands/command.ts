import type { Client, HubConnection } from '@synchub/client'
import type { Command } from 'commander'
import type { ExitName } from '../outcome/exit-code.js'
import type { Interrupts } from '../terminal/interrupts.js'
import type { Screen } from '../terminal/screen.js'

/** What a command works with; everything that touches the process comes from here. */
export interface CommandContext {
  /** A client of that hub. @throws UsageError when the address is none */
  client(): Client
  /** A connection to that hub, for what is said to it in another way than a client's. @throws UsageError as `client` */
  connection(): HubConnection
  /** Standard output: what the command is asked for. */
  readonly out: Screen
  /** Standard error: progress, hints and failures. */
  readonly err: Screen
  readonly stdin: AsyncIterable<Buffer | string>
  readonly interrupts: Interrupts
  /** A command to paste that asks the same hub, its words cleaned and quoted for a shell. */
  commandLine(...words: readonly string[]): string
}

/** Hands the command's work to the one wrapper that turns failures into messages and exit codes. */
export type RunCommand = (command: Command, work: (context: CommandContext) => Promise<ExitName>) => Promise<void>

/** A command: declares itself on the program and hands its work to `run`. */
export type DeclareCommand = (program: Command, run: RunCommand) => void
