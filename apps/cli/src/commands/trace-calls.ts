import type { CallNode, TraceView } from '@synchub/protocol'

/** All calls of a trace, each followed by those that were made for it. */
export function callsOf({ calls }: Pick<TraceView, 'calls'>): CallNode[] {
  return calls.flatMap(withThoseBelow)
}

function withThoseBelow(call: CallNode): CallNode[] {
  return [call, ...call.children.flatMap(withThoseBelow)]
}
