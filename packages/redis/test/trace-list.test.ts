import { describeTraceList } from './contract/trace-list-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeTraceList(SHARED_REDIS)
