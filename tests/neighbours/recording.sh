# recording.sh: another user waits where the recorder and dg record make files,
# and offers names of code, rings, and folders for them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/neighbours/lib.sh"
umask 022
[ -n "${VALGRIND_DG-}" ] || skip_all 'no Valgrind with exp-datagrind'
valgrind=${VALGRIND_DG%% *}
user "$valgrind" --tool=exp-datagrind -q --datagrind-out-file=/dev/null \
  /bin/true 2> /dev/null || skip_all 'another user cannot run that Valgrind'
export DATAGRIND_VALGRIND=$valgrind

cat > prog.c << 'END'
int main (void) { return 0; }
END
${CC:-cc} -O1 -static -o "$work/prog" prog.c 2> /dev/null ||
  ${CC:-cc} -O1 -o "$work/prog" prog.c || exit 99

recorder ()
{
  user timeout 600 "$valgrind" --tool=exp-datagrind -q "$@"
}

# ---- Logs ----

shared
precious
for way in link dangling file fifo names; do
  case $way in
    link) other ln -s "$home/precious" log ;;
    dangling) other ln -s "$home/new" log ;;
    file) other sh -c 'umask 0; echo mine > log' ;;
    fifo) other sh -c 'umask 0; mkfifo log' ;;
    # The user's own, by a name that another user gave it.
    names)
      mkdir -m 777 "$work/open"
      other sh -c 'umask 0; echo mine > "$1"; ln "$1" log' sh "$work/open/of"
      chown "$user_id" log ;;
  esac
  run recorder --datagrind-out-file="$PWD/log" "$work/prog"
  title="$way: the recorder"
  err_has 'cannot create'
  unharmed
  [ ! -f log ] || [ -h log ] || [ "$(cat log)" = mine ]
  report 'what another has made is left' stderr
  if [ $way != names ]; then
    run user timeout 600 "$DG" record -o log -- "$work/prog"
    title="$way: dg record"
    [ "$exit_status" != 0 ]
    report "is refused, with status $exit_status" stderr
    unharmed
  fi
  rm -f log
done
# What the user has made himself is as everywhere.
user ln -s "$home/own" log
run recorder --datagrind-out-file="$PWD/log" "$work/prog"
title="the user's own link"
status 0
[ -s "$home/own" ]
report 'is followed' stderr
run recorder --datagrind-out-file="$PWD/log" "$work/prog"
status 0
run "$DG" check log
title="the user's own file"
status 0

# ---- Names of code ----

# map COMMAND: as root, in a process whose number is then that of the program;
# COMMAND, which gets the name of its map, is run before.
map ()
{
  rm -f log
  # shellcheck disable=SC2016
  run timeout 600 sh -c '
    map=/tmp/perf-$$.map
    rm -f "$map"
    eval "$1"
    touch -d "1 hour" "$map"
    echo "$map" > "$2/name"
    exec env HOME="$3" setpriv --reuid "$4" --regid "$4" --clear-groups -- \
      "$5" --tool=exp-datagrind -q --datagrind-out-file="$2/log" "$2/prog"
  ' sh "$1" "$work" "$home" "$user_id" "$valgrind"
  rm -f "$(cat "$work/name")"
  "$DG" dump "$work/log" > stdout 2> stderr
  rm -f "$work/log"
}
chmod 1777 "$work"
line='400000 100 from_the_map'
map "echo $line > \$map; chown $user_id \$map"
title="the user's map"
out_has from_the_map
for bad in "echo $line > \$map; chown $other_id \$map" \
    "echo $line > $work/m; chown $user_id $work/m; ln $work/m \$map" \
    "echo $line > $work/m; chown $user_id $work/m; ln -s $work/m \$map" \
    "mkfifo \$map; chown $user_id \$map"; do
  rm -f "$work/m"
  map "$bad"
  title="a map: ${bad#*;}"
  if grep -q from_the_map stdout; then false; else true; fi
  report 'is not believed' stdout
  [ $exit_status = 0 ]
  report "the program ends as ever, not with $exit_status" stderr
done

# ---- Rings ----

# A folder that pretends to be a recorder's, with a ring that its maker keeps.
mkdir fake
chmod 777 fake
echo "$$ $(awk '{ print $22 }' /proc/$$/stat)" > fake/owner
chown -R "$other_id" fake
run recorder --datagrind-ring="$PWD/fake" "$work/prog"
title='a ring folder of another user'
err_has 'not the folder of a recorder'
rm fake/owner
mkfifo fake/owner
chown "$user_id" fake/owner
run recorder --datagrind-ring="$PWD/fake" "$work/prog"
title='a ring folder with a pipe'
err_has 'not the folder of a recorder'
# Where others may put their own in its place.
mkdir -m 777 loose
run user timeout 600 "$DG" record --ring-dir="$PWD/loose" -o "$home/a.dgz" \
  -- "$work/prog"
title='--ring-dir where others may rename'
[ "$exit_status" != 0 ]
report "is refused, with status $exit_status" stderr
err_has 'another user may replace'
other mkdir -m 777 his
run user timeout 600 "$DG" record --ring-dir="$PWD/his" -o "$home/a.dgz" \
  -- "$work/prog"
title="--ring-dir of another user"
[ "$exit_status" != 0 ]
report "is refused, with status $exit_status" stderr
run user timeout 600 "$DG" record --ring-dir="$PWD" -o "$home/a.dgz" \
  -- "$work/prog"
title='--ring-dir as /tmp'
status 0
run "$DG" check "$home/a.dgz"
status 0
# They are not needed either.
run user env TMPDIR="$PWD/his" XDG_RUNTIME_DIR="$PWD/loose" timeout 600 \
  "$DG" record -o "$home/b.dgz" -- "$work/prog"
title='folders for temporary files that others may change'
status 0
# What looks like a folder that was left, and is not.
user mkdir datagrind-rings-mine
user sh -c 'echo mine > datagrind-rings-mine/owner
  echo mine > datagrind-rings-mine/a.new'
touch -d '-1 hour' datagrind-rings-mine
run user timeout 600 "$DG" record --ring-dir="$PWD" -o "$home/a.dgz" \
  -- "$work/prog"
status 0
[ -s datagrind-rings-mine/a.new ]
report 'a folder of another kind is left' stderr

finish
