import { describeClaims } from './contract/claims-contract.js'
import { SHARED_REDIS } from './place/redis-place.js'

describeClaims(SHARED_REDIS)
