import { type AgentQueues, type JobEnd, openAgentQueues, type QueueWorker, startQueueWorker } from '../../src/index.js'
import { atEnd } from '../place/cleanup.js'
import type { TestStore } from '../place/test-store.js'

interface WorkerOptions {
  readonly agent?: string
  readonly concurrency?: number
  run?(callId: string): Promise<JobEnd>
}

/** A worker that notes what it ran. */
export class TestWorker {
  readonly ran: string[] = []
  readonly failures: unknown[] = []
  readonly #waiting = new Set<() => void>()
  readonly #worker: QueueWorker

  constructor({ link }: TestStore, { agent = 'SyncBoot', concurrency = 1, run = async () => 'done' }: WorkerOptions) {
    this.#worker = startQueueWorker(link, {
      agent,
      concurrency,
      run: (callId) => {
        this.ran.push(callId)
        this.#look()
        return run(callId).finally(() => this.#look())
      },
      onFailure: (thrown) => {
        this.failures.push(thrown)
        this.#look()
      },
    })
  }

  until(isDone: (worker: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isDone(this)) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  close(): Promise<void> {
    return this.#worker.close()
  }

  #look(): void {
    for (const look of this.#waiting) look()
  }
}

/** Starts a worker that is closed at the end of the test. */
export function startWorker(store: TestStore, options: WorkerOptions = {}): TestWorker {
  const worker = new TestWorker(store, options)
  atEnd(() => worker.close())
  return worker
}

/** Opens queues that are closed at the end of the test. */
export function openQueues({ link }: TestStore): AgentQueues {
  const queues = openAgentQueues(link)
  atEnd(() => queues.close())
  return queues
}
