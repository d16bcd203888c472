import type { Client } from '@synchub/client'
import { HubError } from '@synchub/protocol'
import type { CommandContext } from './command.js'

/**
 * A client of a hub that has just answered. Calls and watches wait through outages; where no hub was there to begin with, most
 * likely none runs, or not at this address, and waiting would only hide that.
 * @throws HubError HUB_UNAVAILABLE, saying how to start a hub or name another
 */
export async function contactHub(context: CommandContext): Promise<Client> {
  const client = context.client()
  try {
    await client.ping()
    return client
  } catch (thrown) {
    if (!(thrown instanceof HubError) || thrown.code !== 'HUB_UNAVAILABLE' || thrown.cause === undefined) throw thrown
    throw thrown.with({ nextStep: START_HUB })
  }
}

/** What to do where no hub answers. */
export const START_HUB = 'Start the hub with "npm start", or give its address with --url or SYNCHUB_URL.'
