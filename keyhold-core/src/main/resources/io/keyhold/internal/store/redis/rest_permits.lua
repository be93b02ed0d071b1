-- Ends the hold of a token on permits, and keeps them taken for a while. The head of the queue is told to ask again, and learns when
-- the rest ends; so does each later head (see serve in permits).
--
-- KEYS holders state waiters counter
-- ARGV token resting rest place
--   resting  the token that keeps the permits taken
--   rest     milliseconds
--   place    as for release_permits
-- CONSTANTS stride keep retention readwrite
--   as for acquire and for resize
-- Reply 1; {0} if this token holds nothing.
--
-- Atomic, because the hold could expire between the read and the write, and its permits may be another's by then. The resting token is as
-- in rest. ZREM before ZADD, because a server that is short of memory refuses ZADD unless the script has written before.
-- USES end_permits
if held == 1 then
  local ends = tonumber(at) + rest * 1000
  redis.pcall('HDEL', state, ':' .. token) -- pcall as in drop.
  redis.call('ZADD', holders, string.format('%.0f', ends), resting)
  rests = math.max(rests, ends)
  redis.call('HSET', state, 'rests', string.format('%.0f', rests))
  if detail then
    redis.call('HSET', state, ':' .. resting, string.match(detail, '^%d+ %d+ %d+'))
  end
-- USES let_expire
  moved = true -- The head must learn of an end that may be sooner than all that it knows.
end
if held == 1 or place or dropped then
-- USES serve
  serve()
end
return held == 1 and 1 or {0}
