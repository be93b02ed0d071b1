-- Part of other scripts: puts 'place' at the end of a queue, unless 'how' says that it may be there already and it is. Returns an
-- error if the key of the queue has data of another type, which is left as it is; else nil, and whether 'place' is its head.
-- It needs these of the script around it: place, how, keep.
local function join(list)
  local outcome = how == 'rejoin' and redis.pcall('LPOS', list, place)
  local known = outcome
  if not outcome then
    outcome = redis.pcall('RPUSH', list, place)
  end
  if type(outcome) == 'table' then
    return outcome
  end
  if outcome == 1 or how ~= 'join briefly' then
    redis.call('PEXPIRE', list, keep)
  end
  return nil, outcome == (known and 0 or 1)
end
