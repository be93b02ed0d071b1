-- Part of other scripts: the value of a lock, 'token fencingToken sinceMicros'. Any other value is a foreign holder's, and its token: a
-- client that knows it may release, renew and adopt the lock.
-- It needs these of the script around it: none.
local function isOf(value, token)
  return type(value) == 'string' and string.sub(value, 1, #token) == token
    and (#value == #token or string.find(value, '^ %d+ %d+$', #token + 1) ~= nil)
end

-- Returns the token and its fencing token; of a foreign holder, the value.
local function tokenIn(value)
  local token, number = string.match(value, '^(.*) (%d+) %d+$')
  return token or value, number
end
