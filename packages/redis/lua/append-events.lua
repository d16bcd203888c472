-- Shared by the steps that write a trace log; stands in front of each of them when it is loaded.
--
-- A log entry is written and published here and nowhere else, so that number, time and order are those of the log (invariants
-- 2 and 3). Bodies come as JSON text and are joined, never decoded: cjson would change numbers and empty lists.

-- Time of this step; a writer whose clock is behind does not make the trace run backwards.
local function stepTime(traceKey, nowMs, nowIso)
  local last = redis.call('HMGET', traceKey, 'atMs', 'at')
  if last[1] and tonumber(last[1]) > tonumber(nowMs) then return last[1], last[2] end
  redis.call('HSET', traceKey, 'atMs', nowMs, 'at', nowIso)
  return nowMs, nowIso
end

-- `step`: callKey, traceKey, logKey, channel, callId, tag, at. `open`: open calls of the trace once this event is in.
local function appendEvent(step, name, body, open)
  local seq = redis.call('HINCRBY', step.traceKey, 'seq', 1)
  local id = seq .. '-' .. step.tag
  local head = '{"seq":' .. seq .. ',"at":"' .. step.at .. '",'
  if name == 'progress' or name == 'complete' then
    head = head .. '"token":"' .. string.format('prg-%02d', redis.call('HINCRBY', step.callKey, 'tokens', 1)) .. '",'
  end
  local data = head .. string.sub(body, 2)
  redis.call('XADD', step.logKey, id, 'e', name, 'c', step.callId, 'd', data)
  redis.call('HSET', step.traceKey, 'id', id)
  redis.call('PUBLISH', step.channel, id .. '\n' .. open .. '\n' .. name .. '\n' .. step.callId .. '\n' .. data)
  return id, data
end

-- Tells the tenant's listeners how a trace stands once these events are in: its name, number of the last event, state. Only for
-- steps that change a call's state. `notice`: channel, name (`owner/traceId`), order (states that a call ends in, the worst first).
local function publishNotice(notice, traceKey, id, open)
  local state = 'running'
  if open == 0 then
    local names = {}
    for ended in string.gmatch(notice.order, '%S+') do names[#names + 1] = 'n:' .. ended end
    local counts = redis.call('HMGET', traceKey, unpack(names))
    for at = #names, 1, -1 do
      if counts[at] then state = string.sub(names[at], 3) end
    end
  end
  redis.call('PUBLISH', notice.channel, notice.name .. '\n' .. string.match(id, '^%d+') .. '\n' .. state)
end
