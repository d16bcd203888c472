-- Changes a call and appends the events that tell of it.
--
-- KEYS  1 call (hash)  2 trace (hash)  3 log (stream)  4 result (string), written where the result is too large for an event
-- ARGV  1 now in ms  2 now as ISO 8601  3 tag of the step  4 channel  5 prefix of the reply channels, or ''  6 callId
--       7 states in which this may come, each between blanks  8 attempt and fence that the writer holds, as `attempt:fence`, or ''  9 '1' opens the next attempt
--       10 state after the events  11 what that state counts as in the trace when it is terminal, or ''  12 progress, or ''  13 large result, or ''
--       14 channel of the tenant's notices  15 name of the trace in them  16 endings of a call, the worst first
--       17 ticket of the round of questions that this answers, or ''  18 most bytes of progress that the trace may hold, or ''
--       19 fence of the attempt that this opens, or ''  20 number of fields  then field, value ...  then event, body ...
-- Result  {'changed', attempt, state, id of the last event, and of a run that ended: its agent, how long it took in ms} | {'not-allowed', state} | {'fenced', attempt} | {'not-rising'} | {'stale'} | {'full'} | {'missing'}
local terminal = ARGV[11] ~= ''
local names = { 'state', 'attempt', 'progress', 'hubId', 'tokens', 'fence' }
if terminal then names[7], names[8] = 'agent', 'startedAtMs' end
local call = redis.call('HMGET', KEYS[1], unpack(names))
if not call[1] then return { 'missing' } end
local attempt = tonumber(call[2])
-- Asked again, since the answer to it was lost: the attempt is the writer's own, and nobody else has ended it meanwhile.
if ARGV[19] ~= '' and call[6] == ARGV[19] and call[1] == ARGV[10] then
  return { 'changed', attempt, call[1], redis.call('HGET', KEYS[2], 'id') }
end
if ARGV[8] ~= '' and ARGV[8] ~= call[2] .. ':' .. (call[6] or '') then return { 'fenced', attempt } end
if not string.find(ARGV[7], ' ' .. call[1] .. ' ', 1, true) then return { 'not-allowed', call[1] } end
if ARGV[12] ~= '' then
  if call[3] and tonumber(ARGV[12]) <= tonumber(call[3]) then return { 'not-rising' } end
end
-- The round as it was read may have been answered in part meanwhile: its answers are in the question, which is written as a whole.
if ARGV[17] ~= '' and cjson.decode(redis.call('HGET', KEYS[1], 'question')).ticket ~= ARGV[17] then return { 'stale' } end

local fieldCount = tonumber(ARGV[20])
local fieldsEnd = 20 + 2 * fieldCount
-- What an agent asks may be as large as a result, and there may be any number of rounds.
local isLarge = terminal or ARGV[10] == 'awaiting_input'
local sums = isLarge and { 'bytes' } or ARGV[12] ~= '' and { 'progressBytes' } or {}
local trace = openTrace(KEYS[2], ARGV[1], ARGV[2], terminal and ARGV[16], sums)
local more = {}
if trace.progressBytes then
  -- What an entry takes in the log beside its body.
  local bytes = trace.progressBytes + #ARGV[fieldsEnd + 2] + 128
  if ARGV[18] ~= '' and bytes > tonumber(ARGV[18]) then return { 'full' } end
  more[1], more[2] = 'progressBytes', bytes
end
local fields = { 'state', ARGV[10] }
local function set(name, value)
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
if ARGV[9] == '1' then
  attempt = attempt + 1
  set('attempt', attempt)
  if ARGV[19] ~= '' then set('fence', ARGV[19]) end
  set('startedAtMs', trace.nowMs)
end
-- Where there was progress, that of an earlier attempt goes; of this one, what the new report does not name: it may have three fields.
if call[3] then
  if ARGV[9] == '1' then
    redis.call('HDEL', KEYS[1], 'progress', 'total', 'message')
  elseif ARGV[12] ~= '' and fieldCount < 3 then
    redis.call('HDEL', KEYS[1], 'total', 'message')
  end
end
if ARGV[12] ~= '' then set('progressAtMs', trace.nowMs) end
if terminal then
  trace.open = trace.open - 1
  countEnding(trace, ARGV[11], more)
end

local step = { logKey = KEYS[3], channel = ARGV[4], callId = ARGV[6], tag = ARGV[3], tokens = tonumber(call[5] or 0), lines = {} }
local name, data
for index = fieldsEnd + 1, #ARGV, 2 do
  name = ARGV[index]
  data = appendEvent(step, trace, name, ARGV[index + 1])
end
if step.tokens > 0 then set('tokens', step.tokens) end
if terminal then
  set('endedAtMs', trace.nowMs)
  set('endId', trace.id)
end
if isLarge then more[#more + 1], more[#more + 2] = 'bytes', trace.bytes + #data + #ARGV[13] end
for index = 21, fieldsEnd do fields[#fields + 1] = ARGV[index] end
redis.call('HSET', KEYS[1], unpack(fields))
closeTrace(step, trace, more)
if terminal then
  if ARGV[13] ~= '' then redis.call('SET', KEYS[4], ARGV[13]) end
  if ARGV[5] ~= '' then
    -- The whole ending, so that nobody has to look it up; of a large one only its name.
    local reply = ARGV[13] == '' and ARGV[6] .. '\n' .. name .. '\n' .. data or ARGV[6]
    redis.call('PUBLISH', ARGV[5] .. call[4], reply)
  end
end
-- Progress and retries leave the state as it was: nobody is told, so they cost what they did without notices.
if call[1] ~= ARGV[10] then
  -- Whoever waits for the end is told that it does not come before an answer.
  if ARGV[10] == 'awaiting_input' then redis.call('PUBLISH', ARGV[5] .. call[4], ARGV[6]) end
  publishNotice({ channel = ARGV[14], name = ARGV[15] }, trace)
end
local outcome = { 'changed', attempt, ARGV[10], trace.id }
if terminal and call[1] == 'running' then outcome[5], outcome[6] = call[7], tonumber(trace.nowMs) - tonumber(call[8]) end
return outcome
