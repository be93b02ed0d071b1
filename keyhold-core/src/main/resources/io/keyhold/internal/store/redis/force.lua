-- Frees a lock, or all permits of a semaphore, for any holder, and hands them over to the head of the queue. Data of another kind
-- belongs to another program: it is left alone, with an error. A sorted set with a holder that has no end is a semaphore, although its
-- state was lost: that never heals by itself.
--
-- KEYS lock counter queue last state waiters
-- ARGV none
-- CONSTANTS stride keep retention readwrite
--   as for acquire and for resize
-- Reply 1 if it was held, else 0.
--
-- Atomic, because no other request may take what is freed before the head of the queue.
if redis.call('TYPE', lock).ok == 'zset'
  and (redis.call('EXISTS', state) == 1 or redis.call('ZRANGE', lock, -1, -1, 'WITHSCORES')[2] == 'inf') then
  local holders, token, upTo, ifForeign = lock, '', '0', nil
-- USES permits
  local held = not empty
  redis.call('DEL', holders)
  if limit then
-- USES forget_holders
-- USES serve
    serve()
  else
    -- Only the waiters know how many permits there are.
    redis.call('DEL', state)
-- USES tell
    tellFirst(waiters)
  end
  return held and 1 or 0
end

if not redis.call('GET', lock) then
  return 0
end
local at
-- USES handover
if not handOver(redis.pcall('LPOP', queue)) then
  redis.call('DEL', lock, last)
end
return 1
