-- Gives back the permits that this token holds, and leaves the queue. Whoever waits longest gets what there is then.
--
-- KEYS holders state waiters
-- ARGV token place
--   place  where this token may be waiting, as QueuePlace writes it; left out if nowhere
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply 1, or {0} if this token holds nothing.
--
-- Atomic, because the hold could expire between looking and giving back, and its permits would come back twice; because a waiter
-- that gives up must either be out of the queue or give back what it was granted just before; and because those behind one
-- that gives up may be content with less than it wanted.
if place then
  redis.pcall('LREM', waiters, 1, place)
end
local kind = redis.call('TYPE', holders).ok
if kind ~= 'zset' and kind ~= 'none' then
  return {0, 'a key of type ' .. kind} -- It is not ours, rather than an error.
end

-- USES permits
local dropped = open()
local score = redis.call('ZSCORE', holders, token)
if score then
  drop({token})
  local last = redis.call('ZRANGE', holders, -1, -1, 'WITHSCORES')
  if not last[1] then
    used = 0
  elseif score == 'inf' and last[2] ~= 'inf' then
    -- Nothing kept the others' key from staying for ever but their ends.
    redis.call('PEXPIREAT', holders, math.ceil(last[2] / 1000) + 1)
  end
  if limit then
    redis.call('HSET', state, 'used', used)
  end
end
if score or place or dropped then
  serve()
end
return score and 1 or {0}
