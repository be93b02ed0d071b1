-- Part of other scripts: gives the lock to the first in its queue whose client listens, and answers its token. 'place' has
-- just been taken out of the queue; those whose client is gone lose theirs. Nil if nobody is left, or if it is the turn of
-- 'own'; the lock is then as it was. It needs these of the script around it: lock, queue, keep, retention; and record.
--
-- That something was taken out of the queue before lets the script write on a server that is short of memory: a release
-- must never be refused.
local function handOver(place, own)
  while type(place) == 'string' and place ~= own do
    local inbox, number, lease, token = string.match(place, '^(%S+) (%d+) (%d+) %d+ %d+ (.*)$')
    if inbox then
      local fencing, at = record(token, retention + lease)
      local heard = fencing and redis.pcall('PUBLISH', inbox, 'granted ' .. number .. ' ' .. fencing .. ' ' .. at)
      if type(heard) ~= 'number' then
        -- Something is forbidden to this client. Those who wait find out by looking.
        redis.call('LPUSH', queue, place)
        redis.call('PEXPIRE', queue, keep)
        return nil
      end
      if heard > 0 then
        if lease == '0' then
          redis.call('SET', lock, token)
        else
          redis.call('SET', lock, token, 'PX', lease)
        end
        return token
      end
    end
    place = redis.pcall('LPOP', queue)
  end
  return nil
end
