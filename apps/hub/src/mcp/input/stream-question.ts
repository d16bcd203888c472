import { type CallRecord, pendingRequests } from '@synchub/core'
import { findUndeclaredInput, HubError, isJsonObject, type JsonObject } from '@synchub/protocol'
import type { SubmittedCall } from '../../calls/call-desk.js'
import type { HubContext } from '../../hub-context.js'
import type { McpCall } from '../mcp-method.js'
import { nameQuestion } from './question-name.js'

/**
 * Asks a client of the legacy era what the agent asks: as requests of the server on the stream of its own request. Settles when
 * the call goes on, or nobody waits any more. The answers are posted for themselves, to whichever hub.
 * @param meta - metadata of each of the requests
 * @throws HubError CAPABILITY_MISSING
 */
export async function askOnStream(
  { callId, trace }: SubmittedCall,
  { notices, gone, clientCapabilities }: McpCall,
  context: HubContext,
  meta?: JsonObject,
): Promise<void> {
  const { store, feeds, reader } = context
  const record = await store.log.find(callId)
  if (record?.state !== 'awaiting_input' || record.question === undefined) return
  const { question } = record
  const pending = pendingRequests(question)
  // Its call may be that of an earlier request, whose client could be asked.
  const requiredCapabilities = findUndeclaredInput(pending, notices.areRead ? clientCapabilities : {})
  if (requiredCapabilities !== undefined) {
    const reason = 'the agent asks what this client has not said it can answer, or cannot read'
    const { traceId } = trace
    throw new HubError('CAPABILITY_MISSING', reason, { callId, traceId, requiredCapabilities })
  }
  let goOn = () => {}
  const answered = new Promise<void>((resolve) => {
    goOn = resolve
  })
  gone.addEventListener('abort', goOn, { once: true })
  const head = await reader.head(trace)
  const watch = await feeds.watch({
    trace,
    after: head?.id ?? null,
    follow: true,
    sink: {
      deliver({ entries }) {
        if (entries.some((entry) => entry.callId === callId && entry.event !== 'input_received')) goOn()
        return true
      },
      reset: goOn,
      end: goOn,
      fail: goOn,
    },
  })
  try {
    for (const [name, { method, params }] of Object.entries(pending)) {
      const id = nameQuestion(record, question, name)
      const asked = isJsonObject(params) ? params : {}
      // A page has a name of its own in this era alone.
      const page = asked.mode === 'url' ? { elicitationId: id } : {}
      notices.ask(id, String(method), { ...page, ...asked, ...(meta === undefined ? {} : { _meta: meta }) })
    }
    // It may have gone on before anybody watched.
    if (gone.aborted || !isStillAsked(await store.log.find(callId), question.askedAtMs)) goOn()
    await answered
  } finally {
    watch.close()
    gone.removeEventListener('abort', goOn)
  }
}

function isStillAsked(record: CallRecord | null, askedAtMs: number): boolean {
  return record?.state === 'awaiting_input' && record.question?.askedAtMs === askedAtMs
}
