-- Part of other scripts: statements, and no function. It says in 'number' the next fencing token, or nil, and in 'refused' an error. Needs the clock.
-- It needs these of the script around it: counter, stride, at.
--
-- The counter belongs to all locks of a hash slot. A token is larger than every earlier one of the slot while the counter is there,
-- for any clock; and if the counter was lost, the clock is ahead of all earlier tokens, unless it was set back. One command writes the
-- counter and reads the last one, because the clock is nearly always ahead of it; where it is not, the counter is written once more.
local number, refused = at, nil
local before = redis.pcall('SET', counter, at, 'GET')
if before and before.err then
  number, refused = nil, before
-- The usual case by text, because numbers made of long text are dear: the last one is of an earlier millisecond, and this one at least 100,
-- which is more than a stride, behind the beginning of its own. Text is less than every other text that it is the beginning of.
elseif before and (#before ~= #at or before > string.sub(at, 1, -4) or string.byte(at, -3) == 48) then
  before = string.match(before, '^%d+') or '0'
  -- Seconds as text and microseconds as small numbers.
  local past, present = string.sub(before, 1, -7), string.sub(at, 1, -7)
  local ahead = #before == #at and past <= present and string.sub(at, -6) - string.sub(before, -6)
  if not ahead or ahead < stride and (past == present or ahead + 1000000 < stride) then
    number = string.format('%.0f', math.max(tonumber(before) + stride, tonumber(at)))
    redis.call('SET', counter, number)
  end
end
