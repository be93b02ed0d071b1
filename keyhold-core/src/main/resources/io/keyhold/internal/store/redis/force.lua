-- Frees a lock, whoever holds it and whatever else stands under its key. Whoever waits longest holds it then.
--
-- KEYS lock fence queue
-- ARGV none
-- CONSTANTS stride keep retention
--   as for acquire
-- Reply 1 if anybody held it, else 0.
--
-- Atomic, because nobody else may take the lock before the one who waits longest.
-- USES record
-- USES handover
if redis.call('EXISTS', lock) == 0 then
  return 0
end
if not handOver(redis.pcall('LPOP', queue)) then
  redis.call('DEL', lock)
end
return 1
