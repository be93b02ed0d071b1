-- Prolongs many holds of permits in one call.
--
-- KEYS holders1 state1 holders2 state2 ...
-- ARGV token1 token2 ... lease1 lease2 ...
--   lease  milliseconds; 0 asks only whether the token still holds permits. A single lease is for all holds
-- CONSTANTS keep retention readwrite
--   as for acquire and for resize
-- Reply a list: 1 for each hold that goes on, else {0}, or {0, reason}.
--
-- Atomic, because a hold could end between the read and its new end, and its permits may be another's by then. Each hold
-- is independent: a key of another type is that hold's loss and no error for the others. The state is kept first: a
-- server short of memory lets that pass, and then lets pass what follows. Ends are only ever set later, because this
-- may arrive late.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local replies = {}
local count = #KEYS / 2
for i = 1, count do
  local holders, state = KEYS[2 * i - 1], KEYS[2 * i]
  local token, lease = ARGV[i], ARGV[count + i] or ARGV[count + 1]
  local score = redis.pcall('ZSCORE', holders, token)
  if type(score) == 'table' then
    -- As in not_held.
    replies[i] = {0, string.sub(score.err, 1, 9) == 'WRONGTYPE' and 'data of another type' or redis.call('ZSCORE', holders, token)}
  elseif not score or tonumber(score) <= now then
    replies[i] = {0}
  else
    local left = redis.call('PTTL', holders)
    if left < 0 then
      -- A holder has no end.
      -- DURABLE redis.call('PEXPIRE', state, retention) -- What follows may write nothing.
      redis.call('PERSIST', state)
    else
      -- pcall, because the key may have data of another type, which is no reason to lose the hold.
      local isReadWrite = redis.pcall('HGET', state, 'limit') == string.format('%.0f', readwrite)
      local after = isReadWrite and keep or retention
      redis.call('PEXPIRE', state, math.max(redis.call('PTTL', state), after + math.max(left, lease)))
    end
    local ends = now + lease * 1000
    if lease ~= '0' and ends > tonumber(score) then
      redis.call('ZADD', holders, 'XX', string.format('%.0f', ends), token)
      if left >= 0 and left <= tonumber(lease) then
        redis.call('PEXPIRE', holders, lease + 1)
      end
    end
    -- DURABLE if lease ~= '0' and left > 0 and ends <= tonumber(score) then
    -- DURABLE   redis.call('PEXPIRE', holders, left)
    -- DURABLE end
    replies[i] = 1
  end
end
return replies
