-- Begins to count the priorities of a queue anew where they come near the most that BullMQ takes, which happens after a million rounds
-- in which calls always waited. Whoever asked lowers the priorities of the jobs that wait, and then says that it has.
--
-- KEYS  1 jobs of BullMQ that wait by priority (sorted set)  2 rounds of this queue (hash)
-- ARGV  1 '1' when all are lowered
-- Result  by how much the jobs above half of what BullMQ takes are to be lowered; 0 when there is nothing to do
local ONE_PRIORITY, HALF = 4294967296, 1048576
if ARGV[1] == '1' then
  redis.call('HDEL', KEYS[2], 'shift')
  return 0
end
local begun = redis.call('HGET', KEYS[2], 'shift')
if begun then return tonumber(begun) end
local head = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local shift = head[1] and math.floor(tonumber(head[2]) / ONE_PRIORITY) - 1 or 0
if shift < HALF then return 0 end
redis.call('HSET', KEYS[2], 'shift', shift, 'base', tonumber(redis.call('HGET', KEYS[2], 'base') or 0) + shift)
return shift
