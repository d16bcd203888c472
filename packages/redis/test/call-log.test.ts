import { describeCallLog } from './contract/call-log-contract.js'
import { describeChildCalls } from './contract/child-call-contract.js'
import { describeEndings } from './contract/ending-contract.js'
import { describeFences } from './contract/fence-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeCallLog(SHARED_REDIS)
describeChildCalls(SHARED_REDIS)
describeEndings(SHARED_REDIS)
describeFences(SHARED_REDIS)
