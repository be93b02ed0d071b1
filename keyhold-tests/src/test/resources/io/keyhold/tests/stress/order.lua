-- Looks whether what is stored of semaphores is in order.
--
-- KEYS violations over holders1 state1 waiters1 holders2 state2 waiters2 ...
--   over  holds whose time was over at an earlier look
--
-- Atomic, because all of this is true between any two scripts, whatever came before: what is in use is what the holders have, whether their
-- time is over or not; each is known and nobody else; the first in line wants more than is left; and no hold comes back to
-- life. Where all holders have ended together with their key, nothing is certain before somebody comes.
local violations, over = KEYS[1], KEYS[2]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function wrong(what, holders)
  if redis.call('LLEN', violations) < 200 then
    redis.call('RPUSH', violations, string.format('%.0f ', now) .. holders .. ': ' .. what)
  end
end

for i = 3, #KEYS, 3 do
  local holders, state, waiters = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local all = redis.call('ZRANGE', holders, 0, -1, 'WITHSCORES')
  local sum = 0
  for j = 1, #all, 2 do
    local detail = redis.call('HGET', state, ':' .. all[j])
    local hold = all[j] .. ' with ' .. (detail or 'nothing')
    if not detail then
      wrong('nothing is known of the holder ' .. all[j], holders)
    end
    sum = sum + (detail and tonumber(string.match(detail, '^%d+')) or 0)
    if tonumber(all[j + 1]) <= now then
      redis.call('SADD', over, hold)
    elseif redis.call('SISMEMBER', over, hold) == 1 then
      wrong('the time of ' .. hold .. ' was over, and now it is not', holders)
    end
  end
  if all[1] then
    local limit, used = unpack(redis.call('HMGET', state, 'limit', 'used'))
    limit, used = tonumber(limit), tonumber(used)
    if used ~= sum then
      wrong(tostring(used) .. ' of ' .. tostring(limit) .. ' are in use, of which the holders have ' .. sum, holders)
    end
    if redis.call('HLEN', state) - redis.call('HEXISTS', state, 'kept') ~= 3 + #all / 2 then
      wrong('the state knows of others than ' .. #all / 2 .. ' holders', holders)
    end
    local first = redis.call('LINDEX', waiters, 0)
    local wants = first and tonumber(string.match(first, '^%S+ %d+ %d+ %d+ (%d+) '))
    if wants and used + wants <= limit then
      wrong(used .. ' of ' .. limit .. ' are in use, and the first in line is not served: ' .. first, holders)
    end
  end
end
