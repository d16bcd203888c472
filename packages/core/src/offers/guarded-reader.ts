import { HubError } from '@synchub/protocol'
import type { AgentConfig } from '../config/hub-config.js'
import { toReadFailure } from '../run/agent-error.js'
import { maskSecrets, secretsOf } from '../run/secret-mask.js'
import type { OfferReader } from './agent-offers.js'

/**
 * Reads of an agent as the hub passes them on: its secrets are masked where it tells it back (invariant 9), and nothing that callers
 * act on is taken from its failures.
 */
export function guardReader(reader: OfferReader, agent: AgentConfig): OfferReader {
  const secrets = secretsOf(agent)
  const guard = async <Answer extends object>(reading: Promise<Answer>): Promise<Answer> => {
    try {
      return maskSecrets(await reading, secrets)
    } catch (thrown) {
      throw thrown instanceof HubError ? toReadFailure(maskReason(thrown, secrets), agent.name) : thrown
    }
  }
  return {
    readResource: (query, signal) => guard(reader.readResource(query, signal)),
    getPrompt: (query, signal) => guard(reader.getPrompt(query, signal)),
    complete: (query, signal) => guard(reader.complete(query, signal)),
  }
}

function maskReason(error: HubError, secrets: readonly string[]): HubError {
  const { reason, details } = maskSecrets({ reason: error.reason, details: error.details }, secrets)
  return new HubError(error.code, reason, { ...details, cause: error.cause })
}
