-- Frees those of several locks that this token holds. Whoever waits longest for each of them holds it then.
--
-- KEYS lock1 fence1 queue1 lock2 fence2 queue2 ...
-- ARGV token
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply 1 if it held all of them, else {0, holder or nil} of the first that it did not hold.
--
-- Atomic, because a lock could expire between looking and deleting, and the next holder's would be deleted. pcall, because a
-- key that somebody turned into another type is not ours, rather than an error.
local lock, fence, queue
-- USES record
-- USES handover
local missing
for i = 1, #KEYS / 3 do
  lock, fence, queue = KEYS[3 * i - 2], KEYS[3 * i - 1], KEYS[3 * i]
  local holder = redis.pcall('GET', lock)
  if holder == ARGV[1] then
    if not handOver(redis.pcall('LPOP', queue)) then
      redis.call('DEL', lock)
    end
  else
    missing = missing or {0, type(holder) == 'table' and holder.err or holder}
  end
end
return missing or 1
