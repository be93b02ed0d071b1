# Ends the user's own server when nobody has used it for a while. Run by IdleWatch, once for each start of a server.
#
#   idle-watch FOLDER SECONDS TIMES COMMAND...
#
# The time of the file "used" in FOLDER is that of the last use. When it has not changed TIMES times SECONDS long, COMMAND is
# asked to end the server; it answers 0 when there is none any more. It looks more closely: a command that has been holding a lock
# for hours touches no file.
folder=$1 seconds=$2 times=$3
shift 3
server="$(cat "$folder/redis.pid")"
mark="$folder/used.seen.$$"
trap 'rm -f "$mark"' EXIT
quiet=0
touch "$mark"
while sleep "$seconds" && [ -d "$folder" ] && kill -0 "$server" 2>/dev/null; do
  if [ "$folder/used" -nt "$mark" ]; then
    quiet=0
  else
    quiet=$((quiet + 1))
  fi
  touch "$mark"
  if [ "$quiet" -ge "$times" ]; then
    if "$@"; then
      exit 0
    fi
    quiet=0
  fi
done
