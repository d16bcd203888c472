import { HubError } from '@synchub/protocol'
import type { HubConfig } from './hub-config.js'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/** Where a hub would listen, and for whom. */
export interface HubDoor {
  readonly config: Pick<HubConfig, 'access'>
  /** Address or name that it listens on. */
  readonly host: string
}

/** A hub without access control serves this machine only. @throws HubError FORBIDDEN */
export function refuseOpenHub({ config, host }: HubDoor): void {
  if (config.access.mode !== 'none' || LOOPBACK.includes(host)) return
  throw new HubError('FORBIDDEN', `the hub does not listen on ${host} while access.mode is "none"`, {
    nextStep: 'Set access.mode to "keys" in the configuration, or listen on 127.0.0.1.',
  })
}
