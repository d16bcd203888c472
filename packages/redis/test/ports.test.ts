import { describePorts } from './contract/ports-contract.js'
import { describeReplies } from './contract/replies-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describePorts(SHARED_REDIS)
describeReplies(SHARED_REDIS)
