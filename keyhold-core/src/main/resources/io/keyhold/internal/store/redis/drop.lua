-- Part of other scripts: ends the holds of these tokens.
-- It needs these of the script around it: what permits defines.
local function drop(tokens)
  first = nil
  local fields = {}
  for i, token in ipairs(tokens) do
    fields[i] = ':' .. token
  end
  local details = redis.call('HMGET', state, unpack(fields))
  redis.call('ZREM', holders, unpack(tokens))
  -- pcall, because the permits must return even if the server forbids this: a field without its holder counts for nothing.
  redis.pcall('HDEL', state, unpack(fields))
  for _, detail in ipairs(details) do
    -- Nothing is known of a holder without a field in the state: its permits return when all holders have ended.
    used = used - (detail and tonumber(string.match(detail, '^%d+')) or 0)
  end
end
