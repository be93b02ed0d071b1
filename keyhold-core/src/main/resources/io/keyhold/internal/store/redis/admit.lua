-- What a vote would hear of this node's quarantine, without a vote: nothing begins or ends by a look.
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
local wait, mark = quarantine()
if wait > 0 then
  return {2, wait, mark}
end
return {1}
