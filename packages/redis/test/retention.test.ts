import { describeRetention } from './contract/retention-contract.js'
import { describeRemovedKeys } from './contract/retention-key-contract.js'
import { describeWatchedRetention } from './contract/retention-watch-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeRetention(SHARED_REDIS)
describeRemovedKeys(SHARED_REDIS)
describeWatchedRetention(SHARED_REDIS)
