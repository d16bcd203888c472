-- Claims an idempotency key, or says who holds it.
--
-- KEYS  1 claim (hash)
-- ARGV  1 digest of the payload  2 callId  3 trace as text  4 now in ms  5 ms until another may take the claim over
--       6 callId of the holder that is taken over, or ''  7 ms that the key is remembered
-- Result  {'claimed', instant in ms by the clock of Redis until which the call may be recorded}
--         | {'held', digest of the payload, callId, trace, '1' when the claim may be taken over, state that its call ended in where that is kept no longer, else ''}
local held = redis.call('HMGET', KEYS[1], 'payload', 'callId', 'trace', 'freeAtMs', 'ended')
if held[2] and held[2] ~= ARGV[6] then
  return { 'held', held[1], held[2], held[3], tonumber(held[4]) <= tonumber(ARGV[4]) and '1' or '0', held[5] or '' }
end
redis.call('HSET', KEYS[1], 'payload', ARGV[1], 'callId', ARGV[2], 'trace', ARGV[3], 'freeAtMs', tonumber(ARGV[4]) + tonumber(ARGV[5]))
redis.call('PEXPIRE', KEYS[1], ARGV[7])
-- By the clock that the key expires by, and a little sooner, since another node of a cluster has another clock.
local remembered = tonumber(ARGV[7])
local time = redis.call('TIME')
return { 'claimed', string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + remembered - math.min(1000, remembered / 10)) }
