-- Part of other scripts: statements, and no function. It says in 'long' for how long the state is to be kept from now on, for this lease, and notes it in
-- 'kept'; nil if it is kept for long enough already. A semaphore's state outlives the lease by the retention. Somewhat longer than
-- that, so that it need not be done every time. Renewals prolong the state without telling 'kept': it must not be cut short. While a holder
-- has no end, neither its key nor the state expires: nothing would prolong the state when the holder is dead.
-- It needs these of the script around it: lease, and what permits defines.
local long
now = now or tonumber(at)
local millis = math.floor(now / 1000)
local after = limit == readwrite and lease ~= '0' and keep or retention
local past = tonumber(kept) or 0
if millis + after + lease > past then
  long = math.floor((after + lease) * 9 / 8)
  kept = millis + long
  if not empty and redis.call('PTTL', holders) == -1 or past > 0 and redis.call('PTTL', state) >= long then
    long = nil
  end
end
