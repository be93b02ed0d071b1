-- Records a holder, and until when it certainly holds the lock. A holder may be recorded again, with a later end.
--
-- KEYS inside fences book violations events
-- ARGV hold fence weight limit ends
--   weight  how many permits it holds
--   limit   how many permits may be held at a time; a holder of all of them is exclusive, and changes the version
--   ends    microseconds by this server's clock
-- Reply {1 if it is counted, 0 if its end has passed already; the version}.
--
-- Atomic, because the sum must be of one moment. Only certain holders are counted: a holder whose end has passed is not, whether it
-- left or was killed, and no end is later than that of the lease. So a sum above the limit is a fault, on any machine.
local inside, fences, book, violations, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local hold, fence, weight, limit, ends = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local counted = tonumber(ends) > now
if counted then
  if redis.call('HSETNX', fences, fence, hold) == 1 then
    redis.call('HINCRBY', book, 'entries', 1)
    if weight == limit then
      redis.call('HINCRBY', book, 'version', 1)
    end
  elseif redis.call('HGET', fences, fence) ~= hold then
    redis.call('RPUSH', violations, 'two holds of ' .. inside .. ' have the fencing token ' .. fence .. ': '
      .. redis.call('HGET', fences, fence) .. ' and ' .. hold)
  end
  redis.call('ZREMRANGEBYSCORE', inside, '-inf', string.format('%.0f', now))
  redis.call('ZADD', inside, ends, weight .. ' ' .. hold)
  local sum, all = 0, redis.call('ZRANGE', inside, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    sum = sum + tonumber(string.match(all[i], '^%d+'))
  end
  if sum > limit then
    redis.call('RPUSH', violations, sum .. ' of ' .. limit .. ' permits were held in ' ..  inside .. ' at '
      .. string.format('%.0f', now) .. ', each until: ' .. table.concat(all, ', '))
  end
  if sum > tonumber(redis.call('HGET', book, 'most') or '0') then
    redis.call('HSET', book, 'most', string.format('%.0f', sum))
  end
  if weight < limit and #all / 2 > tonumber(redis.call('HGET', book, 'together') or '0') then
    redis.call('HSET', book, 'together', #all / 2)
  end
end
redis.call('LPUSH', events, string.format('%.0f', now) .. ' ' .. fence .. ' ' .. hold .. ' enters with ' .. weight .. ' until '
  .. ends .. (counted and '' or ': over'))
redis.call('LTRIM', events, 0, 199)
return {counted and 1 or 0, tonumber(redis.call('HGET', book, 'version') or '0')}
