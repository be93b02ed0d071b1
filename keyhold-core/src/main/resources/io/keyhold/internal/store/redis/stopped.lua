-- Part of other scripts: moves the entries of clients whose hold has just expired to the back of a queue. Such a client is stopped,
-- or cut off without the server noticing; granted once for each of its waiters, it would keep the others out for as many leases.
-- 'stopped' has the clients as keys; a client is the part of its tokens before the last dot.
-- It needs these of the script around it: keep.
local function clientOf(token)
  return string.match(token, '^(.*)%.%d+$') or token
end

local function demote(list, stopped)
  local first, last = {}, {}
  for _, place in ipairs(redis.pcall('LRANGE', list, 0, -1)) do -- Of an error, none.
    local token = string.match(place, '^%S+ %d+ %d+ %d+ %d+ (.*)$')
    local part = token and stopped[clientOf(token)] and last or first
    part[#part + 1] = place
  end
  if first[1] and last[1] then
    redis.call('DEL', list)
    for _, part in ipairs({first, last}) do
      for i = 1, #part, 1000 do
        redis.call('RPUSH', list, unpack(part, i, math.min(i + 999, #part)))
      end
    end
    redis.call('PEXPIRE', list, keep)
  end
end
