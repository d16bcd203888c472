-- Cuts the oldest events off a log, and the calls that ended in them off its trace.
--
-- KEYS  1 trace (hash)  2 log (stream)  3 calls of the trace (sorted set)
-- ARGV  1 number of the first event that stays  2 number of the calls  then their ids  then their keys, of this trace's own slot
-- Result  number of the events that were cut off
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local callsEnd = 2 + tonumber(ARGV[2])
local length = redis.call('XLEN', KEYS[2])
local cut = redis.call('XTRIM', KEYS[2], 'MINID', ARGV[1])
redis.call('HSET', KEYS[1], 'firstSeq', ARGV[1])
-- Room for as much anew: to read what is cut off would cost more than to take all events for equally large, with what belongs to them.
for _, name in ipairs({ 'bytes', 'progressBytes' }) do
  local bytes = redis.call('HGET', KEYS[1], name)
  if bytes and length > 0 then
    redis.call('HSET', KEYS[1], name, string.format('%.0f', bytes * (length - cut) / length))
  end
end
for at = 3, callsEnd do redis.call('ZREM', KEYS[3], ARGV[at]) end
for at = callsEnd + 1, #ARGV do redis.call('UNLINK', ARGV[at]) end
return cut
