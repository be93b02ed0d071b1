-- Part of other scripts: the server's clock, and fencing tokens.
-- It needs these of the script around it: counter, stride.
--
-- The counter belongs to all locks of a hash slot. A token is larger than every earlier one of the slot while the counter is there,
-- for any clock; and if the counter was lost, the clock is ahead of all earlier tokens, unless it was set back.
local at -- microseconds, as text

local function timeForbidden(refusal)
  -- Inside a script the server does not say which command it refuses.
  return {err = 'NOPERM TIME is not permitted inside scripts: ' .. refusal.err}
end

-- Reads the clock once. Returns an error if the server forbids it.
local function readClock()
  if not at then
    local time = redis.pcall('TIME')
    if time.err then
      return timeForbidden(time)
    end
    at = time[1] .. string.sub('00000', #time[2]) .. time[2]
  end
  return nil
end

-- Returns the next fencing token, or nil and an error. Needs the clock. One command writes the counter and reads the last one, because
-- the clock is nearly always ahead of it; where it is not, the counter is written once more.
local function nextNumber()
  local last = redis.pcall('SET', counter, at, 'GET')
  if not last then
    return at
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
      return at
    end
  end
  number = string.format('%.0f', math.max(tonumber(number) + stride, tonumber(at)))
  redis.call('SET', counter, number)
  return number
end
