import type { PlanStep } from './plan.js'

/** Steps that wait for each other in a circle, each followed by the one that it waits for; undefined where there are none. */
export function findCycle(steps: readonly PlanStep[]): readonly string[] | undefined {
  const dependencies = new Map(steps.map(({ id, dependsOn }) => [id, dependsOn]))
  const clear = new Set<string>()
  const chain: string[] = []
  const visit = (id: string): readonly string[] | undefined => {
    if (clear.has(id)) return undefined
    const at = chain.indexOf(id)
    if (at >= 0) return chain.slice(at)
    chain.push(id)
    for (const next of dependencies.get(id) ?? []) {
      const cycle = visit(next)
      if (cycle !== undefined) return cycle
    }
    chain.pop()
    clear.add(id)
    return undefined
  }
  for (const { id } of steps) {
    const cycle = visit(id)
    if (cycle !== undefined) return cycle
  }
  return undefined
}
