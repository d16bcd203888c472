-- Remembers an idempotency key for the whole time again, if this call still holds it.
--
-- KEYS  1 claim (hash)
-- ARGV  1 callId  2 ms that the key is remembered
-- Result  1 when it was extended, else 0
if redis.call('HGET', KEYS[1], 'callId') ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
