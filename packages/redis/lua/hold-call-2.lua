-- Counts a call as open for its caller and the tenant, where both have room.
--
-- KEYS  1 open calls of the caller (sorted set)  2 open calls of the tenant (sorted set)
-- ARGV  1 callId  2 now in ms  3 most of the caller, or ''  4 most of the tenant, or ''
-- Result  0 when it is counted, else the number of the key that has no room
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 0 end
for at = 1, 2 do
  local most = tonumber(ARGV[at + 2])
  if most and redis.call('ZCARD', KEYS[at]) >= most then return at end
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
return 0
