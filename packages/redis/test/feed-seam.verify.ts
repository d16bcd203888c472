import { describeSeamLosses } from './contract/seam-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeSeamLosses(SHARED_REDIS, { events: 5000, watchers: 200 })
