#!/usr/bin/env bash
# assemble.sh LAUNCHER JAR FOLDER TIME: makes FOLDER, which has all that is installed: bin, lib, share.
#
# The class-data archive halves the time to start: the JVM maps classes in place of loading them. The lists of classes come from real
# calls. It is a static archive, because a dynamic one leaves out old class files such as picocli's. The collector is the launcher's. Java of another version
# ignores it.
set -euo pipefail
launcher=$1 jar=$2 folder=$3 time=$4
here="$(cd "${BASH_SOURCE[0]%/*}" && pwd)"
new="$folder.new"
scratch="$folder.scratch"
rm -rf "$new" "$scratch"
mkdir -p "$new"/{bin,lib/keyhold,share/man/man1,share/bash-completion/completions,share/zsh/site-functions} \
  "$new"/share/{fish/vendor_completions.d,doc/keyhold/examples} "$scratch"
cp "$launcher" "$new/bin/keyhold"
cp -p "$jar" "$new/lib/keyhold/keyhold.jar"
gzip -9n <"$here/keyhold.1" >"$new/share/man/man1/keyhold.1.gz"
cp "$here/contention.sh" "$new/share/doc/keyhold/examples/"
chmod 755 "$new/bin/keyhold" "$new/share/doc/keyhold/examples/contention.sh"
# The time of every file in the packages. The class-data archive is valid only for a jar of the same time.
touch -d "$time" "$new/lib/keyhold/keyhold.jar"

unset KEYHOLD_JAR KEYHOLD_REDIS JAVA_TOOL_OPTIONS _JAVA_OPTIONS
export KEYHOLD_HOME="$scratch/home"
keyhold="$new/bin/keyhold"
"$keyhold" completion bash >"$new/share/bash-completion/completions/keyhold"
{
  echo '#compdef keyhold'
  "$keyhold" completion zsh
  echo '_bash_complete -o default -F _complete_keyhold'
} >"$new/share/zsh/site-functions/_keyhold"
"$keyhold" completion fish >"$new/share/fish/vendor_completions.d/keyhold.fish"

calls=0
list_classes() {
  calls=$((calls + 1))
  JDK_JAVA_OPTIONS="-Xshare:off -XX:DumpLoadedClassList=$scratch/$calls.list" "$keyhold" "$@" >/dev/null 2>&1 || true
}
# Only of run, whose process stays, and without the start of the private server: the JVM maps nearly all of the archive. The rest starts a few
# milliseconds slower. A lease of a second is renewed within the next one.
"$keyhold" run training --local -- true >/dev/null 2>&1 || true
list_classes run training --local --lease 1s -- sleep 1
# With a server that is named. The private server has a password.
configuration="$KEYHOLD_HOME/server/embedded-redis.conf"
password="$(sed -n 's/"//g; s/^requirepass //p' "$configuration" 2>/dev/null || true)"
port="$(sed -n 's/"//g; s/^port //p' "$configuration" 2>/dev/null || true)"
KEYHOLD_REDIS="redis://:$password@127.0.0.1:$port" list_classes run training -- true
"$keyhold" embedded stop >/dev/null 2>&1 || true
if cat "$scratch"/*.list >/dev/null 2>&1; then
  # The list says in its first lines, which are comments, that it must not be modified; a class may be listed once.
  cat "$scratch"/*.list | awk '!/^#/ && !seen[$0]++' >"$scratch/classes"
  java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
  "$java" -XX:+UseSerialGC -Xshare:dump -XX:SharedClassListFile="$scratch/classes" \
    -XX:SharedArchiveFile="$new/lib/keyhold/keyhold.jsa" -cp /dev/fd/48 48<"$new/lib/keyhold/keyhold.jar" >/dev/null 2>&1 ||
    echo "assemble.sh: no class-data archive: the command starts slower" >&2
fi
rm -rf "$scratch" "$folder"
mv "$new" "$folder"
