-- Part of other scripts: the reply to a token that does not hold a lock, {0, holder or nil}. The key may have data of another type instead.
-- Any other error, such as a missing permission, is raised: it says nothing about the holder.
-- It needs these of the script around it: value.
local function notHeld(value, lock)
  if type(value) == 'table' and value.err then
    return {0, string.sub(value.err, 1, 9) == 'WRONGTYPE' and 'data of another type' or redis.call('GET', lock)}
  end
  return {0, value and tokenIn(value)}
end
