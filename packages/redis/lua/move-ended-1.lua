-- Moves traces in the order in which they go, but for those that were put in order anew since they were looked at.
--
-- KEYS  1 ended traces (sorted set)
-- ARGV  trace, its place when it was looked at, its new place or '' to leave ...
-- Result  number of those that were moved
local moved = 0
for at = 1, #ARGV, 3 do
  local place = redis.call('ZSCORE', KEYS[1], ARGV[at])
  if place and tonumber(place) == tonumber(ARGV[at + 1]) then
    moved = moved + 1
    if ARGV[at + 2] == '' then
      redis.call('ZREM', KEYS[1], ARGV[at])
    else
      redis.call('ZADD', KEYS[1], ARGV[at + 2], ARGV[at])
    end
  end
end
return moved
