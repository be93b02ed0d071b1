-- Frees a lock that this token holds.
--
-- KEYS lock
-- ARGV token
-- Reply {1}, or {0, holder or nil} if this token does not hold the lock.
--
-- Atomic, because the lock could expire between looking and deleting, and the next holder's would be deleted. pcall, because
-- a key that somebody turned into another type is not ours, rather than an error.
local holder = redis.pcall('GET', lock)
if type(holder) == 'table' and holder.err then
  return {0, holder.err}
end
if holder ~= token then
  return {0, holder}
end
redis.call('DEL', lock)
return {1}
