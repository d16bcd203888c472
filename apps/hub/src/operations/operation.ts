import type { OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '@synchub/auth'

/** One request to the operations API; holds nothing of Express. */
export interface OperationRequest {
  readonly principal: Principal
  /** Path and query as they came. */
  readonly url: string
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** A header by its name in lower case. */
  header(name: string): string | undefined
  /** The JSON body of a POST; an empty object where there is none. @throws HubError */
  readBody(): Promise<Readonly<Record<string, unknown>>>
}

/** The answer of an operation: JSON with a status. */
export interface OperationReply {
  readonly status?: number
  readonly body: unknown
  readonly headers?: OutgoingHttpHeaders
}

/** One route of the operations API. */
export interface Operation {
  readonly method: 'get' | 'post'
  readonly path: string
  /** @throws HubError */
  handle(request: OperationRequest): Promise<OperationReply>
}
