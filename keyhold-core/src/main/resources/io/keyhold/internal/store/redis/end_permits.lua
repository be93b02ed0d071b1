-- Part of other scripts: leaves the queue of a semaphore, opens it, and ends the hold of 'token': 'held' is 1 if there was one. What becomes
-- of its permits is up to the script around it.
-- It needs these of the script around it: token, place, and what permits needs.
local left = place and redis.pcall('LREM', waiters, 1, place)
local holding = redis.pcall('ZCARD', holders)
if type(holding) ~= 'number' then
  return {0} -- Something else is under the key. It is not ours, rather than an error.
end
-- USES permits
local dropped, detail, problem = open(token)
if problem then
  return problem
end
moved = moved or left == 1
local held = redis.call('ZREM', holders, token)
if held == 1 then
  redis.call('HDEL', state, ':' .. token)
end
