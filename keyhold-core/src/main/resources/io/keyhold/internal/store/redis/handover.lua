-- Part of other scripts: hands the lock over to the first entry of its queue whose client listens, and returns its token. 'place'
-- has just been taken out of the queue; entries of clients that do not listen are dropped. Returns nil if no entry is left
-- or it is the turn of 'own', and nil and the error if the server forbids something: then the entry stays first, the
-- lock is free, and waiters find out by polling. If the entry is of the client with 'ownChannel', which waits for the reply of this
-- script, the third result has the grant instead of a message. 'last' has the holder while requests wait, for when its hold expires: see stopped.
-- It needs these of the script around it: lock, counter, queue, last, stride, keep, at.
--
-- Whether a client listens is asked with PUBSUB NUMSUB before anything is granted, because that counts the subscribers of this
-- very server. The reply of PUBLISH counts pattern subscribers too, so that a monitoring tool would keep dead waiters
-- alive; and the message itself also reaches subscribers on replicas and on other nodes of a cluster, so that a waiter
-- whose channel stayed on a demoted master would receive a grant that no server counted. It is asked for 'ownChannel' too: the
-- release may have reached a promoted replica, whose queue has entries of requests of the same client that have ended; they name
-- the channel of the server before it. The lock is written before the
-- message is sent: a message about a lock that could not be written would make a second holder.
--
-- That something was taken out of the queue before lets the script write on a server that is short of memory: a release
-- must never be refused.
local function handOver(place, own, ownChannel)
  while type(place) == 'string' and place ~= own do
    local channel, entry, lease, token = string.match(place, '^(%S+) (%d+) (%d+) %d+ %d+ (.*)$')
    local outcome = channel and redis.pcall('PUBSUB', 'NUMSUB', channel) or {}
    if (outcome[2] or 0) > 0 then
      local problem, fenced, grant
-- USES clock
      if problem then
        outcome = problem
      else
-- USES number
        fenced, outcome = number, refused
      end
      if fenced then
        local value = token .. ' ' .. fenced .. ' ' .. at
        grant = entry .. ' ' .. fenced .. ' ' .. at
        if lease == '0' then
          outcome = redis.pcall('SET', lock, value)
        else
          outcome = redis.pcall('SET', lock, value, 'PX', lease)
        end
      end
      if not outcome.err then
        redis.pcall('SET', last, token, 'PX', lease + keep)
        outcome = channel == ownChannel and 1 or redis.pcall('PUBLISH', channel, 'granted ' .. grant)
      end
      if type(outcome) == 'number' then
        return token, nil, channel == ownChannel and grant
      end
    end
    if outcome.err then
      redis.pcall('DEL', lock, last)
      redis.pcall('LPUSH', queue, place)
      redis.pcall('PEXPIRE', queue, keep)
      return nil, outcome
    end
    place = redis.pcall('LPOP', queue)
  end
  return nil
end
