import { type ErrorCode, errorDefinition, errorResponse, type HubError, type RequestId } from '@synchub/protocol'

/** The server cannot begin the call: for callers on these paths one code, whatever it is that is away (S1.9). */
const CANNOT_START: ReadonlySet<ErrorCode> = new Set([
  'HUB_UNAVAILABLE',
  'STORE_FULL',
  'AGENT_UNAVAILABLE',
  'CONTRACT_BROKEN',
])

/**
 * A failure as a public path answers it: a top-level JSON-RPC error, with the exchange's guid and the cause beside the members that
 * every surface has (S1.9). `data.title` tells causes apart that share a code.
 * @param instance - never the public path, which no payload shows (S1.2)
 */
export function errorBody(id: RequestId | null, error: HubError, instance: string, guid: string): object {
  const response = errorResponse(id, error, instance)
  if (!('error' in response)) return response
  const { code, message, data } = response.error
  return {
    ...response,
    error: {
      code: CANNOT_START.has(error.code) ? errorDefinition('INTERNAL_ERROR').rpcCode : code,
      message,
      data: { ...data, guid, cause: error.reason },
    },
  }
}
