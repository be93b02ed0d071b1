-- Part of other scripts: statements, and no function. It keeps the limit of a semaphore without holders, for the retention.
-- It needs these of the script around it: what permits defines.
redis.call('DEL', state)
known = limit ~= readwrite
if known then
  redis.call('HSET', state, 'limit', limit, 'said', said, 'used', 0)
  redis.call('PEXPIRE', state, retention)
end
empty, used, kept, rests, first = true, 0, 0, 0, nil
