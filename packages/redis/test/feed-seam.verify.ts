import { describeSeam, describeSeamLosses } from './contract/seam-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

const SIZE = { events: 5000, watchers: 200 }
describeSeam(SHARED_REDIS, SIZE)
describeSeamLosses(SHARED_REDIS, SIZE)
