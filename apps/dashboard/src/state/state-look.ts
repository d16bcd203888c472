import type { CallState, TraceState } from '@synchub/protocol'
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react'

/** How a state looks everywhere. */
interface StateLook {
  readonly icon: LucideIcon
  /** A custom property of the tokens. */
  readonly color: string
}

/** The look of each state; a new state cannot be forgotten. */
export const STATE_LOOKS: Readonly<Record<CallState | TraceState, StateLook>> = {
  received: { icon: CircleDashed, color: 'var(--state-queued)' },
  queued: { icon: CircleDashed, color: 'var(--state-queued)' },
  running: { icon: LoaderCircle, color: 'var(--state-running)' },
  awaiting_input: { icon: CircleDashed, color: 'var(--state-running)' },
  completed: { icon: CircleCheck, color: 'var(--state-completed)' },
  failed: { icon: CircleX, color: 'var(--state-failed)' },
  tool_failed: { icon: CircleX, color: 'var(--state-failed)' },
  refused: { icon: Ban, color: 'var(--state-refused)' },
  cancelled: { icon: CircleSlash, color: 'var(--state-cancelled)' },
  unknown: { icon: CircleHelp, color: 'var(--state-unknown)' },
}
