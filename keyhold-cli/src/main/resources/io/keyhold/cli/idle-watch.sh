# Stops the private Redis server when it is idle. IdleWatch runs it once for each start of the server.
#
#   idle-watch FOLDER SECONDS TIMES COMMAND...
#
# Every use modifies the file "used" in FOLDER. When it was not modified for TIMES times SECONDS, this script runs COMMAND, which stops
# the server unless it is in use, and returns 0 if the server is stopped. COMMAND checks again, because a command that holds a lock
# for hours modifies no file.
folder=$1 seconds=$2 times=$3
shift 3
server="$(cat "$folder/embedded-redis.pid")"
mark="$folder/used.seen.$$"
trap 'rm -f "$mark"' EXIT
idle=0
touch "$mark"
while sleep "$seconds" && [ -d "$folder" ] && kill -0 "$server" 2>/dev/null; do
  if [ "$folder/used" -nt "$mark" ]; then
    idle=0
  else
    idle=$((idle + 1))
  fi
  touch "$mark"
  if [ "$idle" -ge "$times" ]; then
    if "$@"; then
      exit 0
    fi
    idle=0
  fi
done
