-- Records a call with its first events, and its trace if this is the first call of it.
--
-- KEYS  1 call (hash)  2 trace (hash)  3 log (stream)  4 calls of the trace (sorted set)
--       and where it has a parent  5 parent (hash)  6 children of the parent (set)
-- ARGV  1 now in ms  2 now as ISO 8601  3 tag of the step, a 32-bit number  4 channel  5 callId  6 state after the events
--       7 '1' when that state is terminal  8 channel of the tenant's notices  9 name of the trace in them
--       10 endings of a call, the worst first  11 most bytes that the trace may hold, or ''
--       12 number of fields  then field, value ..., the arguments last  then event, body ...
-- Result  id of the last event; 'recorded' when this very call was recorded before; 'voided' when another request took over its
--         idempotency key; 'full' when the trace has no room for its arguments
local known = redis.call('HMGET', KEYS[1], 'void', 'state')
if known[1] then return 'voided' end
if known[2] then return 'recorded' end

local ended = ARGV[7] == '1'
local fieldsEnd = 12 + 2 * tonumber(ARGV[12])
local trace = openTrace(KEYS[2], ARGV[1], ARGV[2], ended and ARGV[10], { 'bytes', 'progressBytes' })
-- The arguments, and what a call and its small events take.
local bytes = trace.bytes + #ARGV[fieldsEnd] + 2048
if ARGV[11] ~= '' and bytes + trace.progressBytes > tonumber(ARGV[11]) then return 'full' end
local more = { 'calls', trace.calls + 1, 'bytes', bytes }
if trace.calls == 0 then
  local root = { tool = 'rootTool', caller = 'caller', agent = 'rootAgent' }
  more[5], more[6] = 'createdAtMs', trace.nowMs
  for at = 13, fieldsEnd, 2 do
    local name = root[ARGV[at]]
    if name then more[#more + 1], more[#more + 2] = name, ARGV[at + 1] end
  end
end
if ended then
  countEnding(trace, ARGV[6], more)
else
  trace.open = trace.open + 1
end

local call = { 'state', ARGV[6], 'createdAtMs', trace.nowMs }
local step = { logKey = KEYS[3], channel = ARGV[4], callId = ARGV[5], tag = ARGV[3], tokens = 0, lines = {} }
for index = fieldsEnd + 1, #ARGV, 2 do
  appendEvent(step, trace, ARGV[index], ARGV[index + 1])
  if ARGV[index] == 'started' then call[#call + 1], call[#call + 2] = 'startedAtMs', trace.nowMs end
end
if ended then
  for _, part in ipairs({ 'endedAtMs', trace.nowMs, 'endId', trace.id }) do call[#call + 1] = part end
end
for index = 13, fieldsEnd do call[#call + 1] = ARGV[index] end
redis.call('HSET', KEYS[1], unpack(call))
redis.call('ZADD', KEYS[4], trace.nowMs, ARGV[5])
if KEYS[6] then redis.call('SADD', KEYS[6], ARGV[5]) end
closeTrace(step, trace, more)
publishNotice({ channel = ARGV[8], name = ARGV[9] }, trace)
return trace.id
