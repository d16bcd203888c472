import type { StepOutcome, StepState } from '../run/step-outcome.js'
import type { EndedPlan } from './ended-plan.js'

/**
 * A plan's end in Markdown, for people and models. It holds names and numbers alone: what tools and agents wrote is text from elsewhere
 * and stands in the structured result, where nothing takes it for ours.
 */
export function summarizePlan(
  { traceId, durationMs, outcomes }: EndedPlan,
  counts: Readonly<Partial<Record<StepState, number>>>,
): string {
  const states = Object.entries(counts).map(([state, count]) => `${count} ${words(state)}`)
  const steps = `${outcomes.length} ${outcomes.length === 1 ? 'step' : 'steps'}`
  const heading = `Plan of ${steps} in the trace ${traceId}, ended after ${durationMs} ms: ${states.join(', ')}.`
  return [
    heading,
    '',
    '| step | tool | end | ms | call |',
    '| --- | --- | --- | --- | --- |',
    ...outcomes.map(row),
  ].join('\n')
}

function row({ id, tool, state, durationMs, callId, error, skippedBecause, replayed }: StepOutcome): string {
  const why = error === undefined ? skippedBecause?.join(', ') : error.code
  const end = `${words(state)}${why === undefined ? '' : ` (${why})`}${replayed === undefined ? '' : ', found again'}`
  return `| ${[code(id), code(tool), end, durationMs ?? '', callId === undefined ? '' : code(callId)].join(' | ')} |`
}

/** Names may begin and end with underscores, which Markdown would take for emphasis; they hold no backtick. */
function code(name: string): string {
  return `\`${name}\``
}

function words(state: string): string {
  return state.replace('_', ' ')
}
