-- Part of other scripts: a semaphore, and what is done with it. It needs these of the script around it: holders, state,
-- waiters, keep, retention, readwrite. Before the first write errors are returned and not raised, as in acquire.
--
-- Holders are a sorted set, token to end in microseconds. The state is a hash: limit, how many permits there are; said, how
-- many the first client said; used, how many are held; kept, until when the state is kept at
-- least, in milliseconds; rests, until when a hold rests, in microseconds; and for each holder a field, a colon and its token, with its
-- permits, fencing token and beginning, and 'endless' if it has no end. Every write comes after a read of the holders, which fails if their
-- key has data of another type. A semaphore's state outlives its holders by the retention, so that its limit is
-- known. A read/write lock has nothing to remember, and leaves nothing; if all its holders expire, their names are kept for as long as
-- the queue, because they may be stopped.
-- USES number
-- USES stopped
local clockProblem = readClock()
if clockProblem then
  return clockProblem
end
local now = tonumber(at)
local limit, said, used, kept, empty
local rests = 0
-- Whether limit and said are in the state.
local known = false
-- The first holder to expire and its end, for as long as no holder has come or gone; then nil.
local first
-- Whether the head of the queue may be another one than before this script.
local moved = false
-- The clients whose holds have just expired.
local stopped = {}
-- The client that waits for the reply of this script, and the grants to its waiters, which the reply carries instead of messages.
local replyTo, grants = nil, {}

local function drop(tokens)
  first = nil
  local fields = {}
  for i, token in ipairs(tokens) do
    fields[i] = ':' .. token
  end
  local details = redis.call('HMGET', state, unpack(fields))
  redis.call('ZREM', holders, unpack(tokens))
  redis.call('HDEL', state, unpack(fields))
  for _, detail in ipairs(details) do
    -- Nothing is known of a holder without a field in the state: its permits return when all holders have ended.
    used = used - (detail and tonumber(string.match(detail, '^%d+')) or 0)
  end
end

-- Keeps the limit of a semaphore without holders, for the retention.
local function forgetHolders()
  redis.call('DEL', state)
  known = limit ~= readwrite
  if known then
    redis.call('HSET', state, 'limit', limit, 'said', said, 'used', 0)
    redis.call('PEXPIRE', state, retention)
  end
  empty, used, kept, rests, first = true, 0, 0, 0, nil
end

-- Reads the state, and drops expired holders. Returns whether there were any: what they held is free then; the field of this
-- token's hold, if it has one; an error if one of the keys has data of another type; and whether that is the key of the holders. Their
-- clients may be stopped, unless one of them sent this request: their entries go to the back of the queue. Reads the holders up to 'last'.
local function open(token, last)
  first = redis.pcall('ZRANGE', holders, '0', last, 'WITHSCORES')
  if first.err then
    return nil, nil, first, true
  end
  local values = redis.pcall('HMGET', state, 'limit', 'said', 'used', 'kept', ':' .. token, 'rests')
  if values.err then
    return nil, nil, values
  end
  local detail = values[5]
  limit, said, used = tonumber(values[1]), tonumber(values[2]), tonumber(values[3])
  kept = tonumber(values[4]) or 0
  rests = tonumber(values[6]) or 0
  known = limit and said
  empty = not first[1]
  if not empty and not used then
    used = limit or math.huge -- The state was lost: no grant before all holders have ended.
  end
  local vanished = empty and limit and used ~= 0
  if vanished then
    for _, field in ipairs(redis.call('HKEYS', state)) do
      if string.sub(field, 1, 1) == ':' then
        stopped[clientOf(string.sub(field, 2))] = true
      end
    end
    -- All holders have ended, and their key with them. Their fields would stay as long as the state.
    forgetHolders()
    detail = false
  end
  -- As text where that is possible: numbers made of long text are dear.
  local ends = first and first[2] or ''
  local dropped = not empty and (#ends == #at and ends <= at or #ends ~= #at and tonumber(ends) <= now)
  if dropped then
    repeat
      local over = redis.call('ZRANGEBYSCORE', holders, '-inf', at, 'LIMIT', '0', '1000')
      if over[1] then
        for _, ended in ipairs(over) do
          stopped[clientOf(ended)] = true
        end
        drop(over)
      end
    until #over < 1000
    empty = redis.call('EXISTS', holders) == 0
    detail = detail and redis.call('HGET', state, ':' .. token)
    if limit and empty then
      forgetHolders()
    elseif limit then
      redis.call('HSET', state, 'used', used)
    end
  end
  if empty then
    used = 0
  end
  if next(stopped) then
    stopped[clientOf(token)] = nil
    if next(stopped) then
      demote(waiters, stopped)
      moved = true
    end
  end
  return dropped or vanished, detail
end

-- Returns for how long the state is to be kept from now on, for this lease, and notes it in 'kept'; nil if it is kept for long enough
-- already. A semaphore's state outlives the lease by the retention, and so does that of a hold without an end. Somewhat longer than that,
-- so that it need not be done every time. Renewals prolong the state without telling 'kept': it must not be cut short.
local function longer(lease)
  local millis = math.floor(now / 1000)
  local after = limit == readwrite and lease ~= '0' and keep or retention
  if millis + after + lease <= kept then
    return nil
  end
  local isNew = kept == 0
  local long = math.floor((after + lease) * 9 / 8)
  kept = millis + long
  return (isNew or redis.call('PTTL', state) < long) and long or nil
end

local function keepState(lease)
  local long = longer(lease)
  if long then
    redis.call('HSET', state, 'kept', string.format('%.0f', kept))
    redis.call('PEXPIRE', state, long)
  end
end

-- Keeps the holders until this lease has ended. Their key does not expire while one of them never ends.
local function keepHolders(lease)
  local left = redis.call('PTTL', holders)
  if left >= 0 and left <= tonumber(lease) then
    redis.call('PEXPIRE', holders, lease + 1)
  end
end

-- Returns the fencing token, or nil and an error: then nothing was granted; and 1 if the token held nothing before.
local function grant(token, lease, permits)
  local number, problem = nextNumber()
  if problem then
    return nil, problem
  end
  local added = redis.call('ZADD', holders, lease == '0' and '+inf' or string.format('%.0f', now + lease * 1000), token)
  first = nil
  -- A request that was repeated and arrived twice may have two entries in the queue. Its token holds once nevertheless.
  used = used + added * permits
  local before = kept
  local long = longer(lease)
  local detail = permits .. ' ' .. number .. ' ' .. at .. (lease == '0' and ' endless' or '')
  -- Every field costs the server as much as a command that reads one.
  if known and kept == before then
    redis.call('HSET', state, 'used', used, ':' .. token, detail)
  else
    known = true
    redis.call('HSET', state, 'limit', limit, 'said', said, 'used', used, 'kept', string.format('%.0f', kept), ':' .. token, detail)
  end
  if long then
    redis.call('PEXPIRE', state, long)
  end
  if lease == '0' then
    redis.call('PERSIST', holders)
  elseif empty then
    redis.call('PEXPIRE', holders, lease + 1)
  else
    keepHolders(lease)
  end
  empty = false
  return number, nil, added
end

-- Takes back what was granted to a waiter that cannot be notified.
local function revoke(token)
  drop({token})
  redis.call('HSET', state, 'used', used)
  empty = redis.call('EXISTS', holders) == 0
end

-- Serves the waiters, for as long as there is enough for the next. Returns as serve does. Asks PUBSUB NUMSUB before it grants, for the
-- reasons in handover. Data of another kind under the key of the queue is no queue.
local function serveWhileEnough(own)
  while limit and used < limit do
    local place = redis.pcall('LINDEX', waiters, '0')
    if type(place) ~= 'string' then
      return 'empty'
    end
    local channel, number, lease, permits, token = string.match(place, '^(%S+) (%d+) (%d+) %d+ (%d+) (.*)$')
    permits = tonumber(permits)
    if not channel then
      redis.call('LPOP', waiters)
    elseif permits > limit then
      -- It can never be served. It is told to ask again, and then refused.
      redis.call('LPOP', waiters)
      redis.pcall('PUBLISH', channel, 'freed ' .. number)
    elseif used + permits > limit then
      if place == own or channel == replyTo or redis.pcall('PUBSUB', 'NUMSUB', channel)[2] ~= 0 then
        return 'full'
      end
      redis.call('LPOP', waiters) -- Its process is gone. The waiters behind it may need less.
    elseif place == own then
      return 'own'
    else
      local subscribers = channel == replyTo and {channel, 1} or redis.pcall('PUBSUB', 'NUMSUB', channel)
      if subscribers.err then
        return 'full', subscribers
      end
      redis.call('LPOP', waiters)
      if subscribers[2] > 0 then
        local fenced, refused, added = grant(token, lease, permits)
        local told = refused
        if not told and channel == replyTo then
          told = 1
          grants[#grants + 1] = number .. ' ' .. fenced .. ' ' .. at
        elseif not told then
          told = redis.pcall('PUBLISH', channel, 'granted ' .. number .. ' ' .. fenced .. ' ' .. at)
        end
        if type(told) ~= 'number' then
          if added == 1 then
            revoke(token)
          end
          redis.call('LPUSH', waiters, place)
          redis.pcall('PEXPIRE', waiters, keep)
          return 'full', told
        end
      end
    end
    moved = true
  end
  return 'full'
end

-- Serves the waiters. Returns 'own' if that entry is the head, which is left where it is; else 'empty' if no request waits, and
-- 'full' if one does, or nothing is left; and the error if the server forbids something: then waiters find out by polling.
--
-- A rest ends without a message. So while a hold rests, each new head of the queue is told to ask: the reply says when the first hold ends.
-- Every script that changes the queue ends with this.
local function serve(own)
  local turn, problem = serveWhileEnough(own)
  if moved and rests > now and turn ~= 'own' then
-- USES tell
    tellFirst(waiters)
    moved = false
  end
  return turn, problem
end
