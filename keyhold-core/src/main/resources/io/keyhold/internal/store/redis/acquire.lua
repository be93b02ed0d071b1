-- Takes a lock that is free, or goes on with one that this token holds already; otherwise waits in the queue, if asked to.
--
-- KEYS lock fence queue
-- ARGV token lease ifFree place coming answer retention
--   lease      milliseconds; 0 for a hold that never ends
--   ifFree     'take' a free lock, or 'leave' it: then only a hold of this token goes on
--   place      where to wait in the queue, as QueuePlace writes it; empty for not at all
--   coming     'first' if this place was never asked for, else 'again'
--   answer     'full', or 'brief' for a busy lock's holder only
--   retention  milliseconds for which the record of the grant outlives the lease
-- CONSTANTS stride keep
--   stride     fencing tokens grow by at least this much
--   keep       milliseconds for which the queue outlives the last full answer
-- Reply {1, fencing token} if granted, else {0, holder or nil}, and in full {0, holder or nil, PTTL, microseconds,
--   1 if Keyhold granted the lock to the holder, else 0}.
--
-- Atomic, because between looking and taking another could take it, because fencing tokens must grow in the order of the
-- grants, and because nobody may join the queue of a lock that was freed just before. A free lock with a queue (its holder
-- expired, or knew of no queue) goes to the queue first. A hold that goes on keeps its number, so that the request may
-- be repeated when its reply was lost, and its lease never ends sooner than it did.
-- USES record

-- The usual case first, with nothing in it that it does not need.
local first
if ifFree == 'take' then
  local taken
  if lease == '0' then
    taken = redis.call('SET', lock, token, 'NX')
  else
    taken = redis.call('SET', lock, token, 'PX', lease, 'NX')
  end
  if taken then
    first = redis.pcall('LPOP', queue)
    if type(first) ~= 'string' or first == place then
      local number, problem = record(token, lease)
      if number then
        return {1, number}
      end
      redis.call('DEL', lock)
      return problem
    end
  end
end

-- USES handover
local holder
if first then
  holder = handOver(first, place)
  if not holder then
    local number, problem = record(token, lease)
    if number then
      return {1, number}
    end
    redis.call('DEL', lock)
    return problem
  end
else
  holder = redis.call('GET', lock)
end

if holder == token then
  local number, owner = string.match(redis.call('GET', fence) or '', '^(%d+) %d+ (.*)$')
  if owner ~= token then
    number = record(token, lease)
  end
  if lease == '0' then
    redis.call('PERSIST', lock)
  elseif redis.call('PTTL', lock) < tonumber(lease) then
    redis.call('PEXPIRE', lock, lease)
  end
  redis.call('PEXPIRE', fence, retention + math.max(redis.call('PTTL', lock), 0))
  return {1, number}
end

if place ~= '' then
  local length = 0
  if coming == 'first' or not redis.call('LPOS', queue, place) then
    length = redis.call('RPUSH', queue, place)
  end
  if length == 1 or answer == 'full' then
    redis.call('PEXPIRE', queue, keep)
  end
end
if answer == 'brief' then
  return {0, holder}
end
local owner = string.match(redis.call('GET', fence) or '', '^%d+ %d+ (.*)$')
local time = redis.call('TIME')
return {0, holder, redis.call('PTTL', lock), time[1] * 1000000 + time[2], owner == holder and 1 or 0}
