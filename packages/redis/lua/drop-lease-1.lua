-- Gives a lease up, if `holder` has it.
--
-- KEYS  1 lease (string)
-- ARGV  1 holder
-- Result  1 when it was given up, else 0
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
