-- Raises the fencing counters of one lock or several, if this token holds all of them.
--
-- KEYS lock1 counter1 lock2 counter2 ...
-- ARGV token number
--   number  what the counters are to be at least
-- Reply 1, or 0 if this token does not hold all of them.
--
-- Atomic, because a lock that is lost between the look and the write may have been granted with a larger number. A node that
-- lost its memory since it granted has lost the lock too, and says 0.
local token, number = unpack(ARGV)
-- USES value
local since = {}
for i = 1, #KEYS, 2 do
  local value = redis.call('GET', KEYS[i])
  if not isOf(value, token) then
    return 0
  end
  since[i] = string.match(value, '%d+$')
end
for i = 1, #KEYS, 2 do
  local last = redis.call('GET', KEYS[i + 1])
  if not last or tonumber(last) < tonumber(number) then
    redis.call('SET', KEYS[i + 1], number)
  end
  -- A repeated vote must return the number that was issued.
  redis.call('SET', KEYS[i], token .. ' ' .. number .. ' ' .. since[i], 'KEEPTTL')
end
return 1
