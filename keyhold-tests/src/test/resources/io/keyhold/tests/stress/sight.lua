-- Reads a semaphore from outside, by its stored form.
--
-- KEYS holders state waiters counter
-- Reply {permits that are held, the last fencing token, 1 if one of the keys has no expiry, number of waiters}.
--
-- Atomic, so that all of it is of one moment.
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000000 + time[2])
local held = 0
for _, token in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  held = held + tonumber(string.match(redis.call('HGET', KEYS[2], ':' .. token) or '0', '^%d+'))
end
local endless = 0
for i = 1, 3 do
  if redis.call('PTTL', KEYS[i]) == -1 then
    endless = 1
  end
end
return {held, redis.call('GET', KEYS[4]) or '', endless, redis.call('LLEN', KEYS[3])}
