-- Gives more time to many holds in one call.
--
-- KEYS lock1 fence1 lock2 fence2 ...
-- ARGV token1 lease1 token2 lease2 ...
--   lease  milliseconds; 0 asks only whether the token still holds the lock
-- CONSTANTS retention
--   retention  milliseconds for which the record of a grant outlives the lease
-- Reply a list: 1 for each hold that goes on, else {0, holder or nil}.
--
-- Atomic, because a lock could expire between the look and the new expiry, and the next holder's would be prolonged. Each hold
-- stands alone: a key of another type is that hold's loss and no error for the others. PEXPIRE, and never SET, which a server
-- short of memory refuses; and only to a later end, because this may arrive late.
local replies = {}
for i = 1, #KEYS / 2 do
  local lock, fence = KEYS[2 * i - 1], KEYS[2 * i]
  local token, lease = ARGV[2 * i - 1], ARGV[2 * i]
  local holder = redis.pcall('GET', lock)
  if type(holder) == 'table' and holder.err then
    replies[i] = {0, holder.err}
  elseif holder ~= token then
    replies[i] = {0, holder}
  else
    local left = redis.call('PTTL', lock)
    if lease ~= '0' and left < tonumber(lease) then
      redis.call('PEXPIRE', lock, lease)
      left = lease
    end
    redis.call('PEXPIRE', fence, retention + math.max(left, 0))
    replies[i] = 1
  end
end
return replies
