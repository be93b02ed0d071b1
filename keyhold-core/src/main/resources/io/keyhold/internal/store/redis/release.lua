-- Frees a lock that this token holds, and leaves its queue. The first waiter holds it then.
--
-- KEYS lock counter queue last
-- ARGV held ownChannel place
--   held        'token number number': the value of nearly every lock that this token holds, with its fencing token as the number, or 0 if that is unknown
--   ownChannel  the grant channel of this client: a grant to one of its own waiters comes with the reply; left out or empty if there is none
--   place       the entry of this token in the queue, as QueuePlace writes it; left out if it has none
-- CONSTANTS stride keep
--   as for acquire
-- Reply 1; 'entry number micros', as in a grant message, if a waiter of this client has the lock now; {1, error} if the server forbids to hand the lock over, so that it is free although requests wait; {0, holder or nil} if
--   this token does not hold the lock.
--
-- Atomic, because the lock could expire between the read and the delete, and the next holder's would be deleted; and because a
-- waiter that gives up must either be out of the queue or release what it was granted just before. pcall, because
-- a key that was changed to another type is not ours, rather than an error.
if place then
  redis.pcall('LREM', queue, 0, place) -- All: a request that was repeated and arrived twice has two entries.
end
local value = redis.pcall('GET', lock)
if value ~= held then
  -- Of a foreign hold that was adopted, of a counter that was ahead of the clock, or not of this token.
  local token = string.match(held, '^(.*) %d+ %d+$')
-- USES is_of
  if not isOf(value, token) then
    if place and (not value or type(value) == 'string' and string.find(value, ' (resting) ', 1, true)) then
-- USES tell
      tellFirst(queue) -- The one that gives up may have been the only one that knows that a rest ends, or has ended.
    end
-- USES value
-- USES not_held
    return notHeld(value, lock)
  end
end
local first = redis.pcall('LPOP', queue)
if not first or type(first) ~= 'string' then
  redis.call('DEL', lock, last)
  return 1
end

local at
-- USES handover
local successor, problem, grant = handOver(first, nil, ownChannel)
if not successor then
  redis.call('DEL', lock, last)
end
return grant or problem and {1, problem.err} or 1
