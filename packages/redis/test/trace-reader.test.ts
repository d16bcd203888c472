import { describeCursors } from './contract/cursor-contract.js'
import { describeSnapshots } from './contract/snapshot-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeCursors(SHARED_REDIS)
describeSnapshots(SHARED_REDIS)
