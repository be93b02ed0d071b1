-- Raises the fencing counters of one lock or several, if this token holds all of them.
--
-- KEYS lock1 counter1 lock2 counter2 ...
-- ARGV token number
--   number  the least value of the counters from now on
-- Reply 1, or 0 if this token does not hold all of them.
--
-- Atomic, because a lock that is lost between the read and the write may have been granted with a larger number. A node that
-- lost its data since it granted has lost the lock too, and returns 0.
local token, number = unpack(ARGV)
-- USES value
local values = {}
for i = 1, #KEYS, 2 do
  values[i] = redis.call('GET', KEYS[i])
  if not isOf(values[i], token) then
    return 0
  end
end
for i = 1, #KEYS, 2 do
  local last = string.match(redis.call('GET', KEYS[i + 1]) or '', '^%d+')
  if not last or tonumber(last) < tonumber(number) then
    redis.call('SET', KEYS[i + 1], number)
  end
  -- A repeated vote must return the number that was issued. A foreign value stays, and a late request does not lower the number.
  local present = numberIn(values[i], token)
  if present and tonumber(present) < tonumber(number) then
    redis.call('SET', KEYS[i], token .. ' ' .. number .. ' ' .. string.match(values[i], '%d+$'), 'KEEPTTL')
  end
end
return 1
