import { describeErrands } from './contract/errands-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeErrands(SHARED_REDIS)
