-- Part of other scripts, and no function: keeps the state for long enough for this lease.
-- It needs these of the script around it: lease, and what permits defines.
-- USES longer
if long then
  redis.call('HSET', state, 'kept', string.format('%.0f', kept))
  redis.call('PEXPIRE', state, long)
end
