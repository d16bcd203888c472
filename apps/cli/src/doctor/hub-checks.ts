import type { Client, Readiness } from '@synchub/client'
import { HubError, type ListedTool } from '@synchub/protocol'
import { START_HUB } from '../commands/hub-contact.js'
import { SET_API_KEY } from '../outcome/next-step.js'
import { type CheckFinding, failed, passed } from './check.js'

/** Beyond this the instants of events and the deadlines of calls read wrong, in ms. */
const MAX_CLOCK_DIFFERENCE_MS = 5000
/** The hub tells its time to the second. */
const CLOCK_GRAIN_MS = 1000

/** Asks a hub all that can be asked from outside: is it there, is it ready, does it take our key, are its agents there. */
export async function checkHub(client: Client): Promise<CheckFinding[]> {
  const askedAtMs = Date.now()
  let readiness: Readiness
  try {
    readiness = await client.ready()
  } catch (thrown) {
    const others = ['store', 'access', 'tools', 'clock'].map((name): CheckFinding => {
      return { name, state: 'skipped', detail: 'the hub cannot be asked' }
    })
    return [failed('hub', describe(thrown), START_HUB), ...others]
  }
  return [
    passed('hub', `answers at ${client.baseUrl}`),
    ...checkReadiness(readiness),
    ...(await checkAccess(client)),
    checkClock(readiness, askedAtMs),
  ]
}

function checkReadiness({ ready, checks }: Readiness): CheckFinding[] {
  const findings = checks.map(({ name, ok, detail = ok ? 'ok' : 'not ok' }) => {
    return ok ? passed(name, detail) : failed(name, detail, remedyOf(name))
  })
  if (ready || findings.some(({ state }) => state === 'failed')) return findings
  return [...findings, failed('ready', 'the hub is not ready, and no check says why', 'Read the log of the hub.')]
}

/** What helps, by the beginning of a check's name: `agent SyncBoot` is one of `agent`. */
const REMEDIES = new Map([
  ['store', 'Start Redis and check REDIS_URL of the hub; the hub comes back by itself.'],
  [
    'memory',
    'Raise maxmemory of Redis or keep traces for a shorter time, and set its maxmemory-policy to noeviction (docs/OPERATIONS.md, Redis).',
  ],
  ['catalogue', 'Start a dispatcher: it looks the agents up.'],
  ['public', 'Start the tool service of the path and check its url and manifest in synchub.config.json.'],
  ['agent', 'Start the agent and check its url in synchub.config.json; its tools come back by themselves.'],
])

function remedyOf(check: string): string {
  return REMEDIES.get(check.split(' ')[0] ?? '') ?? 'Read the log of the hub; it names the cause.'
}

async function checkAccess(client: Client): Promise<CheckFinding[]> {
  let tools: readonly ListedTool[]
  try {
    tools = await client.tools()
  } catch (thrown) {
    const remedy =
      thrown instanceof HubError && thrown.code === 'UNAUTHENTICATED' ? SET_API_KEY : 'Read the log of the hub.'
    return [failed('access', describe(thrown), remedy)]
  }
  return [passed('access', 'the hub takes our requests'), checkTools(tools)]
}

function checkTools(tools: readonly ListedTool[]): CheckFinding {
  const available = tools.filter(({ _meta: meta }) => meta.available)
  const detail = `${available.length} of ${tools.length} tools that we may call are available`
  if (available.length > 0) return passed('tools', detail)
  return failed('tools', detail, 'Name agents in synchub.config.json, start them, and check the scopes of the key.')
}

function checkClock({ hubTime }: Readiness, askedAtMs: number): CheckFinding {
  if (hubTime === undefined) return { name: 'clock', state: 'skipped', detail: 'the hub does not tell its time' }
  const nowMs = Date.now()
  const hubMs = hubTime.getTime()
  // The hub's instant lies somewhere between asking and answer, and is cut to the second.
  const behindMs = askedAtMs - (hubMs + CLOCK_GRAIN_MS)
  const aheadMs = hubMs - nowMs
  const differenceMs = Math.max(0, behindMs, aheadMs)
  const detail = `differs from the hub's by ${differenceMs < 1000 ? 'less than 1' : Math.round(differenceMs / 1000)} s`
  if (differenceMs <= MAX_CLOCK_DIFFERENCE_MS) return passed('clock', detail)
  return failed('clock', detail, 'Let both machines take their time from NTP.')
}

function describe(thrown: unknown): string {
  if (thrown instanceof HubError) return thrown.reason
  return thrown instanceof Error ? thrown.message : String(thrown)
}
