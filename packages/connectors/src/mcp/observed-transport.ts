import { setTimeout as pause } from 'node:timers/promises'
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client'
import { isJsonObject } from '@synchub/protocol'
import { BrokenAnswerError } from '../answer/broken-answer.js'
import { ExchangeError } from '../http/exchange-error.js'
import { isFormatError } from './format-error.js'
import type { KeptRequest } from './kept-request.js'
import { answerBeingRead, PendingRequest } from './pending-request.js'

/** Longest time that a cancel may take to be told. */
const CANCEL_TIMEOUT_MS = 1_000

/** JSON-RPC code of an answer that we put in the place of one that will not come; its data is the very error. */
const STAND_IN_CODE = -32603

/** A transport that can say why it ended. */
export interface EndingTransport extends Transport {
  readonly failure?: Error | undefined
}

/**
 * Stands between the client and its transport and sees to what the client leaves out: progress is taken in order and before the
 * answer, an answer that cannot come fails its request at once, and the result of a call is kept as it came.
 */
export class ObservedTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  readonly #inner: EndingTransport
  readonly #kept: ReadonlyMap<string, KeptRequest>
  readonly #pending = new Map<RequestId, PendingRequest>()
  readonly #cancels = new Set<Promise<void>>()

  /** @param kept - our own requests that run, by progress token */
  constructor(inner: EndingTransport, kept: ReadonlyMap<string, KeptRequest>) {
    this.#inner = inner
    this.#kept = kept
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version)
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#take(message)
    this.#inner.onerror = (error) => this.#takeError(error)
    this.#inner.onclose = () => void this.#takeClose()
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if ('method' in message && 'id' in message) return this.#sendRequest(message, options)
    const cancelled = cancelledIdOf(message)
    if (cancelled === undefined) return this.#inner.send(message, options)
    return this.#sendCancel(cancelled, message, options)
  }

  async close(): Promise<void> {
    await Promise.race([Promise.allSettled(this.#cancels), pause(CANCEL_TIMEOUT_MS, undefined, { ref: false })])
    await this.#inner.close()
  }

  async #sendRequest(message: JSONRPCRequest, options: TransportSendOptions): Promise<void> {
    const { id } = message
    const kept = this.#kept.get(progressTokenOf(message.params?._meta) ?? '')
    const pending = new PendingRequest(id, kept, (error) =>
      this.#answer(pending, {
        jsonrpc: '2.0',
        id,
        error: { code: STAND_IN_CODE, message: error.message, data: error },
      }),
    )
    this.#pending.set(id, pending)
    const { requestSignal } = options
    requestSignal?.addEventListener('abort', () => this.#pending.delete(id), { once: true })
    const lost = () => pending.fail(new ExchangeError('lost', 'the agent ended its answer before the end'))
    const own: TransportSendOptions = {
      ...options,
      requestSignal:
        requestSignal === undefined ? pending.cutSignal : AbortSignal.any([requestSignal, pending.cutSignal]),
      onRequestStreamEnd: lost,
    }
    try {
      await answerBeingRead.run(pending, () => this.#inner.send(message, own))
    } catch (thrown) {
      this.#pending.delete(id)
      throw thrown
    }
    if (!pending.isReadWhole || pending.isAnswered) return
    pending.fail(new BrokenAnswerError('the agent answered without an answer to the request'))
  }

  /** After a cancel no answer comes, so the request's own connection is closed once the cancel is out. */
  async #sendCancel(id: RequestId, message: JSONRPCMessage, options: TransportSendOptions): Promise<void> {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    const bounded = { ...options, requestSignal: AbortSignal.timeout(CANCEL_TIMEOUT_MS) }
    const sending = this.#inner.send(message, bounded).finally(() => {
      pending?.cut()
      this.#cancels.delete(sending)
    })
    this.#cancels.add(sending)
    await sending
  }

  #take(message: JSONRPCMessage): void {
    // The library has checked the shape, with a schema that costs more than all of this: what is there tells kinds apart.
    if (!('method' in message)) this.#takeAnswer(message)
    else if (message.method === 'notifications/progress' && !('id' in message)) {
      this.#kept.get(progressTokenOf(message.params) ?? '')?.report(message.params)
    } else {
      answerBeingRead.getStore()?.kept?.showLife()
      this.onmessage?.(message)
    }
  }

  #takeAnswer(message: JSONRPCResponse): void {
    const pending = message.id === undefined ? undefined : this.#pending.get(message.id)
    // An answer to nothing that was asked: on a stream of its own it is all that its request gets.
    const reading = answerBeingRead.getStore()
    if (pending !== undefined) this.#answer(pending, message)
    else if (reading === undefined || reading.isAnswered) this.onmessage?.(message)
    else if ('error' in message && message.id === undefined) {
      // The agent refused before it had read the id.
      this.#answer(reading, { ...message, id: reading.id })
    } else reading.fail(new BrokenAnswerError("the answer's id is not that of the request"))
  }

  #answer(pending: PendingRequest, message: JSONRPCResponse): void {
    const { id, kept } = pending
    pending.answered()
    this.#pending.delete(id)
    if (kept === undefined) {
      this.onmessage?.(message)
      return
    }
    const seen = 'result' in message ? { ...message, result: kept.keepResult(message.result) } : message
    void kept.settled().then(() => this.onmessage?.(seen))
  }

  #takeError(error: Error): void {
    const reading = answerBeingRead.getStore()
    // What goes wrong with a request is told by its end.
    if (reading === undefined) this.onerror?.(error)
    else if (isFormatError(error)) {
      reading.fail(new BrokenAnswerError('the agent sent what is no JSON-RPC', { cause: error }))
    }
  }

  async #takeClose(): Promise<void> {
    const error = this.#inner.failure ?? new ExchangeError('lost', 'the connection to the agent was closed')
    const open = [...this.#pending.values()]
    for (const pending of open) pending.fail(error)
    // The client gives every request up as soon as it is told; each is to be answered before, with the reason.
    await Promise.all(open.map(async ({ kept }) => kept?.settled()))
    this.onclose?.()
  }
}

function progressTokenOf(holder: unknown): string | undefined {
  const token = isJsonObject(holder) ? holder.progressToken : undefined
  return typeof token === 'string' ? token : undefined
}

function cancelledIdOf(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
