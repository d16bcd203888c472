import type { AgentConfig } from '../config/hub-config.js'
import { maskSecrets, secretsOf } from '../run/secret-mask.js'
import type { RefusedOffer } from './agent-offers.js'

/** Longest name that is told of what is refused, in characters. */
const MAX_SHOWN_CHARS = 128

/**
 * What an agent lists, before it is checked, recorded or shown: its secrets are masked where it tells them back (invariant 9), and only
 * then are the names of what is refused cut, since half of a secret is not recognised any more.
 */
export function guardLists<Lists extends { readonly refused: readonly RefusedOffer[] }>(
  lists: Lists,
  agent: AgentConfig,
): Lists {
  const masked = maskSecrets(lists, secretsOf(agent))
  return { ...masked, refused: masked.refused.map(cutName) }
}

/** Why an agent's lists cannot be had, in words that do not hold its secrets. */
export function guardReason(reason: string, agent: AgentConfig): string {
  return maskSecrets({ reason }, secretsOf(agent)).reason
}

function cutName(refused: RefusedOffer): RefusedOffer {
  const { name } = refused
  if (name === undefined || name.length <= MAX_SHOWN_CHARS) return refused
  // Never between the two halves of a character.
  return { ...refused, name: name.slice(0, MAX_SHOWN_CHARS).replace(/[\ud800-\udbff]$/, '') }
}
