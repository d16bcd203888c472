-- Records a call that has a parent: stands in front of `record-call-4` when it is loaded, so that calls without one pay nothing.
--
-- KEYS  1 to 6 and ARGV as there
-- Result  as there; 'orphaned' when the run whose agent makes the call is over: it may not begin what nobody would end any more
local fields = {}
for at = 13, 12 + 2 * tonumber(ARGV[12]), 2 do fields[ARGV[at]] = ARGV[at + 1] end
if fields.parentAttempt then
  local parent = redis.call('HMGET', KEYS[5], 'state', 'attempt', 'fence')
  local isHeld = parent[2] == fields.parentAttempt and (parent[3] or nil) == fields.parentFence
  if parent[1] ~= 'running' or not isHeld then return 'orphaned' end
end
