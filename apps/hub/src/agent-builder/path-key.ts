import type { CarriedHeaders } from '@synchub/core'

/**
 * A caller's key as it counts on the path of a deployment: nothing is shared between paths (S1.2), nor between the employees for whom
 * one API key calls. What the tool service answers is for the employee that it was asked for, so another one's key is another key
 * even where it reads the same (invariant 5). No caller's key, no name of a deployment and no carried header holds a blank.
 */
export function pathKey(deployment: string, key: string, carried: CarriedHeaders): string {
  const employee = Object.entries(carried)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  return [deployment, key, ...employee].join(' ')
}
