-- Prolongs many holds in one call.
--
-- KEYS lock1 lock2 ...
-- ARGV token1 token2 ... lease1 lease2 ...
--   lease  milliseconds; 0 asks only whether the token still holds the lock. A single lease is for all holds
-- Reply a list: 1 for each hold that goes on, else {0, holder or nil}.
--
-- Atomic, because a lock could expire between the read and the new expiry, and the next holder's would be prolonged. Each hold
-- is independent: a key of another type is that hold's loss and no error for the others. PEXPIRE, and never SET, which a server
-- short of memory refuses; and only to a later end, because this may arrive late.
-- USES value
-- USES not_held
local replies = {}
for i = 1, #KEYS do
  local lock, token, lease = KEYS[i], ARGV[i], ARGV[#KEYS + i] or ARGV[#KEYS + 1]
  local value = redis.pcall('GET', lock)
  if not isOf(value, token) then
    replies[i] = notHeld(value, lock)
  else
    if lease ~= '0' and redis.call('PTTL', lock) < tonumber(lease) then
      redis.call('PEXPIRE', lock, lease)
    -- DURABLE elseif lease ~= '0' then
    -- DURABLE   redis.call('PEXPIRE', lock, redis.call('PTTL', lock))
    end
    replies[i] = 1
  end
end
return replies
