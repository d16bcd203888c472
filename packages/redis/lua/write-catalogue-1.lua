-- Writes the catalogue, if it still is the version that its writer has read: a dispatcher whose round took longer than its lease
-- does not overwrite what another has found meanwhile.
--
-- KEYS  1 catalogue (string), JSON that begins with its version
-- ARGV  1 version that the writer has read, 0 for none  2 catalogue  3 channel  4 its version
-- Result  1 when it was written, else 0
local stored = redis.call('GETRANGE', KEYS[1], 0, 40)
if (string.match(stored, '^{"version":(%d+),') or '0') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1
