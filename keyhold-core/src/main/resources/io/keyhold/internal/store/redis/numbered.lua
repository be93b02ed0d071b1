-- Part of other scripts: statements of acquire, and no function. It replies to a request that has just taken the lock, with what number says.
-- It needs these of the script around it: lock, token, at, number, refused.
if not number then
  redis.call('DEL', lock)
  return refused
end
if number ~= at then
  redis.call('SET', lock, token .. ' ' .. number .. ' ' .. at, 'KEEPTTL')
end
return number
