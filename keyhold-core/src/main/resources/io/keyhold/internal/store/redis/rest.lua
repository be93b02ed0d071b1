-- Ends the hold of a token on one lock or several, and keeps them taken for a while. The head of each queue is told to ask again, and
-- learns when the rest ends.
--
-- KEYS lock1 queue1 last1 lock2 queue2 last2 ...
-- ARGV token resting rest place
--   resting  the token that keeps the locks taken
--   rest     milliseconds
--   place    the entry of this token in the queue, as QueuePlace writes it; left out if it has none
-- Reply 1 if it held all of them, else {0, holder or nil} of the first that it did not hold.
--
-- Atomic, because a lock could expire between the read and the write, and the next holder's would be changed. Nothing of this hold that
-- arrives late can end the rest or prolong it, because no request has the token that is written. PEXPIRE before SET, because a server
-- that is short of memory refuses SET unless the script has written before. XX, because a rest may be over at once: PEXPIRE reads the clock
-- twice before Redis 7.2, and deletes the key if the time has passed in between. SET would then make a key without an end.
-- USES value
-- USES not_held
-- USES tell
local missing
for i = 1, #KEYS, 3 do
  local lock, queue, last = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  if place then
    redis.pcall('LREM', queue, 0, place)
  end
  local value = redis.pcall('GET', lock)
  if isOf(value, token) then
    redis.call('PEXPIRE', lock, rest)
    redis.call('SET', lock, resting .. string.sub(value, #token + 1), 'XX', 'KEEPTTL')
    redis.pcall('DEL', last) -- Its client is not stopped, and keeps its entries in the queue.
    tellFirst(queue)
  else
    missing = missing or notHeld(value, lock)
  end
end
return missing or 1
