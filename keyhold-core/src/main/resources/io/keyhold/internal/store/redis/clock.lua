-- Part of other scripts: statements, and no function. It reads the clock, once, into 'at', in microseconds, as text; or says in 'problem' that the server
-- forbids it.
-- It needs these of the script around it: at, problem.
if not at then
  local time = redis.pcall('TIME')
  if time.err then
    -- Inside a script the server does not say which command it refuses.
    problem = {err = 'NOPERM TIME is not permitted inside scripts: ' .. time.err}
  else
    local micros = time[2]
    at = time[1] .. (#micros == 6 and micros or string.sub('00000', #micros) .. micros)
  end
end
