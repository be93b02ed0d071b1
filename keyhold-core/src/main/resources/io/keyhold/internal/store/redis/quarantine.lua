-- Part of other scripts: of those that acquire, for durable grants only. Returns nil if this incarnation of the server may grant (see arm). Otherwise
-- returns the reply: an error, or {false, -2, microseconds, 1, marker}. The request waits in the queue 'list' then, if there is one, as if
-- what it asks for were held. Nothing is granted, not even to the token of a key that survived: it may have ended before the failover.
-- It needs these of the script around it: at, and join if there is a list; and the marker as the last key, which it takes off.
--
-- A release hands over without this: the waiter of a durable client uses what it was given only after it has acquired it by its token.
local marker = table.remove(KEYS)
local function quarantine(list)
  local info = redis.pcall('INFO', 'replication')
  if type(info) ~= 'string' then
    return info
  end
  local known = redis.pcall('GET', marker)
  known = type(known) == 'string' and known or ''
  if string.find(info, 'master_replid:' .. string.sub(known, 1, 40) .. '\r', 1, true) then
    return nil
  end
  local problem
-- USES clock
  if not problem and list then
    problem = join(list)
  end
  return problem or {false, -2, tonumber(at), 1, known}
end
