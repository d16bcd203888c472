// Generates load from a process of its own.
import { answerQuestions } from '../load/answering.mjs'
import { runClosedLoop } from '../load/closed-loop.mjs'

answerQuestions(runClosedLoop)
process.send?.({ ready: true })
