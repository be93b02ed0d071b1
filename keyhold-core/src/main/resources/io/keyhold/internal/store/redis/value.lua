-- Part of other scripts: the value of a lock, 'token fencingToken sinceMicros'. Any other value is a foreign holder's, and its token: a
-- client that knows it may release, renew and adopt the lock.
-- It needs these of the script around it: none.
-- USES is_of

-- Returns the fencing token in a value of this token; nil if it is a foreign one.
local function numberIn(value, token)
  return #value > #token and string.match(value, '^ (%d+)', #token + 1) or nil
end

-- Returns the token, and true; of a foreign holder, the value and false.
local function tokenIn(value)
  -- The usual case first: both numbers have 16 digits, as microseconds have until the year 2286. The pattern below goes through the whole token.
  if string.byte(value, -17) == 32 and string.find(value, '^ %d+ %d+$', -34) then
    return string.sub(value, 1, -35), true
  end
  local token, number, since = string.match(value, '^(.*) (%d+) (%d+)$')
  if token and #number <= 18 and #since <= 18 then
    return token, true
  end
  return value, false
end
