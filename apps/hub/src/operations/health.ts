import { describeRefused, HubError } from '@synchub/protocol'
import { explainRefusal, memoryTrouble } from '@synchub/redis'
import type { Deployment } from '../agent-builder/deployment.js'
import type { HubContext } from '../hub-context.js'

/** One thing that readiness depends on, or that operators want to see beside it. */
export interface HealthCheck {
  readonly name: string
  readonly ok: boolean
  /** What is wrong, in words. */
  readonly detail?: string
}

/** What `/readyz` answers. */
export interface Readiness {
  readonly status: 'ready' | 'not-ready'
  readonly checks: readonly HealthCheck[]
}

/**
 * Whether this hub can take calls: it serves, the store answers, and the agents have been looked up once. An agent that is
 * down is shown, but is no reason to send callers away: the others work.
 */
export async function readReadiness({
  store,
  catalogue,
  config,
  deployments,
  memory,
  presence,
  isServing,
}: HubContext): Promise<Readiness> {
  const serving = isServing()
  const storeCheck = await checkStore(store, presence)
  const known = catalogue.current()
  const agents = [...config.agents.keys()].map((name): HealthCheck => {
    const seen = known.agents.find((agent) => agent.name === name)
    const refused = (seen?.refused ?? []).map((offer) => `${describeRefused(offer)}: ${offer.reason}`)
    const details = [...(seen?.available === true ? [] : [seen?.reason ?? 'not looked up yet']), ...refused]
    return {
      name: `agent ${name}`,
      ok: seen?.available === true,
      ...(details.length > 0 ? { detail: details.join('; ') } : {}),
    }
  })
  const discovered = known.version > 0
  const checks: HealthCheck[] = [
    { name: 'serving', ok: serving, ...(serving ? {} : { detail: 'the hub is stopping' }) },
    storeCheck,
    checkMemory(memory),
    {
      name: 'catalogue',
      ok: discovered,
      ...(discovered ? {} : { detail: 'no dispatcher has looked the agents up yet' }),
    },
    ...agents,
    ...deployments.all.map(checkDeployment),
  ]
  const ready = serving && storeCheck.ok && discovered
  return { status: ready ? 'ready' : 'not-ready', checks }
}

function checkDeployment({ path, seen, problem }: Deployment): HealthCheck {
  const name = `public path ${path.agent.name}`
  const refused = seen.refused.map((offer) => `${describeRefused(offer)}: ${offer.reason}`)
  const details = [...(problem === undefined ? [] : [problem]), ...refused]
  return {
    name,
    ok: problem === undefined && seen.available,
    ...(details.length > 0 ? { detail: details.join('; ') } : {}),
  }
}

/** A store that is full is no reason to send callers away either: what exists can be read, watched and cancelled. */
function checkMemory(memory: HubContext['memory']): HealthCheck {
  const state = memory.current()
  const trouble = state === undefined ? undefined : memoryTrouble(state)
  return { name: 'memory', ok: trouble === undefined, ...(trouble === undefined ? {} : { detail: trouble }) }
}

/** A store that answers and takes no writes, as a primary that has become a replica, takes no call either. */
async function checkStore({ link }: HubContext['store'], presence: HubContext['presence']): Promise<HealthCheck> {
  try {
    await link.ask((client) => client.get(link.keys.catalogue))
    const trouble = presence.trouble()
    // One that is full has a check of its own.
    if (trouble === undefined || trouble.code === 'STORE_FULL') return { name: 'store', ok: true }
    return { name: 'store', ok: false, detail: trouble.reason }
  } catch (thrown) {
    // Whoever asks whether the hub is ready need not learn where its Redis is.
    const { reason, details } = explainRefusal(HubError.from(thrown).cause, 'REDIS_URL')
    return { name: 'store', ok: false, detail: `${reason}. ${details.nextStep}` }
  }
}
