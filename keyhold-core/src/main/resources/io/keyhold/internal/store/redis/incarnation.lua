-- Part of other scripts: reads the incarnation of this server, and writes nothing. Returns
--   for how many milliseconds the node may not vote; 0 if it may
--   the mark of its quarantine (see below)
--   the value that the key 'incarnation' must get; nil if it has that
--   the server's process (run_id), which is the same at one time for all addresses of a server and in all its databases
-- 'told' is the longest lease that is to be remembered for others, in milliseconds.
-- It needs these of the script around it: incarnation, longest, admits.
--
-- A server that was restarted or promoted may have lost what it granted, and must not vote before every lease is
-- over. Its replication identity changes whenever that happens; also when its first replica comes or its last has been gone for long,
-- but then the process is the same and was not promoted: it has no second identity. The key 'incarnation' holds
--   IDENTITY PROCESS                          of a node that may vote
--   MARK IDENTITY PROCESS BEGAN LONGEST       of one in quarantine: since when, in microseconds, and the longest lease of all clients that
--                                             asked for a vote, because the first need not know that of the others
-- The mark is '!' if the server remembers an earlier incarnation, '?' if it remembers none, '+' if it was promoted: a replica remembers,
-- but not all that its master has replied.
local function quarantine(told)
  local info = redis.call('INFO', 'replication')
  local known = redis.call('GET', incarnation) or ''
  -- Searched as plain text, because nearly all calls end here, and a pattern takes longer.
  if string.find(info, 'master_replid:' .. string.sub(known, 1, 40) .. '\r', 1, true) then
    return 0, nil, nil, string.sub(known, 42)
  end
  local identity = string.match(info, 'master_replid:(%x+)')
  local process = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local promoted = not string.find(info, 'master_replid2:0+\r')
  local mark, was, by, began, most = string.match(known, '^([?!+]?)(%x+) (%x+) ?(%d*) ?(%d*)$')
  local same = by == process and (was == identity or not promoted)

  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local value, left = identity .. ' ' .. process, 0
  if not (same and mark == '') then
    if not same then
      began = now
      mark = promoted and '+' or (mark or '') ~= '' and mark or known ~= '' and '!' or '?'
    end
    -- Not later than now: the clock may have been set back.
    began = math.min(tonumber(began) or now, now)
    most = math.max(tonumber(most or '') or 0, tonumber(told))
    left = admits == mark and 0 or math.ceil((began + math.max(most, tonumber(longest)) * 1000 - now) / 1000)
    if left > 0 then
      value = mark .. value .. string.format(' %.0f %.0f', began, most)
    end
  end
  return math.max(left, 0), mark, value ~= known and value or nil, process
end
