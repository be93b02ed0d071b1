-- A holder's first step at the resource: it shows its fencing token and reads the counter.
--
-- KEYS ledger events violations
-- ARGV fence hold
-- Reply {outcome, counter}; the outcome is 'opened', 'behind' if a newer holder was here, or 'twin' if another hold had this number.
--
-- Atomic, because the reader must be fenced together with its read: were the token only shown when writing, a holder that lost its
-- lease could still write between a newer holder's read and write, and the counter would be wrong although no lock has failed.
local ledger, events, violations = KEYS[1], KEYS[2], KEYS[3]
local fence, hold = tonumber(ARGV[1]), ARGV[2]
local seen = tonumber(redis.call('HGET', ledger, 'fence') or '0')
local last = redis.call('HGET', ledger, 'hold')
local outcome = 'opened'
if fence < seen then
  outcome = 'behind'
elseif fence == seen and last ~= hold then
  outcome = 'twin'
  redis.call('RPUSH', violations, 'two holds of ' .. ledger .. ' have the fencing token ' .. ARGV[1] .. ': ' .. last .. ' and ' .. hold)
end
if outcome ~= 'behind' then
  redis.call('HSET', ledger, 'fence', ARGV[1], 'hold', hold)
end
local time = redis.call('TIME')
redis.call('LPUSH', events, time[1] .. '.' .. string.format('%06d', time[2]) .. ' ' .. ARGV[1] .. ' ' .. hold .. ' open: ' .. outcome)
redis.call('LTRIM', events, 0, 199)
return {outcome, tonumber(redis.call('HGET', ledger, 'counter') or '0')}
