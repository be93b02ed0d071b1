-- Takes a lock that is free, or goes on with one that this token holds already; otherwise waits in the queue, if asked to.
--
-- KEYS lock counter queue last
-- ARGV token lease how place
--   lease  milliseconds; 0 for a hold that never ends
--   how    what to do with a lock that is not this token's:
--          left out       take it if it is free, and go away if it is not
--          leave          leave it, free or not: only a hold of this token goes on
--          join           take it if it is free, and wait in the queue if it is not
--          join briefly   the same, with a brief reply
--          rejoin         the same as join, by a waiter that may be in the queue already
--   place  the entry of the queue, as QueuePlace writes it
-- CONSTANTS stride keep
--   stride  fencing tokens grow by at least this much
--   keep    milliseconds for which the queue outlives the last reply that was not brief
-- Reply the fencing token if granted, else {holder or nil, PTTL, microseconds, 1 if the holder is a client of Keyhold, else
--   0}; {holder} if brief, except to the head of the queue: it has to know when the hold ends.
--
-- Atomic, because another client could take it between the read and the write, because fencing tokens must grow in the order of the
-- grants, and because no request may join the queue of a lock that was freed just before. A free lock with a queue (its holder
-- expired, or knew of no queue) goes to the queue first. A hold that goes on keeps its number, so that the request may
-- be repeated when its reply was lost, and its lease never ends sooner than it did.
local at, problem
-- DURABLE -- USES is_of
-- DURABLE -- USES join
-- DURABLE -- USES quarantine
-- DURABLE local refusal = quarantine(place and not isOf(redis.pcall('GET', lock), token) and queue)
-- DURABLE if refusal then
-- DURABLE   return refusal
-- DURABLE end

-- The usual case first, with nothing that it does not need, not even functions: each request would make them again, which costs more than
-- most commands. Up to the first write, errors are returned and not raised: an error that is raised means that the script may have
-- written something (see RedisFailures).
--
-- The lock is taken with the clock as its number, which is nearly always right, and the counter is written after that: a request for
-- a lock that is taken writes nothing.
local value, first, taken
if how == 'join briefly' then
  -- Others of the same client wait already, so the lock is hardly free.
  value = redis.pcall('GET', lock)
end
if how ~= 'leave' and not value then
-- USES clock
  if problem then
    return problem
  end
-- USES take
  if taken and taken.err then
    return taken
  end
  if taken then
    first = redis.pcall('LPOP', queue)
    if not first or type(first) ~= 'string' then
-- USES number
-- USES numbered
    end
  end
end

if first then
  -- The lock was free although requests wait.
-- USES handover
  local isNext = first == place
  if not isNext then
    -- The client whose hold has just expired may be stopped.
-- USES stopped
    local previous = redis.pcall('GET', last)
    if type(previous) == 'string' and clientOf(previous) ~= clientOf(token) then
      redis.call('LPUSH', queue, first)
      demote(queue, {[clientOf(previous)] = true})
      first = redis.call('LPOP', queue)
    end
    local taker, trouble = handOver(first, place)
    isNext = not taker
    if isNext then
      if trouble and place then
        redis.pcall('LREM', queue, 0, place) -- It was not its turn: its entry is still there.
      end
      redis.call('DEL', lock)
-- USES take
    end
  end
  if isNext then
    redis.pcall('SET', last, token, 'PX', lease + keep)
-- USES number
-- USES numbered
  end
  value = redis.call('GET', lock)
elseif not value then
  value = redis.pcall('GET', lock)
end
if type(value) == 'table' then
  return value -- An error: something else is under the key.
end

-- USES value
if value and isOf(value, token) then
  local known = numberIn(value, token)
  if not known then
    -- A foreign hold that is adopted. Its value stays as its holder wrote it, so that each adoption gets a number of its own.
-- USES clock
    if problem then
      return problem
    end
-- USES number
    if not number then
      return refused
    end
    known = number
  end
  if lease == '0' then
    redis.call('PERSIST', lock)
  elseif redis.call('PTTL', lock) < tonumber(lease) then
    redis.call('PEXPIRE', lock, lease)
  -- DURABLE else
  -- DURABLE   redis.call('PEXPIRE', lock, redis.call('PTTL', lock))
  end
  return known
end

if how ~= 'join briefly' then
-- USES clock
  if problem then
    return problem
  end
end
-- USES join
local isFirst
if place then
  problem, isFirst = join(queue)
end
if problem then
  return problem
end
local holder, ours = false, false
if value then
  holder, ours = tokenIn(value)
end
if how == 'join briefly' and not isFirst then
  return {holder}
end
local left = redis.call('PTTL', lock)
if isFirst and ours then
  redis.pcall('SET', last, holder, 'PX', math.max(left, 0) + keep)
end
-- USES clock
if problem then
  return {holder} -- Something was written, so that a refusal to read the clock is no error.
end
return {holder, left, tonumber(at), ours and 1 or 0}
