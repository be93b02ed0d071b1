-- Frees a lock, or all permits of a semaphore, whoever holds them. Those who wait longest hold them then. Data of another kind is
-- somebody else's: it is left alone, with an error.
--
-- KEYS lock counter queue last state waiters
-- ARGV none
-- CONSTANTS stride keep retention readwrite
--   as for acquire and for resize
-- Reply 1 if anybody held it, else 0.
--
-- Atomic, because nobody else may take what is freed before the one who waits longest.
if redis.call('TYPE', lock).ok == 'zset' and redis.call('EXISTS', state) == 1 then
  local holders = lock
-- USES number
-- USES stopped
-- USES permits
  local _, _, problem = open('')
  if problem then
    return problem
  end
  local anybody = not empty
  redis.call('DEL', holders)
  forgetHolders()
  serve()
  return anybody and 1 or 0
end

if not redis.call('GET', lock) then
  return 0
end
-- USES number
-- USES handover
if not handOver(redis.pcall('LPOP', queue)) then
  redis.call('DEL', lock, last)
end
return 1
