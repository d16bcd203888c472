import type { TraceEventItem } from '@synchub/client'
import { readFailure } from '../../../hub/failure.js'
import type { Format } from '../../../language/written-format.js'

/**
 * What an event says, in one line. Words of agents stand as they came: they are text and nothing else.
 * @param toolFailed - how the reader's language says that a tool ran and failed
 */
export function summarizeEvent({ event, data }: TraceEventItem, format: Format, toolFailed: string): string {
  switch (event) {
    case 'received':
      return `${data.caller} → ${data.agent}`
    case 'started':
      return `#${data.attempt}`
    case 'progress': {
      const far = data.total ? format.percent(data.progress / data.total) : format.number(data.progress)
      return data.message === undefined ? far : `${far}  ${data.message}`
    }
    case 'retrying':
      return `${data.reason} (+${format.duration(data.delayMs)})`
    case 'complete': {
      const ran = format.duration(data.executionTimeMs)
      return data.isError ? `${ran}  ${toolFailed}` : ran
    }
    case 'failed':
    case 'refused':
    case 'cancelled':
    case 'unknown': {
      const failure = readFailure(data.error)
      return failure === undefined ? '' : `${failure.code}  ${failure.reason}`
    }
    case 'resolved':
      return `${data.by}: ${data.reason}`
    case 'input_requested':
      return Object.keys(data.inputRequests).join(', ')
    case 'input_received':
      return data.answered.join(', ')
    case 'accepted':
    case 'handed_back':
      return ''
  }
}
