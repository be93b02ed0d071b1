-- Takes permits of a semaphore, or goes on with those that this token holds already; otherwise waits in the queue, if asked to.
--
-- KEYS holders state waiters counter
-- ARGV token lease wanted says ifOther how place beside
--   lease    milliseconds; 0 for a hold that never ends
--   wanted   how many permits
--   says     how many permits there are, as this client says
--   ifOther  what to do if the semaphore has another number: refuse, or join
--   how      as for acquire, with 'take' for what is left out there
--   place    where to wait in the queue, as QueuePlace writes it; '' for nowhere
--   beside   the token of a hold whose permits do not count against this one; left out if there is none
-- CONSTANTS stride keep retention readwrite
--   as for acquire and for resize
-- Reply the fencing token if granted; the number of permits if it is another, or too small; else {first holder to expire or
--   nil, milliseconds until then or -1, microseconds, 1}; {first holder} if brief, except to the head of the queue.
--
-- Atomic, because another client could take the last permit between the count and the write, because fencing tokens must grow in
-- the order of the grants, and because no request may join the queue of a semaphore that was freed just before. Free permits go
-- to the queue first, and a request that finds a queue waits too: otherwise small requests would starve a large one. A hold that goes on keeps its number, so that the request may be repeated when its reply was lost,
-- and its lease never ends sooner than it did.
-- DURABLE local at
-- DURABLE -- USES join
-- DURABLE -- USES quarantine
-- DURABLE local refusal = quarantine(place ~= '' and not redis.pcall('ZSCORE', holders, token) and waiters)
-- DURABLE if refusal then
-- DURABLE   return refusal
-- DURABLE end
local upTo, ifForeign = '0', nil
-- USES permits
wanted, says = tonumber(wanted), tonumber(says)
if dropped then
-- USES serve
  serve(place)
  if empty and limit == readwrite and says ~= readwrite and redis.call('EXISTS', waiters) == 0 then
    limit, said, known = nil, nil, false -- All have expired, and a free read/write lock leaves nothing.
  end
end

-- Where the state was lost, the holders may know more.
local score = (detail or used == math.huge) and redis.call('ZSCORE', holders, token)
if score then
  do
-- USES keep_state
  end
  if lease == '0' then
    redis.call('ZADD', holders, 'XX', '+inf', token)
    redis.call('PERSIST', holders)
    redis.call('PERSIST', state)
    if detail and not string.find(detail, 'endless') then
      redis.call('HSET', state, ':' .. token, detail .. ' endless')
    end
  elseif now + lease * 1000 > tonumber(score) then
    redis.call('ZADD', holders, 'XX', string.format('%.0f', now + lease * 1000), token)
-- USES keep_holders
  -- DURABLE elseif detail then
  -- DURABLE   redis.call('HSET', state, ':' .. token, detail)
  end
  if not detail then
    -- The state was lost, and this hold's number with it. A new one is larger.
-- USES number
    if refused then
      return refused
    end
    limit = limit or says
    redis.call('HSET', state, 'limit', limit, 'said', said or says, 'used', used,
      ':' .. token, '0 ' .. number .. ' ' .. at .. ((lease == '0' or score == 'inf') and ' endless' or ''))
    kept = 0
-- USES keep_state
    return number
  end
  return string.match(detail, '^%d+ (%d+)')
end

if how == 'leave' then
-- USES busy_permits
end
local there = limit or says
local isOther = says ~= there and says ~= said
-- A read/write lock is no semaphore to be joined, nor the reverse.
if wanted > there or isOther and (ifOther == 'refuse' or there == readwrite or says == readwrite) then
  if how == 'rejoin' then
    moved = redis.pcall('LREM', waiters, 0, place) ~= 0
-- USES serve
    serve()
  end
  return there
end
limit, said = there, said or says

local permits = wanted
if beside then
  local other = redis.call('ZSCORE', holders, beside) and redis.call('HGET', state, ':' .. beside)
  local its = other and tonumber(string.match(other, '^%d+')) or 0
  if its > 0 and used - its + permits <= limit then
-- USES grant
    return number or refused
  end
end

-- The usual cases first: free permits and no queue, or no free permits.
local isFull = used >= limit
head = not isFull and redis.pcall('LINDEX', waiters, '0')
if type(head) == 'string' or isFull and moved and rests > 0 then
-- USES serve
  local turn = serve(place)
  if turn == 'own' then
    local number, refused = grant(token, lease, permits)
    if refused then
      return refused
    end
    redis.call('LPOP', waiters)
    moved = true
    serve() -- There may be enough for the waiters behind it, too.
    return number
  end
  isFull = turn ~= 'empty'
end
if not isFull and used + permits <= limit then
-- USES grant
  return number or refused
end

-- USES join
local isFirst
if place ~= '' then
  problem, isFirst = join(waiters)
end
if problem then
  return problem
end
if how == 'join briefly' and not isFirst then
  first = first or redis.call('ZRANGE', holders, '0', '0')
  return {first[1] or false}
end
-- USES busy_permits
