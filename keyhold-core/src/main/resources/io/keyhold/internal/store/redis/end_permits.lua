-- Part of other scripts: leaves the queue of a semaphore, opens it, and ends the hold of 'token': 'held' is 1 if there was one, and 'alone' says
-- that there was no other. What becomes of its field in the state, and of its permits, is up to the script around it.
-- It needs these of the script around it: token, place, and what permits needs.
local left = place and redis.pcall('LREM', waiters, 0, place) -- All, as in release.
-- If something else is under the key, it is not ours, rather than an error.
local upTo, ifForeign = '1', {0}
-- USES permits
local alone = not dropped and not first[3]
moved = moved or left and left ~= 0
local held = redis.call('ZREM', holders, token)
if held == 1 then
  first = nil
end
