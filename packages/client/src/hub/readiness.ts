import { isJsonObject } from '@synchub/protocol'
import { notOurHub } from '../connection/failure.js'
import type { HubConnection } from '../connection/hub-connection.js'

/** One thing that the hub needs, and whether it has it. */
export interface ReadinessCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail?: string
}

/** Whether the hub can take calls (`/readyz`). */
export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly ReadinessCheck[]
  /** The hub's clock, to the second, where the answer tells it. */
  readonly hubTime?: Date
}

/** Asks the hub whether it is ready. A hub that is not is an answer here, no failure. */
export async function readReadiness(connection: HubConnection, signal?: AbortSignal): Promise<Readiness> {
  const answer = await connection.send({ method: 'GET', path: '/readyz', accept: 'application/json', signal })
  if (answer.status !== 200 && answer.status !== 503) throw await connection.failureOf(answer)
  const body = await connection.jsonOf(answer)
  if (!isJsonObject(body) || !isChecks(body.checks)) {
    throw notOurHub(connection.baseUrl, 'answered /readyz without its checks')
  }
  const date = new Date(answer.headers.get('date') ?? Number.NaN)
  const clock = Number.isNaN(date.getTime()) ? {} : { hubTime: date }
  return { ready: answer.status === 200, checks: body.checks, ...clock }
}

function isChecks(value: unknown): value is readonly ReadinessCheck[] {
  return Array.isArray(value) && value.every((check) => isJsonObject(check) && typeof check.name === 'string')
}
