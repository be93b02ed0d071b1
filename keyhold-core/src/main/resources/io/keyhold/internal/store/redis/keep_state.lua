-- Part of other scripts: statements, and no function. It keeps the state for long enough for this lease.
-- It needs these of the script around it: lease, and what permits defines.
-- USES longer
if long then
  redis.call('HSET', state, 'kept', string.format('%.0f', kept))
  redis.call('PEXPIRE', state, long)
end
