import { type Clock, type HubConfig, type RetentionPorts, type RetentionRound, runRetention } from '@synchub/core'
import { adoptTraces, createRetentionStore, type Store } from '@synchub/redis'
import type { Logger } from '@synchub/telemetry'
import { createArchive } from './archive.js'
import { type LeasedLoop, type LeasedLoopOptions, startLeasedLoop } from './leased-loop.js'

/** What retention is done with. */
export interface RetentionOptions extends Pick<LeasedLoopOptions, 'holder' | 'leases' | 'onFailure'> {
  readonly config: HubConfig
  readonly clock: Clock
  readonly logger: Logger
}

const EVERY_MS = 1000

/** Removes what is kept too long or too much of, while this dispatcher holds the lease. */
export function startRetention(store: Store, options: RetentionOptions): LeasedLoop {
  const { config, clock, logger, ...shared } = options
  const { archive: folder } = config.retention
  const onFailure = (thrown: unknown) =>
    logger.error({ err: thrown, folder }, 'trace was not archived; it stays until Redis holds too much')
  const ports: RetentionPorts = {
    config: config.retention,
    clock,
    log: store.log,
    store: createRetentionStore(store.link, clock),
    ...(folder === undefined ? {} : { archive: createArchive(store, { folder, clock, onFailure }) }),
  }
  const tell = ({ removed, unarchived, trimmedEvents }: RetentionRound) => {
    if (removed > 0 || trimmedEvents > 0) logger.debug({ removed, trimmedEvents }, 'ended traces were removed')
    if (unarchived > 0) {
      logger.error({ unarchived }, 'traces were removed that the archive could not take: Redis holds too much')
    }
  }
  let isAdopted = false
  const loop = startLeasedLoop({
    ...shared,
    name: 'retention',
    everyMs: EVERY_MS,
    async tick() {
      if (!isAdopted) {
        const adopted = await adoptTraces(store.link)
        if (adopted > 0) logger.info({ adopted }, 'traces of an earlier version are now under retention')
        isAdopted = true
      }
      const round = await runRetention(ports)
      tell(round)
      if (round.isMore) loop.wake()
    },
  })
  return loop
}
