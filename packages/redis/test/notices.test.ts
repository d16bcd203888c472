import { describeNotices } from './contract/notice-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeNotices(SHARED_REDIS)
