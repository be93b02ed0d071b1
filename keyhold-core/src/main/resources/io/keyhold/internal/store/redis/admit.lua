-- Returns the quarantine of this node as a vote would, without a vote. A quarantine that is due starts with this call, so that an operator
-- who restarts one node after the other can wait for it; it does not end with it, because other clients may have longer leases than this one.
--
-- KEYS incarnation
-- ARGV longest admits
--   as for vote
-- Reply {2, milliseconds, mark} as that of vote, if the node is quarantined; {1} if it may vote.
--
-- Atomic, because the server's identity and the key must be read at the same moment.
local longest, admits = unpack(ARGV)
local incarnation = KEYS[1]
-- USES incarnation
local wait, mark, value = quarantine(0)
if wait > 0 then
  if value then
    redis.call('SET', incarnation, value)
  end
  return {2, wait, mark}
end
return {1}
