-- Part of other scripts: whether this node may vote, or for how many milliseconds it may not yet.
-- It needs these of the script around it: reign, longest, admits.
--
-- A server that was started anew, or promoted, may have forgotten what it granted, and must not vote before every lease is
-- over. Its replication identity changes whenever that happens. The key 'reign' holds the identity that was admitted; or one that
-- is not admitted yet and the end of its quarantine in microseconds, behind a mark: '!' if the server remembers an earlier
-- reign, '?' if it remembers none. Answers that mark too.
local function quarantine()
  local info = redis.call('INFO', 'replication')
  local known = redis.call('GET', reign)
  -- Looked for as it stands, because nearly all calls end here, and a pattern takes longer.
  if known and string.find(info, 'master_replid:' .. known .. '\r', 1, true) then
    return 0
  end
  local identity = string.match(info, 'master_replid:(%x+)')
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local mark, waiting, ends = string.match(known or '', '^([?!])(%x+) (%d+)$')
  if waiting == identity then
    ends = tonumber(ends)
  else
    mark = mark or known and '!' or '?'
    ends = now + longest * 1000
    redis.call('SET', reign, mark .. identity .. ' ' .. string.format('%.0f', ends))
  end
  if ends <= now or admits == mark then
    redis.call('SET', reign, identity)
    return 0
  end
  return math.ceil((ends - now) / 1000), mark
end
