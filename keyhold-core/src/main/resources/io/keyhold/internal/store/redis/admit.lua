-- Whether this node may vote, without a vote.
--
-- KEYS reign
-- ARGV longest admits
--   as for vote
-- Reply {2, milliseconds, mark} as vote answers it if the node may not vote for so long yet; {1} if it may.
--
-- Atomic, because the end of a quarantine must be set once.
local longest, admits = unpack(ARGV)
local reign = KEYS[1]
-- USES reign
local wait, mark = quarantine()
if wait > 0 then
  return {2, wait, mark}
end
return {1}
