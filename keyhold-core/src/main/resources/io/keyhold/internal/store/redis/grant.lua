-- Part of other scripts: statements, and no function. It grants permits to a token. Says in 'number' the fencing token, or in 'refused' an error: then nothing
-- was granted; and in 'added' 1 if the token held nothing before.
-- It needs these of the script around it: token, lease, permits, and what permits defines.
local added = 0
-- USES number
if number then
  now = now or tonumber(at)
  added = redis.call('ZADD', holders, 'GT', lease == '0' and '+inf' or string.format('%.0f', now + lease * 1000), token)
  first = nil
  -- A request that was repeated and arrived twice may have two entries in the queue. Its token holds once nevertheless, and never ends sooner
  -- than it did.
  used = used + added * permits
  local wasKept = kept
-- USES longer
  local endless = lease == '0' or added == 0 and redis.call('ZSCORE', holders, token) == 'inf'
  local detail = permits .. ' ' .. number .. ' ' .. at .. (endless and ' endless' or '')
  -- Every field costs the server as much as a command that reads one.
  if known and kept == wasKept then
    redis.call('HSET', state, 'used', used, ':' .. token, detail)
  else
    known = true
    redis.call('HSET', state, 'limit', limit, 'said', said, 'used', used, 'kept', string.format('%.0f', kept), ':' .. token, detail)
  end
  if lease == '0' then
    redis.call('PERSIST', holders)
    redis.call('PERSIST', state)
  else
    if long then
      redis.call('PEXPIRE', state, long)
    end
    if empty then
      redis.call('PEXPIRE', holders, lease + 1)
    else
-- USES keep_holders
    end
  end
  empty = false
end
