# keep-json.sh: dg, as tests call it: what it writes with --json is kept, so
# that schema.sh can compare it with its schema.  The script that sources this sets
# `itself`, the program, and `folder`; the environment is that of the caller.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

has_json= output= before=
for arg; do
  case $before in -o | --output) output=$arg ;; esac
  case $arg in
  --json) has_json=yes ;;
  --output=*) output=${arg#*=} ;;
  --) break ;;
  esac
  before=$arg
done
# A full disk, and the like, is for dg to meet.
[ -p /dev/stdout ] || [ -f /dev/stdout ] || has_json=
[ -n "$has_json" ] || exec "$itself" "$@"

kept=$folder/$$
while [ -e "$kept.command" ]; do
  kept=${kept}x
done
echo "dg $*" > "$kept.command"
"$itself" "$@" > "$kept.json"
status=$?
cat "$kept.json"
[ ! -f "$output" ] || cp "$output" "$kept.json"
echo $status > "$kept.status"
exit $status
