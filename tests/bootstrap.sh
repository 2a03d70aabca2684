# `./bootstrap check` that is stopped leaves nothing running, whose results the
# next run would count; and there is only one at a time.  What it calls is
# replaced: make, which begins and does not end, and the summary.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# Signals may be ignored here (nohup, a job in the background), and a shell
# cannot undo that.
if [ -z "${HAS_SIGNALS-}" ] && env --default-signal=INT true 2> /dev/null; then
  HAS_SIGNALS=yes exec env --default-signal=INT,HUP,TERM bash "$0" "$@"
fi

. "${abs_srcdir:?}/cli/lib.sh"

mkdir -p project/build-aux valgrind bin
cp "${abs_top_srcdir:?}/bootstrap" project
cp "$abs_top_srcdir/build-aux/check" project/build-aux
touch valgrind/Makefile.tool.am project/configure.ac project/Makefile.in
printf '#!/bin/sh\ntouch Makefile\n' > project/configure
printf '#!/bin/sh\necho counted\n' > project/build-aux/tap-count
printf '#!/bin/sh\n' > project/build-aux/test-needs
# The suites tell that they have begun, and have `alive` open as long as they, or
# anything that they have started, are there.
cat > bin/make << 'END'
#!/bin/sh
for goal; do
  case $WHEN$goal in
  check-full | check-sanitized)
    (
      exec 7> "$WORK/alive"
      echo "$goal" > "$WORK/begun"
      sleep 1000 &
      wait
    ) &
    ;;
  esac
done
wait
END
cat > bin/sudo << 'END'
#!/bin/sh
[ "$1" = -v ] || exec "$@"
END
chmod +x bin/* project/bootstrap project/configure project/build-aux/*
mkfifo alive begun
exec 8<> begun

# With WHEN=ends, make ends at once.
cat > check << 'END'
#!/bin/sh
PATH=$WORK/bin:$PATH
exec project/bootstrap --no-packages --prefix="$WORK/installed" \
  --with-valgrind-tree="$WORK/valgrind" check
END
chmod +x check
export WORK=$work

# As a terminal does it, to all of the group; and as others do, to the process.
for signal in INT:130:all TERM:143:all TERM:143:one HUP:129:one; do
  title="bootstrap check, $signal"
  cat < alive > /dev/null &
  cat=$!
  set -m
  ./check > first 2>&1 < /dev/null 8<&- &
  first=$!
  set +m
  : > all
  for _ in 1 2; do
    read -r -t 600 -u 8 begun && echo "$begun" >> all
  done
  [ "$(sort all | paste -sd ' ')" = 'check-full check-sanitized' ]
  report 'both suites begin' all first
  run env WHEN=ends ./check
  title="a second one, $signal"
  status 1
  err_has 'bootstrap: another check is running in build'
  group=$first
  [ "${signal##*:}" = one ] || group=-$first
  signals=${signal#*:}
  kill -s "${signal%%:*}" -- "$group"
  wait $first
  exit_status=$?
  title="bootstrap check, $signal"
  status "${signals%:*}"
  # It ends when the last one has gone.
  timeout 600 tail -s 0.1 --pid=$cat -f /dev/null
  report 'nothing is left running' first
done
run env WHEN=ends ./check
status 0
out_has counted

# A part is a result of its own: good, skipped with a reason, or what make says if
# no test failed.  Parts are chosen by name.
cp "$abs_top_srcdir/build-aux/tap-count" project/build-aux
cat > bin/make << 'END'
#!/bin/sh
case " $* " in
*' check-threads '*) echo 'SKIP: check-threads, no GLib' ;;
*' distcheck '*)
  echo 'x.c:1: error: no'
  exit 2
  ;;
esac
END
printf '#!/bin/sh\necho debian-check: debootstrap is not installed\nexit 1\n' \
  > project/build-aux/debian-check
chmod +x project/build-aux/debian-check
sed 's/ check$/ check-all fuzz threads tarball packages/' check > check-some
sed 's/ check$/ check-all soup/' check > check-none
chmod +x check-*
run ./check-some
status 1
out_has 'FAIL: check-tarball'
out_has 'x.c:1: error: no'
out_has 'SKIP check-threads no GLib'
out_has 'SKIP check-packages debian-check: debootstrap is not installed'
out_has '2 passed, 1 failed, 2 skipped'
run ./check-none
status 2
err_has 'bootstrap: soup: no such part'

# What was installed is removed, once.
sed 's/ check$/ uninstall/' check > remove
chmod +x remove
run ./remove
status 0
out << 'END'
==> removed; build/ has what was built
END
rm project/build/Makefile
run ./remove
status 1
err_has 'bootstrap: there is no build in build'

# configure refuses spaces in names: the build is elsewhere then, and found from here.
mkdir 'a b'
cp -r project 'a b'
rm -rf 'a b/project/build'
sed 's|project/bootstrap|"$WORK/a b/project/bootstrap"|' check > check-space
chmod +x check-space
run ./check-space
out_has '==> building in /var/tmp/datagrind-'
out_has '1 passed, 0 failed, 0 skipped'
[ -e 'a b/project/build/Makefile' ] && [ -L 'a b/project/build' ]
report 'the build is where a link leads to' stdout
rm -rf "$(dirname "$(readlink 'a b/project/build')")"
finish
