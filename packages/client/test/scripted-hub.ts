import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from '@jest/globals'

/** A request as the scripted hub received it. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Parsed JSON of the body. */
  readonly body: RpcBody
}

/** What a POST /rpc holds, as far as scripts look at it. */
interface RpcBody {
  readonly method?: string
  readonly params?: Record<string, unknown> & { readonly _meta?: Record<string, unknown> }
}

/** Answers one request; `index` counts all requests from 0. */
export type Script = (request: ReceivedRequest, response: ServerResponse, index: number) => void | Promise<void>

/** A real HTTP server that plays the hub by a script, and can go away and come back at the same address. */
export class ScriptedHub {
  readonly requests: ReceivedRequest[] = []
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((thrown: unknown) => {
      this.#failure ??= thrown
      response.destroy()
    })
  })
  #port = 0
  readonly #script: Script
  #failure: unknown

  private constructor(script: Script) {
    this.#script = script
  }

  static async start(script: Script): Promise<ScriptedHub> {
    const hub = new ScriptedHub(script)
    await hub.resume()
    return hub
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Requests of a JSON-RPC method. */
  rpc(method: string): ReceivedRequest[] {
    return this.requests.filter(({ body }) => body.method === method)
  }

  /** Cuts every connection and listens no more. */
  async pause(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Listens again at the address it had. */
  async resume(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Ends the hub; a script that threw fails the test here. */
  async stop(): Promise<void> {
    await this.pause()
    if (this.#failure !== undefined) throw new Error('the script of the hub threw', { cause: this.#failure })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', 'http://hub')
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? {} : (JSON.parse(text) as RpcBody),
    }
    this.requests.push(received)
    await this.#script(received, response, this.requests.length - 1)
  }
}

/** A way to start scripted hubs that are stopped after each test of the file. */
export function scriptedHubs(): (script: Script) => Promise<ScriptedHub> {
  const hubs: ScriptedHub[] = []
  afterEach(async () => {
    for (const hub of hubs.splice(0)) await hub.stop()
  })
  return async (script) => {
    const hub = await ScriptedHub.start(script)
    hubs.push(hub)
    return hub
  }
}
