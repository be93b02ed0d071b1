-- Sets the number of permits of a semaphore, and serves the waiters that can be served then.
--
-- KEYS holders state waiters counter
-- ARGV says permits
--   says     how many permits there are, as this client says, for a semaphore that is not used yet
--   permits  how many there are from now on
-- CONSTANTS stride keep retention readwrite
--   as for acquire; milliseconds for which a semaphore's limit outlives its last holder; and the number of permits that marks a read/write
--   lock, which is left as it is
-- Reply how many there were.
--
-- Atomic, because waiters must get what has become free before newcomers.
local token, upTo, ifForeign = '', '0', nil
-- USES permits
-- USES serve
if dropped and limit == readwrite then
  serve()
  if empty and redis.call('EXISTS', waiters) == 0 then
    limit, said = nil, nil -- All have expired, and a free read/write lock leaves nothing.
  end
end
local before = limit or tonumber(says)
if before ~= readwrite then
  limit, said = tonumber(permits), said or tonumber(says)
  redis.call('HSET', state, 'limit', limit, 'said', said, 'used', used)
  if redis.call('PTTL', holders) ~= -1 and redis.call('PTTL', state) < retention then
    redis.call('PEXPIRE', state, retention)
  end
  -- A waiter that needs more than there are now is told to ask again, and then refused.
  for _, place in ipairs(redis.pcall('LRANGE', waiters, 0, -1)) do
    local channel, number, wanted = string.match(place, '^(%S+) (%d+) %d+ %d+ (%d+) ')
    if channel and tonumber(wanted) > limit then
      redis.call('LREM', waiters, 1, place)
      moved = true
      redis.pcall('PUBLISH', channel, 'freed ' .. number)
    end
  end
  serve() -- The number in use is written above, or by a grant.
end
return before
