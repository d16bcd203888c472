import { describeRetention } from './contract/retention-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeRetention(SHARED_REDIS)
