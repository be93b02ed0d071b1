-- Part of other scripts: tells the first entry of a queue whose client listens to ask again, and leaves it where it is. Entries of clients
-- that do not listen are dropped, as in handover. Where NUMSUB is forbidden, the message is sent nevertheless. Returns whether there was one.
-- It needs these of the script around it: none.
local function tellFirst(list)
  local place = redis.pcall('LINDEX', list, 0)
  while type(place) == 'string' do
    local channel, number = string.match(place, '^(%S+) (%d+) ')
    local subscribers = channel and redis.pcall('PUBSUB', 'NUMSUB', channel)
    if channel and (subscribers.err or subscribers[2] > 0) then
      redis.pcall('PUBLISH', channel, 'freed ' .. number)
      return true
    end
    redis.pcall('LPOP', list)
    place = redis.pcall('LINDEX', list, 0)
  end
  return false
end
