-- Part of other scripts: whether a value of a lock, as value describes it, is of this token.
-- Numbers have at most 18 digits: more do not fit into a Java long.
-- It needs these of the script around it: none.
local function isOf(value, token)
  return type(value) == 'string' and string.find(value, token, 1, true) == 1
    and (#value == #token or #value <= #token + 38 and string.find(value, '^ %d+ %d+$', #token + 1) ~= nil)
end
