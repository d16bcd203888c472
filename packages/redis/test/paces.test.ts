import { describePaces } from './contract/pace-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describePaces(SHARED_REDIS)
