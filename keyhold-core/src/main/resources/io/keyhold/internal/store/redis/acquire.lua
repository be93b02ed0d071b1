-- Takes a lock that is free, or goes on with one that this token holds already.
--
-- KEYS lock fence
-- ARGV token lease ifFree stride retention
--   lease      milliseconds; 0 for a hold that never ends
--   ifFree     'take' a free lock, or 'leave' it: then only a hold of this token goes on
--   stride     fencing tokens grow by at least this much
--   retention  milliseconds for which the record of the grant outlives the lease
-- Reply {1, fencing token} if granted, else {0, holder or nil, PTTL}.
--
-- Atomic, because between looking and taking another could take it, and because fencing tokens must grow in the order of the
-- grants. The record is written before the lock: should the server stop the script in between (no permission, for
-- example), what is left is a number that nobody got, and not a lock that nobody holds. A hold that goes on keeps its number,
-- so that the request may be repeated when its reply was lost, and its lease never ends sooner than it did.
local holder = redis.call('GET', lock)
if (holder or ifFree == 'leave') and holder ~= token then
  return {0, holder, redis.call('PTTL', lock)}
end

local record = redis.call('GET', fence)
local number, owner
if record then
  number, owner = string.match(record, '^(%d+) %d+ (.*)$')
end
if not holder or owner ~= token then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
  number = string.format('%.0f', math.max((tonumber(number) or 0) + tonumber(stride), now))
  redis.call('SET', fence, number .. ' ' .. string.format('%.0f', now) .. ' ' .. token,
    'PX', string.format('%.0f', tonumber(retention) + tonumber(lease)))
end

if not holder and lease == '0' then
  redis.call('SET', lock, token)
elseif not holder then
  redis.call('SET', lock, token, 'PX', lease)
elseif lease == '0' then
  redis.call('PERSIST', lock)
elseif redis.call('PTTL', lock) < tonumber(lease) then
  redis.call('PEXPIRE', lock, lease)
end
if holder then
  redis.call('PEXPIRE', fence, string.format('%.0f', tonumber(retention) + math.max(redis.call('PTTL', lock), 0)))
end
return {1, number}
