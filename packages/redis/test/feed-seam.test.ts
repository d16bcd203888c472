import { describeSeam, describeSeamLosses } from './contract/seam-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

// At full size in `npm run verify`.
const SIZE = { events: 1000, watchers: 40 }
describeSeam(SHARED_REDIS, SIZE)
describeSeamLosses(SHARED_REDIS, SIZE)
