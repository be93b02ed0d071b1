-- Takes a lock that is free, or goes on with one that this token holds already; otherwise waits in the queue, if asked to.
--
-- KEYS lock fence queue
-- ARGV token lease kept how place
--   lease  milliseconds; 0 for a hold that never ends
--   kept   milliseconds for which the record of the grant is kept
--   how    what to do with a lock that is not this token's:
--          left out       take it if it is free, and go away if it is not
--          leave          leave it, free or not: only a hold of this token goes on
--          join           take it if it is free, and wait in the queue if it is not
--          join briefly   the same, with a brief answer
--          rejoin         the same as join, by somebody who may be standing in the queue already
--   place  where to wait in the queue, as QueuePlace writes it
-- CONSTANTS stride keep retention
--   stride     fencing tokens grow by at least this much
--   keep       milliseconds for which the queue outlives the last answer that was not brief
--   retention  milliseconds for which the record of a grant outlives the lease
-- Reply the fencing token if granted, else {holder or nil, PTTL, microseconds, 1 if Keyhold granted the lock to the holder, else
--   0}; {holder} if brief.
--
-- Atomic, because between looking and taking another could take it, because fencing tokens must grow in the order of the
-- grants, and because nobody may join the queue of a lock that was freed just before. A free lock with a queue (its holder
-- expired, or knew of no queue) goes to the queue first. A hold that goes on keeps its number, so that the request may
-- be repeated when its reply was lost, and its lease never ends sooner than it did.
-- USES record

-- The usual case first, with nothing in it that it does not need. Up to the first write, errors are returned and not raised:
-- an error that is raised means that the script may have written something (see Failures).
local function take()
  if lease == '0' then
    return redis.pcall('SET', lock, token, 'NX')
  end
  return redis.pcall('SET', lock, token, 'PX', lease, 'NX')
end
local function recorded()
  local number, problem = record(token, kept)
  if not number then
    redis.call('DEL', lock)
  end
  return number or problem
end

local holder, first
if how == 'join briefly' then
  -- Others of the same client wait already, so the lock is hardly free.
  holder = redis.pcall('GET', lock)
end
if how ~= 'leave' and not holder then
  local taken = take()
  if taken and taken.err then
    return taken
  end
  if taken then
    first = redis.pcall('LPOP', queue)
    if type(first) ~= 'string' or first == place then
      return recorded()
    end
  end
end

-- USES stopped
-- USES handover
if first then
  -- The lock was free although requests wait. If the last hold of ours has just expired, its client may be stopped.
  local left = redis.call('PTTL', fence)
  if left <= retention and left > retention - keep then
    local last = string.match(redis.call('GET', fence) or '', '^%d+ %d+ (.*)$')
    if last and clientOf(last) ~= clientOf(token) then
      redis.call('LPUSH', queue, first)
      demote(queue, {[clientOf(last)] = true})
      first = redis.call('LPOP', queue)
    end
  end
  holder = handOver(first, place)
  if not holder then
    redis.call('DEL', lock)
    take()
    return recorded()
  end
elseif not holder then
  holder = redis.pcall('GET', lock)
end
if type(holder) == 'table' then
  return holder -- An error: something else stands under the key.
end

if holder == token then
  local number, owner = string.match(redis.call('GET', fence) or '', '^(%d+) %d+ (.*)$')
  if owner ~= token then
    number = record(token, kept)
  end
  if lease == '0' then
    redis.call('PERSIST', lock)
  elseif redis.call('PTTL', lock) < tonumber(lease) then
    redis.call('PEXPIRE', lock, lease)
  end
  redis.call('PEXPIRE', fence, retention + math.max(redis.call('PTTL', lock), 0))
  return number
end

local time
if how ~= 'join briefly' then
  time = redis.pcall('TIME')
  if time.err then
    return timeForbidden(time)
  end
end
-- USES join
local problem = place and join(queue)
if problem then
  return problem
end
if how == 'join briefly' then
  return {holder}
end
local owner = string.match(redis.call('GET', fence) or '', '^%d+ %d+ (.*)$')
return {holder, redis.call('PTTL', lock), time[1] * 1000000 + time[2], owner == holder and 1 or 0}
