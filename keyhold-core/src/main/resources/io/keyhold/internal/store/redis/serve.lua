-- Part of other scripts: serves the waiters of a semaphore. Scripts read the head of the queue first, and use this only if there is one, or
-- if a hold rests.
-- It needs these of the script around it: what permits defines.
local function grant(token, lease, permits)
-- USES grant
  return number, refused, added
end

-- Serves the waiters, for as long as there is enough for the next. Returns as serve does. Asks PUBSUB NUMSUB before it grants, for the
-- reasons in handover. Data of another kind under the key of the queue is no queue.
local function serveWhileEnough(own)
  while limit and used < limit do
    local place = head or redis.pcall('LINDEX', waiters, '0')
    head = nil
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
      if place == own or redis.pcall('PUBSUB', 'NUMSUB', channel)[2] ~= 0 then
        return 'full'
      end
      redis.call('LPOP', waiters) -- Its process is gone. The waiters behind it may need less.
    elseif place == own then
      return 'own'
    else
      local subscribers = redis.pcall('PUBSUB', 'NUMSUB', channel)
      if subscribers.err then
        return 'full', subscribers
      end
      redis.call('LPOP', waiters)
      if subscribers[2] > 0 then
        local fenced, refused, added = grant(token, lease, permits)
        local told = refused
        if not told and channel == replyTo then
          told = 1
          grants = grants or {}
          grants[#grants + 1] = number .. ' ' .. fenced .. ' ' .. at
        elseif not told then
          told = redis.pcall('PUBLISH', channel, 'granted ' .. number .. ' ' .. fenced .. ' ' .. at)
        end
        if type(told) ~= 'number' then
          if added == 1 then
            -- Takes back what was granted to a waiter that cannot be notified.
-- USES drop
            drop({token})
            redis.call('HSET', state, 'used', used)
            empty = redis.call('EXISTS', holders) == 0
            if lease == '0' then
-- USES let_expire
            end
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
  if moved and rests > 0 and rests > tonumber(at) and turn ~= 'own' then
-- USES tell
    tellFirst(waiters)
    moved = false
  end
  return turn, problem
end
