-- Stands in front of a step that records a call with an idempotency key: a writer that was paused until its claim had expired may
-- not record it any more, since the key may have been used by another since (invariant 5). Calls without a key do not pay for it.
for at = 13, 12 + 2 * tonumber(ARGV[12]), 2 do
  if ARGV[at] == 'recordByMs' and redis.call('HEXISTS', KEYS[1], 'state') == 0 then
    local time = redis.call('TIME')
    if time[1] * 1000 + math.floor(time[2] / 1000) >= tonumber(ARGV[at + 1]) then return 'voided' end
  end
end
