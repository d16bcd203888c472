import { describeSeam } from './contract/seam-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeSeam(SHARED_REDIS, { events: 1000, watchers: 40 })
