import { describeClients } from './contract/client-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeClients(SHARED_REDIS)
