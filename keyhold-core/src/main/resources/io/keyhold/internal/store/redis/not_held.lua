-- Part of other scripts: the reply to a token that does not hold a lock, {0, holder or nil}. An error says what is under the key instead.
-- It needs these of the script around it: value.
local function notHeld(value)
  return {0, type(value) == 'table' and value.err or value and tokenIn(value)}
end
