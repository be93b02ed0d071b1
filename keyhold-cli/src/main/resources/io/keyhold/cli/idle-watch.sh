# Stops the private Redis server when it is idle. IdleWatch runs it once for each start of the server.
#
#   idle-watch FOLDER SECONDS COMMAND...
#
# Every use modifies the file in-use.lock in FOLDER. When it was not modified for SECONDS, this script runs COMMAND, which stops the server
# unless it is in use, and returns 0 if the server is stopped. COMMAND checks again, because a command that holds a lock for hours
# modifies no file.
folder=$1 idle=$2
shift 2
server="$(cat "$folder/embedded-redis.pid")"
mark="$folder/in-use.seen.$$"
trap 'rm -f "$mark"' EXIT
touch "$mark"
# Bash counts them. A use is noticed, and the end comes, up to a fifth of the time later.
SECONDS=0
while sleep $(((idle + 4) / 5)) && [ -d "$folder" ] && kill -0 "$server" 2>/dev/null; do
  if [ "$folder/in-use.lock" -nt "$mark" ]; then
    touch "$mark"
    SECONDS=0
  elif [ "$SECONDS" -ge "$idle" ]; then
    if "$@"; then
      exit 0
    fi
    SECONDS=0
  fi
done
