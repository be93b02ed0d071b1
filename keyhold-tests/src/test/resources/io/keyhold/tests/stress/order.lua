-- Checks that the stored state of semaphores is consistent.
--
-- KEYS violations over holders1 state1 waiters1 holders2 state2 waiters2 ...
--   over  holds that had expired at an earlier check
--
-- Atomic, because these invariants hold between any two scripts: the permits in use are the sum of the holders, expired or not; the
-- state has an entry for each holder and for no other; the head of the queue needs more than is free; and no expired hold becomes
-- valid again. Where all holders expired together with their key, nothing is certain until the next operation.
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
      wrong(used .. ' of ' .. limit .. ' are in use, and the head of the queue is not served:  ' .. first, holders)
    end
  end
end
