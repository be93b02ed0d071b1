-- Takes several locks if all of them are free or held by this client; otherwise none.
--
-- KEYS lock1 counter1 queue1 last1 lock2 counter2 queue2 last2 ...
-- ARGV token lease how part1 part2 ...
--   lease  milliseconds; 0 for a hold that never ends
--   how    take, or leave: only locks that this token holds go on
--   part   the token by which this client holds that lock already; left out if it holds none
-- CONSTANTS stride keep
--   as for acquire
-- Reply the fencing token if granted, one for all; else {holder or nil, PTTL, microseconds, 1 if Keyhold granted that lock to the
--   holder, else 0}, of the first lock that is not free.
--
-- Atomic, because other clients could take some of them between the read and the write, and because a fencing token must be larger than all
-- earlier ones of all keys. A free lock with a queue goes to the queue first. Locks that go on keep their number, so that
-- the request may be repeated when its reply was lost, and never end sooner than they did.
local token, lease, how = ARGV[1], ARGV[2], ARGV[3]
local lock, counter, queue, last
-- USES value
local at, problem
-- USES handover
-- DURABLE -- USES quarantine
-- DURABLE local refusal = quarantine()
-- DURABLE if refusal then
-- DURABLE   return refusal
-- DURABLE end
-- USES clock
if problem then
  return problem
end
local same, first = true, nil
local held, foreign = {}, {}
for i = 1, #KEYS / 4 do
  lock, counter, queue, last = unpack(KEYS, 4 * i - 3, 4 * i)
  local value = redis.pcall('GET', lock)
  if type(value) == 'table' then
    return value -- An error: something else is under the key. Nothing is taken yet.
  end
  if not value and how ~= 'leave' and handOver(redis.pcall('LPOP', queue)) then
    value = redis.call('GET', lock)
  end
  held[i] = isOf(value, token)
  local number = held[i] and numberIn(value, token)
  local holder, ours = nil, false
  if value then
    holder, ours = tokenIn(value)
  end
  if not held[i] and (holder and holder ~= ARGV[3 + i] or not holder and how == 'leave') then
    return {holder or false, redis.call('PTTL', lock), tonumber(at), ours and 1 or 0}
  end
  if i == 1 then
    first = number
  end
  same = same and held[i] and number == first
  foreign[i] = held[i] and not number
end

-- One number for all: the largest of those that their slots give.
local largest = same and first
if not largest then
  local seen = {} -- Keys of one slot share a counter, which grows once.
  for i = 2, #KEYS, 4 do
    counter = KEYS[i]
    if not seen[counter] then
      seen[counter] = true
-- USES number
      if refused then
        return refused
      end
      if not largest or tonumber(number) > tonumber(largest) then
        largest = number
      end
    end
  end
  for i = 2, #KEYS, 4 do
    redis.call('SET', KEYS[i], largest)
  end
end
for i = 1, #KEYS / 4 do
  lock = KEYS[4 * i - 3]
  local left = held[i] and redis.call('PTTL', lock) or -2
  local value = token .. ' ' .. largest .. ' ' .. at
  if held[i] and (same or foreign[i]) then
    -- A foreign value stays as its holder wrote it.
    if lease == '0' then
      redis.call('PERSIST', lock)
    elseif left < tonumber(lease) then
      redis.call('PEXPIRE', lock, lease)
    -- DURABLE else
    -- DURABLE   redis.call('PEXPIRE', lock, left)
    end
  elseif lease == '0' then
    redis.call('SET', lock, value)
  else
    redis.call('SET', lock, value, 'PX', math.max(left, lease))
  end
end
return largest
