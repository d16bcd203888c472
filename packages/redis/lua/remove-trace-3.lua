-- Removes a trace that has not changed since it was looked at, and tells its watchers.
--
-- KEYS  1 trace (hash)  2 log (stream)  3 calls of the trace (sorted set)
-- ARGV  1 number of the last event when it was looked at  2 channel  then further keys of this trace's own slot: calls, results, children
-- Result  bytes that they took, by the estimate of Redis; -1 when the trace has changed, -2 when it is gone
local found = redis.call('HMGET', KEYS[1], 'seq', 'open')
if not found[1] then return -2 end
if found[1] ~= ARGV[1] or found[2] ~= '0' then return -1 end
local bytes = 0
local function take(key)
  bytes = bytes + (redis.call('MEMORY', 'USAGE', key) or 0)
  redis.call('UNLINK', key)
end
for at = 1, 3 do take(KEYS[at]) end
for at = 3, #ARGV do take(ARGV[at]) end
-- Empty: there is no event to tell of, and whoever watches looks at the log.
redis.call('PUBLISH', ARGV[2], '')
return bytes
