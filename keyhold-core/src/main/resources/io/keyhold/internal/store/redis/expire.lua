-- Part of other scripts: of permits. It drops expired holders. Their clients may be stopped, unless one of them sent this request: their entries go to the
-- back of the queue. It needs these of the script around it: holders, state, waiters, token, at, limit, used, detail, empty, vanished, moved.
-- USES stopped
local stopped = {}
if vanished then
  for _, field in ipairs(redis.call('HKEYS', state)) do
    if string.sub(field, 1, 1) == ':' then
      stopped[clientOf(string.sub(field, 2))] = true
    end
  end
  -- Their fields would stay as long as the state.
-- USES forget_holders
  detail = false
else
-- USES drop
  repeat
    local over = redis.call('ZRANGEBYSCORE', holders, '-inf', at, 'LIMIT', '0', '1000')
    if over[1] then
      for _, ended in ipairs(over) do
        stopped[clientOf(ended)] = true
      end
      drop(over)
    end
  until #over < 1000
  empty = redis.call('EXISTS', holders) == 0
  detail = detail and redis.call('HGET', state, ':' .. token)
  if limit and empty then
-- USES forget_holders
  elseif limit then
    redis.call('HSET', state, 'used', used)
  end
end
stopped[clientOf(token)] = nil
if next(stopped) then
  demote(waiters, stopped)
  moved = true
end
