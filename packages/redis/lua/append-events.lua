-- Shared by the steps that write a trace log; stands in front of each of them when it is loaded.
--
-- A log entry is written and published here and nowhere else, so that number, time and order are those of the log (invariants
-- 2 and 3). Bodies come as JSON text and are joined, never decoded: cjson would change numbers and empty lists. A step reads the
-- trace once and writes it once: each command of a script costs Redis more than all of the Lua around it, and is in its log too.

-- The trace as this step finds it, at the time of this step: a writer whose clock is behind does not make the trace run backwards.
-- `endings`: for a step that ends a call, the endings of a call, the worst first; how many calls ended so is read with the rest.
-- `sums`: names of sums of bytes that the step needs and writes again. Most steps need none, and do not pay for them.
local function openTrace(key, nowMs, nowIso, endings, sums)
  local names = { 'atMs', 'at', 'seq', 'open', 'calls' }
  for _, name in ipairs(sums) do names[#names + 1] = name end
  local countsFrom = #names + 1
  if endings then
    for ended in string.gmatch(endings, '%S+') do names[#names + 1] = 'n:' .. ended end
  end
  local found = redis.call('HMGET', key, unpack(names))
  local trace = { key = key, nowMs = nowMs, at = nowIso, seq = tonumber(found[3] or 0), open = tonumber(found[4] or 0), calls = tonumber(found[5] or 0), counts = {} }
  for at, name in ipairs(sums) do trace[name] = tonumber(found[5 + at] or 0) end
  for at = countsFrom, #names do trace.counts[at - countsFrom + 1] = { name = names[at], count = tonumber(found[at] or 0) } end
  if found[1] and tonumber(found[1]) > tonumber(nowMs) then
    trace.nowMs = found[1]
    trace.at = found[2]
  end
  return trace
end

-- `step`: logKey, channel, callId, tag, tokens (of the call so far), lines (to be told). `trace`: as opened, with `open` as it is once this event is in.
-- Returns the event's data as it stands in the log.
local function appendEvent(step, trace, name, body)
  trace.seq = trace.seq + 1
  local id = string.format('%.0f-%s', trace.seq, step.tag)
  local head = string.format('{"seq":%.0f,"at":"%s",', trace.seq, trace.at)
  if name == 'progress' or name == 'complete' then
    step.tokens = step.tokens + 1
    head = head .. string.format('"token":"prg-%02d",', step.tokens)
  end
  local data = head .. string.sub(body, 2)
  redis.call('XADD', step.logKey, id, 'e', name, 'c', step.callId, 'd', data)
  step.lines[#step.lines + 1] = id .. '\n' .. trace.open .. '\n' .. name .. '\n' .. step.callId .. '\n' .. data
  trace.id = id
  return data
end

-- One more call of the trace has ended as `ended`, one of the endings that it was opened with; goes into `more` fields of closeTrace.
local function countEnding(trace, ended, more)
  for _, ending in ipairs(trace.counts) do
    if ending.name == 'n:' .. ended then
      ending.count = ending.count + 1
      more[#more + 1], more[#more + 2] = ending.name, ending.count
    end
  end
end

-- Tells the step's events, all in one message, and writes the trace as the step leaves it, with `more` fields: name, value ...
local function closeTrace(step, trace, more)
  redis.call('PUBLISH', step.channel, table.concat(step.lines, '\n'))
  redis.call('HSET', trace.key, 'atMs', trace.nowMs, 'at', trace.at, 'seq', trace.seq, 'id', trace.id, 'open', trace.open, unpack(more))
end

-- Tells the tenant's listeners how a trace stands once its events are in: its name, number of the last event, state. Only for
-- steps that change a call's state. `notice`: channel, name (`owner/traceId`).
local function publishNotice(notice, trace)
  local state = 'running'
  if trace.open == 0 then
    for at = #trace.counts, 1, -1 do
      if trace.counts[at].count > 0 then state = string.sub(trace.counts[at].name, 3) end
    end
  end
  redis.call('PUBLISH', notice.channel, string.format('%s\n%.0f\n%s', notice.name, trace.seq, state))
end
