# dg-check.sh: good, incomplete, cut and damaged logs, and what is none.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
size=$(stat -c %s log)

run dg check log
status 0
no_err
out << 'END'
log: good
END

assemble old << 'END'
header
text_avma 0x400000 "/bin/prog"
END
run dg check old
status 0
no_err
out << 'END'
old: good; it may be incomplete, as its recorder wrote no end record
END

assemble full << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
end why=3
END
run dg check full
status 0
out << 'END'
full: good; it ends where --datagrind-max-size was reached
END

assemble broken << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
end why=2
END
run dg check broken
status 1
no_out
err_has 'recording ended early'

# Archives, whole, cut, and with an index that is not theirs.
run dg pack -o log.dgz log
run dg check log.dgz
status 0
no_err
out << 'END'
log.dgz: good
END
for cut in 10 40 $(($(stat -c %s log.dgz) - 1)); do
  head -c $cut log.dgz > cut.dgz
  for command in check info dump; do
    run dg $command cut.dgz
    status 1
    err_has 'dg: cut.dgz: offset 0x'
  done
done
run dg pack --no-index -o bare.dgz log
run dg check bare.dgz
status 0
out << 'END'
bare.dgz: good
END

# Cut within the end record, and within others: always said, with a place.
for cut in $((size - 1)) $((size - 108)) 700 300 17; do
  head -c $cut log > cut
  for command in check info 'info --json' dump 'dump --accesses'; do
    run dg $command cut
    status 1
    err_has 'dg: cut: offset 0x'
  done
done

# What is good is shown all the same.
head -c 700 log > cut
run dg info cut
out_has 'Complete        no: cut short'
out_has 'Instructions                      6'
run dg info --json cut
out_has '"is_complete": false'
out_has '"code": "truncated"'
out_has '"file_size": 700'
run dg dump --accesses cut
out << 'END'
I  00400000,3
 L 00001000,4
I  00400003,5
 S 00001008,8
 L 00001010,16
I  00400008,2
I  00400000,3
 L 00002000,4
I  00400003,5
 S 00002008,8
 L 00002030,16
I  00400008,2
END

assemble damaged << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
bbdef [0x10+1] [R4@0]
context 0 [0x10]
bbrun 0 1 [0x1000]
bbrun 7 1 [0x1000]
END
for command in check info dump; do
  run dg $command damaged
  status 1
  err_has 'dg: damaged: offset 0x'
  err_has 'context 7'
done
run dg info damaged
out_has 'Complete        no: damaged'
out_has 'runs                            1'

# What is not a log at all.
: > empty
echo 'this is some text' > text
mkdir directory
mkfifo fifo
head -c 10 log > short
printf '\0\016DATAGRIND1\0\002\0\010' > version2
for command in check info 'info --json' dump 'dump --accesses'; do
  for file in empty text directory short version2 missing fifo; do
    run timeout 600 "$DG" $command $file
    status 1
    no_out
    err_has "dg: $file: "
  done
done
run dg check missing
err << 'END'
dg: missing: No such file or directory
END
finish
