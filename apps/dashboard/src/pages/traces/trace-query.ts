import type { TraceFilter } from '@synchub/client'
import { BAD_ENDINGS, TRACE_STATES, type TraceState, type TraceSummary } from '@synchub/protocol'

/** Which traces a person wants to see; kept in the URL, so that a link shows the same. */
export interface TraceWish {
  readonly state?: AskableState
  readonly tool?: string
  readonly agent?: string
  readonly caller?: string
  readonly text?: string
  /** Only those that began within so many minutes. */
  readonly minutes?: number
}

/** One state, or all that are bad endings: whoever looks for what went wrong need not know in which way it did. */
type AskableState = TraceState | 'bad'

/** The states that one can ask for. */
export const ASKABLE_STATES: readonly AskableState[] = ['bad', ...TRACE_STATES]
/** The periods that one can ask for, in minutes. */
export const PERIODS: readonly number[] = [15, 60, 240, 1440]

const MINUTE_MS = 60_000

/** Reads a wish from the parameters of a URL; what is none is passed over. */
export function readWish(params: URLSearchParams): TraceWish {
  const text = (name: string) => params.get(name) || undefined
  const minutes = PERIODS.find((period) => String(period) === params.get('minutes'))
  return withoutUndefined({
    state: ASKABLE_STATES.find((state) => state === params.get('state')),
    tool: text('tool'),
    agent: text('agent'),
    caller: text('caller'),
    text: text('text'),
    minutes,
  })
}

/** The parameters of a wish; those that it does not know stay as they were. */
export function writeWish(
  params: URLSearchParams,
  wish: { readonly [Name in keyof TraceWish]?: TraceWish[Name] | undefined },
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(wish)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, String(value))
  }
  return next
}

/** Address of the list of traces with these parameters. */
export function addressOfTraces(params: URLSearchParams): string {
  const search = params.toString()
  return search === '' ? '/traces' : `/traces?${search}`
}

/** A wish as the hub's filter. */
export function toFilter({ minutes, state, ...rest }: TraceWish, nowMs: number): TraceFilter {
  const states = state === undefined ? {} : { states: statesOf(state) }
  return {
    ...rest,
    ...states,
    ...(minutes === undefined ? {} : { from: new Date(nowMs - minutes * MINUTE_MS).toISOString() }),
  }
}

/** Whether a trace is still what was wished for; of the rest of a wish, nothing of a trace ever changes. */
export function hasWishedState({ state }: Pick<TraceSummary, 'state'>, wish: TraceWish): boolean {
  return wish.state === undefined || statesOf(wish.state).includes(state)
}

function statesOf(state: AskableState): readonly TraceState[] {
  return state === 'bad' ? BAD_ENDINGS : [state]
}

function withoutUndefined<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    readonly [Name in keyof Value]?: Exclude<Value[Name], undefined>
  }
}
