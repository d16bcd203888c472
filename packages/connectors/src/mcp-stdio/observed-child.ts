import type { KeptRequest } from '../mcp/kept-request.js'
import { ObservedTransport } from '../mcp/observed-transport.js'
import type { ChildTransport } from './child-transport.js'

/**
 * The observed transport of a child process. By `pid` and `stderr` the client knows that it speaks to one: a process that is silent
 * when it is asked for the modern revision is greeted as one of the legacy era, over the same pipes.
 */
export class ObservedChildTransport extends ObservedTransport {
  readonly stderr = null
  readonly #child: ChildTransport

  constructor(child: ChildTransport, kept: ReadonlyMap<string, KeptRequest>) {
    super(child, kept)
    this.#child = child
  }

  get pid(): number | null {
    return this.#child.pid
  }
}
