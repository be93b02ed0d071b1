-- Releases the permits that this token holds, leaves the queue, and serves the waiters.
--
-- KEYS holders state waiters counter
-- ARGV token ownChannel place
--   ownChannel  as for release
--   place       where this token may be waiting, as QueuePlace writes it; left out if nowhere
-- CONSTANTS stride keep retention readwrite
--   as for acquire and for resize
-- Reply 1, or {1, error} as for release; {2, grants} if waiters of this client have permits now, as in their messages; {0} if this token
--   holds nothing.
--
-- Atomic, because the hold could expire between the read and the write, and its permits would be returned twice; because a waiter
-- that gives up must either be out of the queue or release what it was granted just before; and because the waiters behind it
-- may need less than it did.
-- USES end_permits
if held == 1 then
  local permits, endless = string.match(detail or '', '^(%d+) %d+ %d+(.*)$')
  used = used - (permits or 0)
  if alone or dropped and redis.call('EXISTS', holders) == 0 then
    empty, used = true, 0
  end
  -- The permits return first: what follows may fail.
  if limit and empty and limit == readwrite then
-- USES forget_holders
  else
    redis.pcall('HDEL', state, ':' .. token) -- pcall as in drop.
    if limit then
      redis.call('HSET', state, 'used', used)
    end
    if dropped or endless ~= '' then -- Nothing, rather than '', if the hold's field was lost.
-- USES let_expire
    end
  end
end
if held == 1 or place or dropped then
  -- The usual case first: no queue.
  local isFull = not limit or used >= limit
  head = not isFull and redis.pcall('LINDEX', waiters, '0')
  if type(head) == 'string' or isFull and moved and rests > 0 then
    replyTo = held == 1 and ownChannel
-- USES serve
    local _
    _, problem = serve()
  end
end
if grants then
  table.insert(grants, 1, 2) -- Not unpack, which has a limit.
  return grants
end
return held == 1 and (problem and {1, problem.err} or 1) or {0}
