-- Gives a call its place among those that wait for an agent: one call of each caller in a round, so that nobody waits for all that
-- another has queued before. The place is its round, as a priority of BullMQ (the lowest goes first, equal ones in their order).
--
-- KEYS  1 jobs of BullMQ that wait by priority (sorted set)  2 rounds of this queue (hash)  3 the caller's places in it (sorted set)
-- ARGV  1 callId  2 ms that the places of an idle caller are kept
-- Result  the priority, from 1
--
-- Rounds count up for ever; `base` is the round that a priority counts from. The round that is served is that of the first job
-- that waits. Where none waits, some may be on their way: a place is given before its job is added. What was given out a WINDOW
-- ago is surely added, hence served; `mark` is the last round of those, `later` that of the next look.
local WINDOW, ONE_PRIORITY, MOST, HALF = 100, 4294967296, 2097151, 1048576
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local state = redis.call('HMGET', KEYS[2], 'base', 'last', 'mark', 'later', 'lookedAtMs', 'shift')
local function at(index) return tonumber(state[index] or 0) end
local base, last, mark, later, lookedAtMs = at(1), at(2), at(3), at(4), at(5)
if now - lookedAtMs >= 2 * WINDOW then
  mark, later, lookedAtMs = last, last, now
elseif now - lookedAtMs >= WINDOW then
  mark, later, lookedAtMs = later, last, now
end

local round = mark
local head = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if head[1] then
  round = base + math.floor(tonumber(head[2]) / ONE_PRIORITY)
elseif mark == last or last - base > HALF then
  base = mark
end

redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', '(' .. string.format('%.0f', round))
local own = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')
-- The next round, not this one: whoever is new joins behind those who wait for it already, so that it comes for everybody.
local place = math.max(round, tonumber(own[2] or 0)) + 1
redis.call('ZADD', KEYS[3], place, ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[2], 'base', base, 'last', math.max(last, place), 'mark', mark, 'later', later, 'lookedAtMs', lookedAtMs)
return math.min(place - base, state[6] and HALF or MOST)
