-- Part of other scripts: for how many milliseconds this node may not vote yet, 0 if it may; and what the key 'reign' has to say from
-- now on, nil if it does. Looks only. 'told' is the longest lease that is to be remembered for others, in milliseconds.
-- It needs these of the script around it: reign, longest, admits.
--
-- A server that was started anew, or promoted, may have forgotten what it granted, and must not vote before every lease is
-- over. Its replication identity changes whenever that happens; also when its first replica comes or its last has been gone for long,
-- but then the process is the same, and was not promoted: such a one has no second identity. The key 'reign' holds
--   IDENTITY PROCESS                          of a node that may vote
--   MARK IDENTITY PROCESS BEGAN LONGEST       of one in quarantine: since when, in microseconds, and the longest lease that anybody
--                                             who asked for a vote has told of: the first need not know of the others'
-- The mark is '!' if the server remembers an earlier reign, '?' if it remembers none, '+' if it was promoted: a replica remembers,
-- but not all that its master has answered. Returns that mark too, between the two, and at the end the server's process (run_id), which
-- is the same at one time under all names of a server and in all its databases.
local function quarantine(told)
  local info = redis.call('INFO', 'replication')
  local known = redis.call('GET', reign) or ''
  -- Looked for as it stands, because nearly all calls end here, and a pattern takes longer.
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
