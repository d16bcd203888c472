import type { Command } from 'commander'
import type { CheckFinding } from '../doctor/check.js'
import { checkHub } from '../doctor/hub-checks.js'
import { checkNodeVersion } from '../doctor/node-version.js'
import { cleanLine, jsonLine } from '../terminal/clean-text.js'
import type { Screen } from '../terminal/screen.js'
import { padColumns } from '../terminal/table.js'
import type { RunCommand } from './command.js'
import { examples } from './examples.js'

/** `synchub doctor`: looks for what keeps calls from working, and says what to do. */
export function declareDoctor(program: Command, run: RunCommand): void {
  const command = program
    .command('doctor')
    .description('Look for what keeps calls from working, and say what to do. Exit code 1 if anything does.')
    .option('--json', 'print one JSON object per check')
    .addHelpText('after', examples('synchub doctor', 'synchub doctor --url https://hub.example --json'))
  command.action((flags: { readonly json?: boolean }) => {
    return run(command, async (context) => {
      const findings = [checkNodeVersion(), ...(await checkHub(context.client()))]
      for (const finding of findings) {
        if (flags.json === true) context.out.line(jsonLine(finding))
        else printFinding(context.out, finding)
      }
      return findings.some(({ state }) => state === 'failed') ? 'failed' : 'ok'
    })
  })
}

function printFinding({ line, colors }: Screen, { name, state, detail, remedy }: CheckFinding): void {
  const marks = { ok: colors.green('✔'), failed: colors.red('✘'), skipped: colors.dim('-') }
  line(`${marks[state]} ${padColumns(cleanLine(name), 24)} ${cleanLine(detail)}`)
  if (remedy !== undefined) line(`  → ${remedy}`)
}
