-- Frees a lock that this token holds, and leaves its queue. Whoever waits longest holds it then.
--
-- KEYS lock fence queue
-- ARGV token place
--   place  where this token may be waiting, as QueuePlace writes it; left out if nowhere
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply 1; {1, error} if the server forbids to hand the lock over, so that it is free although requests wait; {0, holder or nil} if
--   this token does not hold the lock.
--
-- Atomic, because the lock could expire between looking and deleting, and the next holder's would be deleted; and because a
-- waiter that gives up must either be out of the queue or give back what it was granted just before. pcall, because
-- a key that somebody turned into another type is not ours, rather than an error.
if place then
  redis.pcall('LREM', queue, 1, place)
end
local holder = redis.pcall('GET', lock)
if holder ~= token then
  return {0, type(holder) == 'table' and holder.err or holder}
end
local first = redis.pcall('LPOP', queue)
if type(first) ~= 'string' then
  redis.call('DEL', lock)
  return 1
end

-- USES record
-- USES handover
local heir, problem = handOver(first)
if not heir then
  redis.call('DEL', lock)
end
return problem and {1, problem.err} or 1
