-- Gives this node's vote for one lock or several, if all of them are free or held by this token, and the node may vote.
--
-- KEYS incarnation lock1 counter1 queue1 lock2 counter2 queue2 ...
-- ARGV token lease how proposal longest admits place part1 part2 ...
--   lease     milliseconds
--   how       take, or leave: only locks that this token holds are extended
--   proposal  the fencing token that is proposed
--   longest   milliseconds after which every lease is over that was granted before a restart
--   admits    which node needs no quarantine: '?' one that remembers no earlier incarnation, because it is known to be new; '!' one that does,
--             because all its writes are durable; '' none
--   place     the queue entry by which the client is notified of a release, as QueuePlace writes it; '' for none
--   part      the token by which the client holds that lock already; left out if it holds none
-- CONSTANTS stride keep
--   as for acquire
-- Reply {1, fencing token, server}; {0, holder or nil, PTTL, server} of the first lock that is busy; {2, milliseconds, mark, server}
--   if the node may not vote for that long; the mark is '!' if the server remembers an earlier incarnation, and another one (see incarnation) if that
--   is not certain. The server is its process: a quorum must not count a server twice that has two addresses.
--
-- Atomic, because another client could take the lock between the read and the write, because the counters must grow with every grant, and
-- because the quarantine could start between them. Locks that are held keep their number, so that the request may be repeated.
local token, lease, how, proposal, longest, admits, place = unpack(ARGV)
local incarnation = KEYS[1]
-- USES incarnation
local wait, mark, value, server = quarantine(longest)
if value then
  redis.call('SET', incarnation, value)
end
if wait > 0 then
  return {2, wait, mark, server}
end

local at, problem
-- The usual case first: one lock that is free. It is taken with the proposal as its number, which is nearly always right, and the counter
-- is written after that, as in acquire: a vote for a lock that is taken writes nothing.
if #KEYS == 4 and how == 'take' then
  local lock, counter, queue = KEYS[2], KEYS[3], KEYS[4]
-- USES clock
  if problem then
    return problem
  end
  if redis.call('SET', lock, token .. ' ' .. proposal .. ' ' .. at, 'PX', lease, 'NX') then
    local last = redis.pcall('SET', counter, proposal, 'GET')
    if last and last.err then
      redis.call('DEL', lock)
      return last
    end
    local number = proposal
    -- By text, as in number.
    if last and (#last ~= #proposal or string.sub(last, 1, -4) >= string.sub(proposal, 1, -4)
      or string.sub(proposal, -3) + 0 < stride) then
      local least = tonumber(string.match(last, '^%d+') or 0) + stride
      if least > tonumber(proposal) then
        number = string.format('%.0f', least)
        redis.call('SET', counter, number)
        redis.call('SET', lock, token .. ' ' .. number .. ' ' .. at, 'KEEPTTL')
      end
    end
    if place ~= '' then
      redis.pcall('LREM', queue, 1, place)
    end
    return {1, number, server}
  end
end

-- USES value
local highest, same, first = 0, true, nil
local held, foreign = {}, {}
for i = 1, (#KEYS - 1) / 3 do
  local lock, counter, queue = KEYS[3 * i - 1], KEYS[3 * i], KEYS[3 * i + 1]
  local value = redis.call('GET', lock)
  local holder = value and tokenIn(value)
  held[i] = isOf(value, token)
  local number = held[i] and numberIn(value, token)
  if not held[i] and (holder and holder ~= ARGV[7 + i] or not holder and how == 'leave') then
    if place ~= '' and not redis.call('LPOS', queue, place) then
      redis.call('RPUSH', queue, place)
      redis.call('PEXPIRE', queue, keep)
    end
    return {0, holder or false, redis.call('PTTL', lock), server}
  end
  if i == 1 then
    first = number
  end
  same = same and held[i] and number == first
  foreign[i] = held[i] and not number
  highest = math.max(highest, tonumber(string.match(redis.call('GET', counter) or '', '^%d+') or 0))
end

-- USES clock
if problem then
  return problem
end
local known = same and first
local number = known or highest + stride <= tonumber(proposal) and proposal
  or string.format('%.0f', highest + stride)
for i = 1, (#KEYS - 1) / 3 do
  local lock, counter, queue = KEYS[3 * i - 1], KEYS[3 * i], KEYS[3 * i + 1]
  if not known then
    redis.call('SET', counter, number)
  end
  -- The lock last, and pcall before it: an error must not leave a lock behind that no client holds.
  if place ~= '' then
    redis.pcall('LREM', queue, 1, place)
  end
  if not held[i] then
    redis.call('SET', lock, token .. ' ' .. number .. ' ' .. at, 'PX', lease)
  else
    if not same and not foreign[i] then
      redis.call('SET', lock, token .. ' ' .. number .. ' ' .. at, 'KEEPTTL')
    end
    if redis.call('PTTL', lock) < tonumber(lease) then
      redis.call('PEXPIRE', lock, lease)
    end
  end
end
return {1, number, server}
