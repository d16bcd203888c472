-- Records a call with its first events, and its trace if this is the first call of it.
--
-- KEYS  1 call (hash)  2 trace (hash)  3 log (stream)  4 calls of the trace (sorted set)
-- ARGV  1 now in ms  2 now as ISO 8601  3 tag of the writer, a 32-bit number  4 channel  5 callId  6 state after the events
--       7 '1' when that state is terminal  8 channel of the tenant's notices  9 name of the trace in them
--       10 states that a call ends in, the worst first  11 number of fields  then field, value ...  then event, body ...
-- Result  'recorded', also when this very call was recorded before; 'voided' when another request took over its idempotency key
if redis.call('HEXISTS', KEYS[1], 'void') == 1 then return 'voided' end
if redis.call('EXISTS', KEYS[1]) == 1 then return 'recorded' end

local nowMs, at = stepTime(KEYS[2], ARGV[1], ARGV[2])
local fieldsEnd = 11 + 2 * tonumber(ARGV[11])
redis.call('HSET', KEYS[1], 'state', ARGV[6], 'createdAtMs', nowMs, unpack(ARGV, 12, fieldsEnd))
redis.call('ZADD', KEYS[4], nowMs, ARGV[5])

local root = redis.call('HMGET', KEYS[1], 'tool', 'caller', 'agent')
redis.call('HSETNX', KEYS[2], 'createdAtMs', nowMs)
redis.call('HSETNX', KEYS[2], 'rootTool', root[1])
redis.call('HSETNX', KEYS[2], 'caller', root[2])
redis.call('HSETNX', KEYS[2], 'rootAgent', root[3])
redis.call('HINCRBY', KEYS[2], 'calls', 1)
local open
if ARGV[7] == '1' then
  open = redis.call('HINCRBY', KEYS[2], 'open', 0)
  redis.call('HINCRBY', KEYS[2], 'n:' .. ARGV[6], 1)
  redis.call('HSET', KEYS[1], 'endedAtMs', nowMs)
else
  open = redis.call('HINCRBY', KEYS[2], 'open', 1)
end

local step = { callKey = KEYS[1], traceKey = KEYS[2], logKey = KEYS[3], channel = ARGV[4], callId = ARGV[5], tag = ARGV[3], at = at }
local id
for index = fieldsEnd + 1, #ARGV, 2 do
  id = appendEvent(step, ARGV[index], ARGV[index + 1], open)
  if ARGV[index] == 'started' then redis.call('HSET', KEYS[1], 'startedAtMs', nowMs) end
  if ARGV[7] == '1' then redis.call('HSET', KEYS[1], 'endId', id) end
end
publishNotice({ channel = ARGV[8], name = ARGV[9], order = ARGV[10] }, KEYS[2], id, open)
return 'recorded'
