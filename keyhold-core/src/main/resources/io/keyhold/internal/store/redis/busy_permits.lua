-- Part of other scripts: statements of acquire_permits, and no function. It replies when the first hold ends.
-- It needs these of the script around it: holders, first, now, at.
first = first or redis.call('ZRANGE', holders, '0', '0', 'WITHSCORES')
local left = -1
now = now or tonumber(at)
if first[2] and first[2] ~= 'inf' then
  left = math.ceil((first[2] - now) / 1000)
end
return {first[1] or false, left, now, 1}
