-- Raises the fencing counters of one lock or several, if this token holds all of them.
--
-- KEYS lock1 fence1 lock2 fence2 ...
-- ARGV token number kept
--   number  what the counters are to be at least
--   kept    milliseconds for which the records of the grant are kept
-- CONSTANTS retention
--   retention  milliseconds for which the record of a grant outlives the lease
-- Reply 1, or 0 if this token does not hold all of them.
--
-- Atomic, because a lock that is lost between the look and the write may have been granted with a larger number. A node that
-- lost its memory since it granted has lost the lock too, and says 0.
local token, number, kept = unpack(ARGV)
for i = 1, #KEYS / 2 do
  if redis.call('GET', KEYS[2 * i - 1]) ~= token then
    return 0
  end
end
for i = 1, #KEYS / 2 do
  local fence = KEYS[2 * i]
  local last, since = string.match(redis.call('GET', fence) or '', '^(%d+) (%d+)')
  if not last or tonumber(last) < tonumber(number) then
    redis.call('SET', fence, number .. ' ' .. (since or number) .. ' ' .. token, 'PX', kept)
  end
end
return 1
