# dg-branches.sh: branches of a log by hand: a loop whose last
# branch has no way that is known, by both predictors.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

{
  cat << END
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "amd64" "/no/prog" "/" ["prog"]
thread_start 1 0 42
thread_switch 1
bbdef [0x400000+3 0x400003+2] []
bbcode 0x400000 2 0 [0x48 0xff 0xc9 0x75 0xfb]
context 0 [0x400000]
END
  awk 'BEGIN { for (i = 0; i < 100; i++) print "bbrun 0 2 []"; print "end" }'
} > text
assemble log < text

for predictor in tage cachegrind; do
  run dg branches --json --predictor=$predictor log
  status 0
  no_err
  holds 'r["schema"] == "datagrind/branches/1" and r["machine"] == "zen5"' \
    "r['predictor'] == '$predictor'" \
    'r["conditional"] == 99 and r["indirect"] == 0' \
    'r["rows"][0]["taken_share"] == 1'
done
# Histories of no to six outcomes, and two for the one of seven.
holds 'r["conditional_mispredicted"] == 9' \
  'r["mispredicted_cycles"] == 9 * 12'
for by in thread function line module instruction; do
  run dg branches --json --by=$by log
  status 0
  holds 'sum(row["conditional"] for row in r["rows"]) == 99'
done
run dg branches --json --machine=,mispredicted=5 --predictor=cachegrind log
holds 'r["mispredicted_cycles"] == 45'
run dg branches --predictor=other log
status 2

finish
