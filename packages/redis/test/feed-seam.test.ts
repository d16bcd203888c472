import { describeSeam, describeSeamLosses } from './contract/seam-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeSeam(SHARED_REDIS, { events: 5000, watchers: 200 })
// At full size in `npm run verify`.
describeSeamLosses(SHARED_REDIS, { events: 1000, watchers: 40 })
