-- Gives an idempotency key free, if this call still holds it.
--
-- KEYS  1 claim (hash)
-- ARGV  1 callId
-- Result  1 when it was given free, else 0
if redis.call('HGET', KEYS[1], 'callId') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
