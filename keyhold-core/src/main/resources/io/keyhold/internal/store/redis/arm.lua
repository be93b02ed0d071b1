-- Begins the quarantine of a new incarnation of this server, or of one slot of it, and ends it when it is over: durable grants (see DurableGrants).
--
-- KEYS marker
-- ARGV longest name confirmed elapsed admits
--   longest    the longest lease of the client, in milliseconds
--   name       names the quarantine that begins here, if none has begun; never used before
--   confirmed  the name of the quarantine that enough replicas have acknowledged to this client; '' for none
--   elapsed    milliseconds since then, by the client's clock
--   admits     1 if a server without a marker is known to be new, else 0
-- Reply {1, replicas, 1 if that is the work of this call, else 0} if the server may grant; {2, replicas, name, milliseconds} if it may not
--   before the quarantine of that name has been confirmed for that long. The replicas are those that are connected.
--
-- The marker holds 'IDENTITY' of an incarnation that may grant, and '!IDENTITY NAME LONGEST' of one in quarantine, with the longest lease of
-- all clients that asked meanwhile. The identity is compared for equality alone, unlike that of a vote (see incarnation): it also changes
-- when the first replica comes, or the last has been gone for long, and then a quarantine is the price.
--
-- Atomic, because the server's identity and the marker must be of the same moment. Of a quarantine it always writes, also what is there
-- already: the WAIT behind this script covers what the script has written. A server that was promoted has a second identity, and is not new.
local info = redis.call('INFO', 'replication')
local identity = string.match(info, 'master_replid:(%x+)')
local replicas = tonumber(string.match(info, 'connected_slaves:(%d+)'))
local known = redis.call('GET', marker) or ''
if known == identity then
  return {1, replicas, 0}
end
local of, its, most = string.match(known, '^!(%x+) (%S+) (%d+)$')
local isOver
if of == identity then
  name, most = its, math.max(tonumber(most), tonumber(longest))
  isOver = confirmed == name and tonumber(elapsed) >= most
else
  most = tonumber(longest)
  isOver = admits == '1' and known == '' and string.find(info, 'master_replid2:0+\r')
end
if isOver then
  redis.call('SET', marker, identity)
  return {1, replicas, 1}
end
redis.call('SET', marker, string.format('!%s %s %.0f', identity, name, most))
return {2, replicas, name, most}
