import { setTimeout as delay } from 'node:timers/promises'
import { defineAgent, defineTool } from '@synchub/agent-sdk'

/** A worker agent whose long tool ends when the test says so. */
export class SteeredWorker {
  /** Names of the work that was begun, in order; no name stands here twice unless something ran twice. */
  readonly begun: string[] = []
  readonly #open = new Map<string, () => void>()

  readonly agent = defineAgent({
    name: 'Worker',
    version: '1.0.0',
    tools: [
      defineTool<{ name: string }>({
        name: 'work',
        description: 'Goes on until the test ends it',
        inputSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        streams: true,
        handler: async ({ name }, { signal, progress }) => {
          this.begun.push(name)
          progress({ progress: 1, total: 2, message: 'half of it' })
          await new Promise<void>((resolve, reject) => {
            this.#open.set(name, resolve)
            signal.addEventListener('abort', () => reject(signal.reason))
          })
          return { structuredContent: { did: name } }
        },
      }),
      defineTool({
        name: 'echo',
        description: 'Answers its arguments',
        inputSchema: { type: 'object' },
        handler: (args) => {
          this.begun.push(`echo ${JSON.stringify(args)}`)
          return { structuredContent: args }
        },
      }),
      defineTool({
        name: 'fail',
        description: 'Runs and fails',
        inputSchema: { type: 'object' },
        handler: () => ({ content: [{ type: 'text', text: 'out of paper' }], isError: true }),
      }),
    ],
  })

  async untilBegun(...names: string[]): Promise<void> {
    while (!names.every((name) => this.#open.has(name))) await delay(10)
  }

  end(name: string): void {
    this.#open.get(name)?.()
  }
}
