-- A holder's second step at the resource: it writes the counter that it has computed from what it read.
--
-- KEYS ledger events
-- ARGV fence hold counter
-- Reply 'written', or 'behind' if a newer holder was here.
--
-- Atomic, because the check and the write must be one, and because the number of writes is counted here, once for each.
local ledger, events = KEYS[1], KEYS[2]
local fence, hold, counter = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local outcome = 'behind'
if fence >= tonumber(redis.call('HGET', ledger, 'fence') or '0') then
  outcome = 'written'
  redis.call('HSET', ledger, 'counter', counter)
  redis.call('HINCRBY', ledger, 'writes', 1)
end
local time = redis.call('TIME')
redis.call('LPUSH', events, time[1] .. '.' .. string.format('%06d', time[2]) .. ' ' .. ARGV[1] .. ' ' .. hold .. ' write ' .. counter .. ': ' .. outcome)
redis.call('LTRIM', events, 0, 199)
return outcome
