import { randomBytes } from 'node:crypto'
import { hashApiKey, isScope, SCOPES } from '@synchub/auth'
import { AGENT_NAME_RULE, isAgentName } from '@synchub/protocol'
import { type Command, InvalidArgumentError } from 'commander'
import { jsonLine } from '../terminal/clean-text.js'
import type { RunCommand } from './command.js'
import { examples } from './examples.js'

interface KeyFlags {
  readonly name: string
  readonly tenant: string
  readonly agent: string
  readonly subject?: string
  readonly scope: readonly string[]
  readonly json?: boolean
}

/** A key has 256 random bits, so that its hash can be kept without a slow function. */
const KEY_BYTES = 32
const SCOPE_NAMES = Object.keys(SCOPES).join(', ')

/** `synchub keys new`: makes an API key; local, no hub is asked. */
export function declareKeys(program: Command, run: RunCommand): void {
  const keys = program.command('keys').description('API keys of callers (local: no hub is asked).')
  const command = keys
    .command('new')
    .description('Make an API key: prints the key, once, and the entry for access.keys in synchub.config.json.')
    .requiredOption('--name <name>', 'what people call the key', parseName)
    .requiredOption('--tenant <name>', 'the tenant of its holder', parseName)
    .requiredOption('--agent <name>', 'the caller agent that holds it', parseName)
    .requiredOption('--scope <scopes...>', `what it may do: ${SCOPE_NAMES}`, collectScope)
    .option('--subject <name>', 'owner of what it makes; the agent by default', parseName)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'synchub keys new --name ci --tenant acme --agent SyncVerse --scope tools:call',
        'synchub keys new --name desk --tenant acme --agent operator --scope traces:read:tenant calls:cancel:tenant',
      ),
    )
  command.action((flags: KeyFlags) => {
    return run(command, async ({ out, err }) => {
      const apiKey = `shk_${randomBytes(KEY_BYTES).toString('base64url')}`
      const { name, tenant, agent, subject = agent, scope: scopes } = flags
      const entry = { name, sha256: hashApiKey(apiKey), tenant, agent, subject, scopes }
      if (flags.json === true) {
        out.line(jsonLine({ apiKey, entry }))
        return 'ok'
      }
      err.line('The key is shown once and kept nowhere. Its holder sets it as SYNCHUB_API_KEY:')
      out.line(apiKey)
      err.line('Entry for access.keys in synchub.config.json (access.mode: "keys"):')
      out.line(jsonLine(entry))
      return 'ok'
    })
  })
}

function parseName(text: string): string {
  if (isAgentName(text)) return text
  throw new InvalidArgumentError(`A name is ${AGENT_NAME_RULE}.`)
}

function collectScope(text: string, earlier: readonly string[] = []): readonly string[] {
  if (isScope(text)) return [...earlier, text]
  throw new InvalidArgumentError(`Scopes are ${SCOPE_NAMES}.`)
}
