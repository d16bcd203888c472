-- Notes at an idempotency key that its call has ended and is kept no longer, so that a repeat is answered and never run.
--
-- KEYS  1 claim (hash)
-- ARGV  1 callId  2 state that the call ended in
-- Result  1 when it was noted, 0 when the key is forgotten or another call's
if redis.call('HGET', KEYS[1], 'callId') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'ended', ARGV[2])
return 1
