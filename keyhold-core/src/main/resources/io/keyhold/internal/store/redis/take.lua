-- Part of other scripts: statements, and no function. It writes the lock with the clock as its number, if it is free, and whether it was into 'taken'.
-- It needs these of the script around it: lock, token, lease, at, taken.
local mine = token .. ' ' .. at .. ' ' .. at
if lease == '0' then
  taken = redis.pcall('SET', lock, mine, 'NX')
else
  taken = redis.pcall('SET', lock, mine, 'PX', lease, 'NX')
end
