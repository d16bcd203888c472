-- Records a call that has a parent: stands in front of `record-call-4` when it is loaded, so that calls without one pay nothing.
--
-- KEYS  1 to 4 and ARGV as there  5 parent (hash)  6 children of the parent (set)
-- Result  as there; 'orphaned' when the run whose agent makes the call is over: it may not begin what nobody would end any more
local fields = {}
for at = 12, 11 + 2 * tonumber(ARGV[11]), 2 do fields[ARGV[at]] = ARGV[at + 1] end
if fields.parentAttempt then
  local parent = redis.call('HMGET', KEYS[5], 'state', 'attempt', 'fence')
  local isHeld = parent[2] == fields.parentAttempt and (parent[3] or nil) == fields.parentFence
  if parent[1] ~= 'running' or not isHeld then return 'orphaned' end
end
redis.call('SADD', KEYS[6], ARGV[5])
