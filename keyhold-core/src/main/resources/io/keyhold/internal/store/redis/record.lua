-- Part of other scripts: notes a grant in the lock's record, and answers its fencing token and its moment in microseconds; or
-- nil and an error. It needs these of the script around it: fence, stride, retention.
--
-- One command writes the new record and reads the old one, because the clock is nearly always ahead of the counter; where
-- it is not, the record is written once more. pcall, because an error must not leave a lock behind that nobody holds.
local function record(token, lease)
  local time = redis.pcall('TIME')
  if time.err then
    return nil, time
  end
  local now = time[1] * 1000000 + time[2]
  local at = string.format('%.0f', now)
  local last = redis.pcall('SET', fence, at .. ' ' .. at .. ' ' .. token, 'PX', retention + lease, 'GET')
  if type(last) == 'table' and last.err then
    return nil, last
  end
  local least = stride + (last and tonumber(string.match(last, '^(%d+) ')) or 0)
  if least <= now then
    return at, at
  end
  local number = string.format('%.0f', least)
  redis.call('SET', fence, number .. ' ' .. at .. ' ' .. token, 'PX', retention + lease)
  return number, at
end
