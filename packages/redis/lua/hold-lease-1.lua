-- Takes or extends a lease.
--
-- KEYS  1 lease (string)
-- ARGV  1 holder  2 ms that the lease lasts
-- Result  1 when `holder` has it now, else 0
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
