-- Marks the slot of a call that was never recorded, so that its slow writer cannot record it any more.
--
-- KEYS  1 call (hash)
-- ARGV  1 ms that the mark is kept
-- Result  'voided', or 'recorded' when the call exists
if redis.call('HEXISTS', KEYS[1], 'state') == 1 then return 'recorded' end
redis.call('HSET', KEYS[1], 'void', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 'voided'
