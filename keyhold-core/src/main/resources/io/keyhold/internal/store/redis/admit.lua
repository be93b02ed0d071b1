-- What a vote would hear of this node's quarantine, without a vote. A quarantine begins by that, so that whoever restarts one node after
-- the other can wait for it; it does not end by it, because others may have longer leases than whoever looks.
--
-- KEYS reign
-- ARGV longest admits
--   as for vote
-- Reply {2, milliseconds, mark} as vote answers it if the node may not vote for so long yet; {1} if it may.
--
-- Atomic, because what the server says of itself must be of the same moment as what the key says of it.
local longest, admits = unpack(ARGV)
local reign = KEYS[1]
-- USES reign
local wait, mark, says = quarantine(0)
if wait > 0 then
  if says then
    redis.call('SET', reign, says)
  end
  return {2, wait, mark}
end
return {1}
