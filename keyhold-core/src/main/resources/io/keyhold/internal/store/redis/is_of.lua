-- Part of other scripts: whether a value of a lock, as value describes it, is of this token.
-- Numbers have at most 18 digits: more do not fit into a Java long.
-- It needs these of the script around it: none.
local function isOf(value, token)
  if type(value) ~= 'string' or #value > #token + 38 or string.find(value, token, 1, true) ~= 1 then
    return false
  end
  local behind = string.match(value, '^ %d+() %d+$', #token + 1)
  return #value == #token or behind ~= nil and behind <= #token + 20 and #value <= behind + 18
end
