-- Ends the hold of a token on permits, and keeps them taken for a while. The head of the queue is told to ask again, and learns when
-- the rest ends.
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
if place then
  redis.pcall('LREM', waiters, 1, place)
end
if type(redis.pcall('ZCARD', holders)) ~= 'number' then
  return {0} -- Something else is under the key. It is not ours, rather than an error.
end
-- USES number
-- USES stopped
-- USES permits
-- USES tell
local dropped, detail, problem = open(token)
if problem then
  return problem
end
local held = redis.call('ZREM', holders, token)
if held == 1 then
  redis.call('HDEL', state, ':' .. token)
  redis.call('ZADD', holders, string.format('%.0f', now + rest * 1000), resting)
  if detail then
    redis.call('HSET', state, ':' .. resting, string.match(detail, '^%d+ %d+ %d+'))
  end
  keepState(rest)
  local latest = redis.call('ZRANGE', holders, -1, -1, 'WITHSCORES')
  if latest[2] ~= 'inf' then
    redis.call('PEXPIREAT', holders, math.ceil(latest[2] / 1000) + 1)
  end
end
if place or dropped then
  serve()
end
if held == 1 then
  tellFirst(waiters)
end
return held == 1 and 1 or {0}
