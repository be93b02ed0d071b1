-- Part of other scripts: statements, and no function. It lets the keys expire again after a hold has ended that may have been the last one without
-- an end, and says in 'latest' which of the others is the last to end, and when.
-- It needs these of the script around it: what permits defines.
local latest = redis.call('ZRANGE', holders, -1, -1, 'WITHSCORES')
if latest[2] ~= 'inf' then
  local over = latest[2] and math.ceil(latest[2] / 1000) + 1 or math.floor(at / 1000)
  redis.call('PEXPIREAT', holders, over)
  redis.call('PEXPIREAT', state, math.max(tonumber(kept) or 0, over + (limit == readwrite and keep or retention)))
end
