-- Frees those of several locks that this token holds, and hands each over to the head of its queue.
--
-- KEYS lock1 counter1 queue1 last1 lock2 counter2 queue2 last2 ...
-- ARGV token
-- CONSTANTS stride keep
--   as for acquire
-- Reply 1 if it held all of them, or {1, error} as for release; else {0, holder or nil} of the first that it did not hold.
--
-- Atomic, because a lock could expire between the read and the delete, and the next holder's would be deleted. pcall, because a
-- key that was changed to another type is not ours, rather than an error.
local lock, counter, queue, last
-- USES value
-- USES not_held
local at
-- USES handover
local missing, problem
for i = 1, #KEYS, 4 do
  lock, counter, queue, last = KEYS[i], KEYS[i + 1], KEYS[i + 2], KEYS[i + 3]
  local value = redis.pcall('GET', lock)
  if isOf(value, ARGV[1]) then
    local successor, refused = handOver(redis.pcall('LPOP', queue))
    if not successor then
      redis.call('DEL', lock, last)
    end
    problem = problem or refused
  else
    missing = missing or notHeld(value, lock)
  end
end
return missing or problem and {1, problem.err} or 1
