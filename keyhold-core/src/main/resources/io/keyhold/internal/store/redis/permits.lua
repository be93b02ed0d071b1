-- Part of other scripts: opens a semaphore, that is, reads its state and drops expired holders. It needs these of the script around it: holders,
-- state, waiters, counter, stride, keep, retention, readwrite; token, or '' for none; upTo, the last holder to read; and ifForeign, the reply
-- if the key of the holders has data of another type, if not an error. Before the first write errors are returned and not raised, as in acquire.
--
-- Holders are a sorted set, token to end in microseconds. The state is a hash: limit, how many permits there are; said, how
-- many the first client said; used, how many are held; kept, until when the state is kept at
-- least, in milliseconds; rests, until when a hold rests, in microseconds; and for each holder a field, a colon and its token, with its
-- permits, fencing token and beginning, and 'endless' if it has no end. Every write comes after a read of the holders, which fails if their
-- key has data of another type. A semaphore's state outlives its holders by the retention, so that its limit is
-- known. A read/write lock has nothing to remember, and leaves nothing; if all its holders expire, their names are kept for as long as
-- the queue, because they may be stopped.
--
-- No functions here, nor in the other parts that say so: each script would make all of them again for every request, and they would
-- cost it more than its commands.
local at, problem
-- USES clock
if problem then
  return problem
end
-- The same as a number, when it is first needed: numbers made of long text are dear.
local now
-- The first holder to expire and its end, for as long as no holder has come or gone; then nil.
local first = redis.pcall('ZRANGE', holders, '0', upTo, 'WITHSCORES')
if first.err then
  return string.sub(first.err, 1, 9) == 'WRONGTYPE' and ifForeign or first
end
local values = redis.pcall('HMGET', state, 'limit', 'said', 'used', 'kept', ':' .. token, 'rests')
if values.err then
  return values
end
-- The field of this token's hold, if it has one.
local detail = values[5]
local limit, said, used = tonumber(values[1]), tonumber(values[2]), tonumber(values[3])
local kept = values[4] or 0
local rests = values[6] and tonumber(values[6]) or 0
-- Whether limit and said are in the state.
local known = limit and said
local empty = not first[1]
if not empty and not used then
  used = math.huge -- The state was lost: no grant before all holders have ended. Written as 'inf'.
end
-- Whether the head of the queue may be another one than before this script.
local moved = false
-- The head of the queue, if it was read and not yet served.
local head
-- The client that waits for the reply of this script, and the grants to its waiters, which the reply carries instead of messages.
local replyTo, grants

-- Whether all holders have ended, and their key with them.
local vanished = empty and limit and used ~= 0
-- Whether holders have expired: what they held is free then. As text where that is possible.
local ends = first[2] or ''
local dropped = vanished or not empty and (#ends == #at and ends <= at or #ends ~= #at and tonumber(ends) <= tonumber(at))
if dropped then
-- USES expire
end
if empty then
  used = 0
end
