import { type RunningAgent, startAgent } from './running-agent.js'
import { type Answer, serveTarget, type TargetServer } from './target-server.js'

/** What a test may change. */
export interface Setting {
  readonly suite?: object
  readonly target?: object
  readonly limits?: object
  readonly variables?: Record<string, string>
}

/** An agent with one suite of these cases, played to a target that answers like this. */
export async function playing(
  cases: readonly object[],
  answer: Answer,
  { suite, target: targetSettings, limits, variables }: Setting = {},
): Promise<{ readonly agent: RunningAgent; readonly target: TargetServer }> {
  const target = await serveTarget(answer)
  const configuration = {
    targets: { local: { url: target.url, allowAddresses: ['127.0.0.0/8'], ...targetSettings } },
    suites: { api: { kind: 'fixtures', folder: 'cases', target: 'local', ...suite } },
    limits,
  }
  return { agent: await startAgent(configuration, { 'cases/api.json': { title: 'API', cases } }, variables), target }
}

/** A case that expects 200 of a GET. */
export const get = (name: string, path: string, more: object = {}) => ({
  name,
  request: { path },
  expect: { status: 200 },
  ...more,
})
