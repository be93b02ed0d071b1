-- Frees those of one lock or several that this token holds on this node of a quorum, and leaves their queues. The head of each
-- queue is told to ask.
--
-- KEYS lock1 queue1 lock2 queue2 ...
-- ARGV token place
--   place  where this token may be waiting, as QueuePlace writes it; left out if nowhere
-- Reply 1 if it held all of them, else {0, holder or nil} of the first that it did not hold.
--
-- Atomic, because a lock could expire between the read and the delete, and the next holder's would be deleted. pcall, because a
-- key that was changed to another type is not ours, rather than an error.
-- USES is_of
-- USES tell
local missing
for i = 1, #KEYS / 2 do
  local lock, queue = KEYS[2 * i - 1], KEYS[2 * i]
  if ARGV[2] then
    redis.pcall('LREM', queue, 1, ARGV[2])
  end
  local value = redis.pcall('GET', lock)
  if isOf(value, ARGV[1]) then
    redis.call('DEL', lock)
    if tellFirst(queue) then
      redis.pcall('LPOP', queue) -- It comes back to the end if it has to wait again.
    end
  else
-- USES value
-- USES not_held
    missing = missing or notHeld(value, lock)
  end
end
return missing or 1
