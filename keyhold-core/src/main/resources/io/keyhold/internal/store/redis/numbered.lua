-- Part of other scripts: statements of acquire, and no function. It replies to a request that has just taken the lock, with what number says.
if not number then
  redis.call('DEL', lock)
  return refused
end
if number ~= at then
  redis.call('SET', lock, token .. ' ' .. number .. ' ' .. at, 'KEEPTTL')
end
return number
