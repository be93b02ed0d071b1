-- Frees those of several locks that this token holds. Whoever waits longest for each of them holds it then.
--
-- KEYS lock1 fence1 queue1 lock2 fence2 queue2 ...
-- ARGV token
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply 1 if it held all of them, or {1, error} as for release; else {0, holder or nil} of the first that it did not hold.
--
-- Atomic, because a lock could expire between looking and deleting, and the next holder's would be deleted. pcall, because a
-- key that somebody turned into another type is not ours, rather than an error.
local lock, fence, queue
-- USES record
-- USES handover
local missing, problem
for i = 1, #KEYS / 3 do
  lock, fence, queue = KEYS[3 * i - 2], KEYS[3 * i - 1], KEYS[3 * i]
  local holder = redis.pcall('GET', lock)
  if holder == ARGV[1] then
    local heir, refused = handOver(redis.pcall('LPOP', queue))
    if not heir then
      redis.call('DEL', lock)
    end
    problem = problem or refused
  else
    missing = missing or {0, type(holder) == 'table' and holder.err or holder}
  end
end
return missing or problem and {1, problem.err} or 1
