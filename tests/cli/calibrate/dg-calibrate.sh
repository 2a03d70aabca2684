# dg-calibrate.sh: the figures of this machine: that they are kept and read
# again, and what is said of files that are not good.  No figure is compared:
# what they are depends on what else runs.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
export XDG_CONFIG_HOME=$PWD/config
kept=config/datagrind/machine

assemble log << END
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "amd64" "/no/prog" "/" ["prog"]
thread_start 1 0 42
thread_switch 1
bbdef [0x400000+3] [R8@0]
bbcode 0x400000 1 0 [0x48 0x8b 0x00]
context 0 [0x400000]
bbrun 0 1 [0x10000]
bbrun 0 1 [0x20000]
end
END
arm=false
case $(uname -m) in
  aarch64) arm=true ;;
esac

# ---- Not measured -----------------------------------------------------------

$arm || {
  run dg time --machine=host log
  status 0
  out_has 'This machine was not measured: the figures are those of '
  run dg time --json --machine=host log
  status 0
  # The name is that of the processor in the table.
  holds 'r["machine"] != "host"'
}

# ---- Measured ---------------------------------------------------------------

# measure OPTION...: true if this machine is not too busy for it.
measure ()
{
  run dg calibrate --quick "$@"
  ! grep -q 'the machine is too busy' stderr
}

if measure; then
  status 0
  no_err
  out_has 'Latency of memory '
  out_has "Kept in $PWD/$kept"
  out_has '--machine=host'
  # Which figures are steady depends on the load.
  grep -q '^processor=' $kept && [ "$(grep -c '^[a-z0-9-]*$' $kept)" = 1 ]
  report 'the figures are kept' $kept
else
  status 1
  no_out
  [ ! -e $kept ]
  report 'nothing is kept of a busy machine'
fi
if measure --json --keep-in=other; then
  status 0
  holds 'r["schema"] == "datagrind/calibrate/1" and r["kept_in"] == "other"' \
    'len (set (m["figure"] for m in r["measures"])) == len (r["measures"])' \
    'all (m["value"] == m["table_value"] for m in r["measures"]
          if m["origin"] in ("table", "unsteady"))' \
    'all ((m["spread_share"] is None) == (m["origin"] in ("table", "system"))
          for m in r["measures"])'
  python3 -c 'import json, sys
for m in json.load (open (sys.argv[1]))["measures"]:
  if m["origin"] in ("measured", "system"):
    print ("%s=%d" % (m["figure"], m["value"]))' stdout > wanted
  grep '^[a-z0-9-]*=[0-9]*$' other | diff wanted - > difference
  report 'the file has what the JSON says' difference
  $arm || for analysis in time whatif; do
    run dg $analysis --json --machine=./other log
    status 0
    holds 'r["machine"] == "host"'
  done
fi

# ---- A file -----------------------------------------------------------------

here=$(grep -s '^processor=' other || echo processor=unknown)
mkdir -p config/datagrind
# A processor of the same kind as the log's, wherever this is run.
printf '# mine\n%s\nzen4\nmemory=570\nmhz=1000\n' "$here" > $kept
if [ "$here" != processor=unknown ]; then
  for analysis in time whatif; do
    run dg $analysis --machine=host log
    status 0
    no_err
    out_has "The processor's figures were measured by 'dg calibrate'; those of AMD"
  done
  run dg advise --machine=host log
  status 0
  no_err
fi
run dg time --json --machine=./$kept log
status 0
holds 'r["machine"] == "host"' 'r["estimated_ns"] == r["cycles"]'
run dg time --json --machine=./$kept,mhz=2000 log
holds 'r["cycles"] - 1 <= r["estimated_ns"] * 2 <= r["cycles"]'

# wrong LINE MESSAGE: what is said of that last line.
wrong ()
{
  printf '%s\nzen4\n%s\n' "$here" "$1" > bad
  run dg time --machine=./bad log
  status 2
  err_has "dg: time: ./bad:$2"
}
wrong memory=x '3: memory must be a number from 1 to 100000'
wrong memory=0 '3: memory must be a number from 1 to 100000'
wrong l1-lines=4294967297 '3: l1-lines must be a number from 1 to 16777216'
wrong memory=1,colour=2 "3: there is no figure 'colour'"
printf '%s\nwidth=3\n' "$here" > bad
run dg time --machine=./bad log
status 2
err_has "./bad:2: not a file of 'dg calibrate': there is no processor"
printf 'processor=Vendor-1-2\nzen4\n' > $kept
run dg time --machine=host log
status 2
err_has "/machine:1: measured on Vendor-1-2, but this is "
: > $kept
run dg time --machine=host log
status 2
err_has '/machine:1: the file ends without a line'
head -c 100000 /dev/zero > bad
run dg time --machine=./bad log
status 1
err_has '--machine: ./bad: too large'
run dg time --machine=./nosuch log
status 1
err_has '--machine: ./nosuch: '

# ---- The command line -------------------------------------------------------

run dg calibrate log
status 2
err_has "unexpected argument 'log'"
run dg calibrate --keep-in=/no/such/folder/file
status 1
no_out
err_has '/no/such/folder'
mkdir folder
run dg calibrate --keep-in=folder
status 1
no_out
finish
