-- Takes several locks if all of them are free or held by whoever asks; else none.
--
-- KEYS lock1 fence1 queue1 lock2 fence2 queue2 ...
-- ARGV token lease kept how part1 part2 ...
--   lease  milliseconds; 0 for a hold that never ends
--   kept   milliseconds for which the records of the grant are kept
--   how    take, or leave: only locks that this token holds go on
--   part   the token by which whoever asks holds that lock already; left out if it holds none
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply the fencing token if granted, one for all; else {holder or nil, PTTL, microseconds, 1 if Keyhold granted that lock to the
--   holder, else 0}, of the first lock that is not to be had.
--
-- Atomic, because between looking and taking others could take some of them, and because a fencing token must be larger than all
-- earlier ones of all keys. A free lock with a queue goes to the queue first. Locks that go on keep their number, so that
-- the request may be repeated when its reply was lost, and never end sooner than they did.
local token, lease, kept, how = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local lock, fence, queue
-- USES record
-- USES handover
local highest, same, first = 0, true, nil
local held = {}
for i = 1, #KEYS / 3 do
  lock, fence, queue = KEYS[3 * i - 2], KEYS[3 * i - 1], KEYS[3 * i]
  local holder = redis.pcall('GET', lock)
  if type(holder) == 'table' then
    return holder -- An error: something else stands under the key. Nothing is taken yet.
  end
  if not holder and how ~= 'leave' then
    holder = handOver(redis.pcall('LPOP', queue))
  end
  local number, owner = string.match(redis.call('GET', fence) or '', '^(%d+) %d+ (.*)$')
  if holder ~= token and (holder and holder ~= ARGV[4 + i] or not holder and how == 'leave') then
    local time = redis.pcall('TIME')
    if time.err then
      return timeForbidden(time)
    end
    return {holder or false, redis.call('PTTL', lock), time[1] * 1000000 + time[2], owner == holder and 1 or 0}
  end
  first = first or number
  held[i] = holder == token
  same = same and held[i] and owner == token and number == first
  highest = math.max(highest, tonumber(number or 0))
end

local time = redis.pcall('TIME')
if time.err then
  return timeForbidden(time)
end
local at = string.format('%.0f', time[1] * 1000000 + time[2])
local number = same and first or string.format('%.0f', math.max(highest + stride, tonumber(at)))
for i = 1, #KEYS / 3 do
  lock, fence = KEYS[3 * i - 2], KEYS[3 * i - 1]
  local left = held[i] and redis.call('PTTL', lock) or -2
  if lease == '0' then
    redis.call('SET', lock, token)
  elseif left >= 0 and left > tonumber(lease) then
    kept = retention + left
  else
    redis.call('SET', lock, token, 'PX', lease)
  end
  if same then
    redis.call('PEXPIRE', fence, kept)
  else
    redis.call('SET', fence, number .. ' ' .. at .. ' ' .. token, 'PX', kept)
  end
end
return number
