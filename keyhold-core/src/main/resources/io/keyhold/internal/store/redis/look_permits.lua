-- Reads a semaphore without changing it.
--
-- KEYS holders state waiters
-- ARGV most
--   most  how many holders, and how many waiters, to show
-- Reply {limit, permits in use, microseconds, number of holders, {token, end in microseconds or inf, detail, token, ...}, {place,
--   ...}, number of waiters}; nil if there is no semaphore.
--
-- Atomic, so that the numbers are of one moment. Expired holders are left out, and not purged.
local kind = redis.call('TYPE', holders).ok
local values = redis.call('HMGET', state, 'limit', 'used')
if not values[1] or kind ~= 'zset' and kind ~= 'none' then
  return false
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local at = string.format('%.0f', now)
local used = tonumber(values[2])
local over = redis.call('ZRANGEBYSCORE', holders, '-inf', at)
for _, token in ipairs(over) do
  used = used - (string.match(redis.call('HGET', state, ':' .. token) or '', '^%d+') or 0)
end
local shown = redis.call('ZRANGEBYSCORE', holders, '(' .. at, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
local list = {}
for i = 1, #shown, 2 do
  list[#list + 1] = shown[i]
  list[#list + 1] = shown[i + 1]
  list[#list + 1] = redis.call('HGET', state, ':' .. shown[i]) or ''
end
local holding = redis.call('ZCARD', holders) - #over
-- Data of another kind under the key of the queue is no queue.
local queued = redis.pcall('LRANGE', waiters, 0, most - 1)
local length = queued.err and 0 or redis.call('LLEN', waiters)
return {
  tonumber(values[1]), holding == 0 and 0 or math.min(used, values[1]), now, holding, list, queued.err and {} or queued, length
}
