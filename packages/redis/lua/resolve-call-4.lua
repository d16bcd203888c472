-- Notes what became of a call that was given up, once; its state stays.
--
-- KEYS  1 call (hash)  2 trace (hash)  3 log (stream)  4 result (string), written with a late answer
-- ARGV  1 now in ms  2 now as ISO 8601  3 tag of the step  4 channel  5 callId  6 who found out  7 what, as JSON
--       8 channel of the tenant's notices  9 name of the trace in them  10 endings of a call, the worst first
--       11 body of the event  12 late answer of the agent as JSON, or ''
-- Result  {'resolved' or 'standing', instant in ms, who, what as JSON} | {'missing'}
local call = redis.call('HMGET', KEYS[1], 'state', 'tokens', 'resolvedAtMs', 'resolvedBy', 'resolvedReason')
if not call[1] then return { 'missing' } end
if call[3] then return { 'standing', call[3], call[4], call[5] } end
-- What is found out makes the trace no longer: when it had ended is kept, beside the number of the event after which that holds.
local before = redis.call('HMGET', KEYS[2], 'atMs', 'seq', 'endedAtMs', 'endedSeq')
local endedAtMs = before[2] == before[4] and before[3] or before[1]
local trace = openTrace(KEYS[2], ARGV[1], ARGV[2], ARGV[10], { 'bytes' })
local step = { logKey = KEYS[3], channel = ARGV[4], callId = ARGV[5], tag = ARGV[3], tokens = tonumber(call[2] or 0), lines = {} }
appendEvent(step, trace, 'resolved', ARGV[11])
redis.call('HSET', KEYS[1], 'resolvedAtMs', trace.nowMs, 'resolvedBy', ARGV[6], 'resolvedReason', ARGV[7])
if ARGV[12] ~= '' then redis.call('SET', KEYS[4], ARGV[12]) end
closeTrace(step, trace, { 'endedAtMs', endedAtMs, 'endedSeq', string.format('%.0f', trace.seq), 'bytes', trace.bytes + #ARGV[11] + #ARGV[12] })
publishNotice({ channel = ARGV[8], name = ARGV[9] }, trace)
return { 'resolved', tostring(trace.nowMs), ARGV[6], ARGV[7] }
