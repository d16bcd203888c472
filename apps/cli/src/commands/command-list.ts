import { declareAgents } from './agents.js'
import { declareCall } from './call.js'
import { declareCancel } from './cancel.js'
import type { DeclareCommand } from './command.js'
import { declareDeadLetters } from './dead-letters.js'
import { declareDoctor } from './doctor.js'
import { declareKeys } from './keys.js'
import { declareMcp } from './mcp.js'
import { declareOutcome } from './outcome.js'
import { declareReplay } from './replay.js'
import { declareRerun } from './rerun.js'
import { declareResolve } from './resolve.js'
import { declareTraces } from './traces.js'
import { declareWatch } from './watch.js'

/** All commands, in the order in which `synchub --help` shows them. */
export const COMMANDS: readonly DeclareCommand[] = [
  declareCall,
  declareOutcome,
  declareWatch,
  declareReplay,
  declareTraces,
  declareAgents,
  declareCancel,
  declareDeadLetters,
  declareResolve,
  declareRerun,
  declareDoctor,
  declareKeys,
  declareMcp,
]
