import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from '@jest/globals'
import { type JsonObject, resultResponse } from '@synchub/protocol'

/** What a command sent. */
interface CommandRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly method?: string; readonly params?: JsonObject & { readonly _meta?: JsonObject } }
}

/** Plays the hub for one request; `ping`, which commands begin with, is answered before it. */
export type HubScript = (request: CommandRequest, response: ServerResponse) => void | Promise<void>

/** A hub that plays by a script, and the environment in which the command finds it. */
export interface PlayedHub {
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** What was sent to it, `ping` left out. */
  readonly requests: readonly CommandRequest[]
  stop(): Promise<void>
}

/** A way to start hubs that play by a script; each is stopped after its test. */
export function playedHubs(): (script: HubScript) => Promise<PlayedHub> {
  const hubs: PlayedHub[] = []
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map((hub) => hub.stop()))
  })
  return async (script) => {
    const hub = await playHub(script)
    hubs.push(hub)
    return hub
  }
}

async function playHub(script: HubScript): Promise<PlayedHub> {
  const requests: CommandRequest[] = []
  const server = createServer((req, res) => {
    readRequest(req)
      .then((request) => {
        if (request.body.method === 'ping') return answerPing(res)
        requests.push(request)
        return script(request, res)
      })
      .catch((thrown: unknown) => res.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { env: { SYNCHUB_URL: url }, url, requests, stop }
}

async function readRequest(req: IncomingMessage): Promise<CommandRequest> {
  let text = ''
  for await (const chunk of req.setEncoding('utf8')) text += String(chunk)
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://hub')
  const body = JSON.parse(text || '{}') as CommandRequest['body']
  return { path: pathname, query: searchParams, headers: req.headers, body }
}

function answerPing(res: ServerResponse): void {
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify(resultResponse(1, {})))
}
