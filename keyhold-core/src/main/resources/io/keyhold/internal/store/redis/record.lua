-- Part of other scripts: notes a grant in the lock's record, and answers its fencing token and its moment in microseconds; or
-- nil and an error. The record is kept for 'kept' milliseconds. It needs these of the script around it: fence, stride.
--
-- One command writes the new record and reads the old one, because the clock is nearly always ahead of the counter; where
-- it is not, the record is written once more. pcall, because an error must not leave a lock behind that nobody holds.
local function timeForbidden(refusal)
  -- Inside a script the server does not say which command it refuses.
  return {err = 'NOPERM TIME is not permitted inside scripts: ' .. refusal.err}
end

local function record(token, kept)
  local time = redis.pcall('TIME')
  if time.err then
    return nil, timeForbidden(time)
  end
  local at = time[1] .. string.sub('00000', #time[2]) .. time[2]
  local last = redis.pcall('SET', fence, at .. ' ' .. at .. ' ' .. token, 'PX', kept, 'GET')
  if not last then
    return at, at
  end
  if last.err then
    return nil, last
  end
  local number = string.match(last, '^%d+') or '0'
  -- Seconds as text and microseconds as small numbers: long numbers made of text are the dearest thing in this script.
  local before, now = string.sub(number, 1, -7), string.sub(at, 1, -7)
  if #number == #at and before <= now then
    local ahead = string.sub(at, -6) - string.sub(number, -6)
    if ahead >= stride or before < now and ahead + 1000000 >= stride then
      return at, at
    end
  end
  number = string.format('%.0f', math.max(tonumber(number) + stride, tonumber(at)))
  redis.call('SET', fence, number .. ' ' .. at .. ' ' .. token, 'PX', kept)
  return number, at
end
