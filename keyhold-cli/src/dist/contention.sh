#!/usr/bin/env bash
# contention.sh [WORKERS]: processes contend for one lock, and one of them is killed while it holds the lock. Checks with a lock of the
# operating system (flock), independently of Redis, that never two are inside, and that the fencing tokens only grow.
set -u
workers=${1:-4}
keyhold="${KEYHOLD:-keyhold}"
export folder
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

inside='exec 9>>"$folder/inside"
  flock -n 9 || echo "two inside" >>"$folder/wrong"
  echo "$KEYHOLD_FENCE" >>"$folder/fences"
  echo "worker $0 inside, fencing token $KEYHOLD_FENCE"
  [ "$1" != killed ] || { kill -9 "$PPID" $(ps -o ppid= -p "$PPID"); sleep 60; }'
for worker in $(seq "$workers"); do
  for round in 1 2 3; do
    "$keyhold" run contention --local --lease 3s -- bash -c "$inside" "$worker" "$([ "$worker.$round" = 1.2 ] && echo killed)"
  done &
done 2>/dev/null
wait
sort -n -u -c "$folder/fences" 2>/dev/null || echo "fencing tokens out of order" >>"$folder/wrong"
if [ -s "$folder/wrong" ]; then
  cat "$folder/wrong"
  exit 2
fi
echo "OK: $(wc -l <"$folder/fences") entries by $workers workers, never two inside, fencing tokens only grew"
