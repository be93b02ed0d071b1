-- Part of other scripts: statements, and no function. It keeps the holders until this lease has ended. Their key does not expire while one of them never ends.
-- It needs these of the script around it: lease, holders.
local left = redis.call('PTTL', holders)
if left >= 0 and left <= tonumber(lease) then
  redis.call('PEXPIRE', holders, lease + 1)
end
