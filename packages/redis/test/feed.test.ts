import { describeStreamEnds } from './contract/stream-end-contract.js'
import { describeStreamFlow } from './contract/stream-flow-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeStreamEnds(SHARED_REDIS)
describeStreamFlow(SHARED_REDIS)
