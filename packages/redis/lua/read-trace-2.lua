-- Reads a trace and its calls at one instant, so that the cursor fits what the snapshot shows. Writes nothing.
--
-- KEYS  1 trace (hash)  2 calls of the trace (sorted set)
-- ARGV  1 prefix of the call keys (of this trace's own slot)  2 most calls to read  then the fields of each call
-- Result  {fields of the trace, {values of a call ...} ...}; an empty list when there is no such trace
local trace = redis.call('HGETALL', KEYS[1])
if #trace == 0 then return {} end
local result = { trace }
local fields = { unpack(ARGV, 3) }
for _, callId in ipairs(redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[2]) - 1)) do
  result[#result + 1] = redis.call('HMGET', ARGV[1] .. callId, unpack(fields))
end
return result
