# dg-import.sh: logs from lackey's traces: the very same accesses.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# told: a trace as dg dump --accesses tells it: M is a read and a write, and
# addresses have at least eight digits.
told ()
{
  awk '/^(==|--|\*\*|SB)/ || NF == 0 { next }
    { split ($2, part, ","); sub (/^0+/, "", part[1])
      while (length (part[1]) < 8) part[1] = "0" part[1]
      place = part[1] "," part[2] + 0 }
    $1 == "I" { print "I  " place }
    $1 == "L" || $1 == "M" { print " L " place }
    $1 == "S" || $1 == "M" { print " S " place }' "$1"
}

# same TRACE LOG: the log tells just that, and is good.
same ()
{
  title="$2 of $1"
  "$DG" check "$2" > good
  grep -qxF "$2: good" good
  report 'is good' good
  "$DG" dump --accesses "$2" > accesses
  told "$1" | diff - accesses | head -n 10 > difference
  [ ! -s difference ]
  report 'has the same accesses' difference
}

cat > trace << 'END'
==42== Lackey, an example Valgrind tool
==42== Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info
==42== Command: ./prog 'two words' it
==42== 
I  04016b80,3
I  04016b83,5
 S 1ffefffe58,8
I  04016bd0,1
 L 1ffefffe58,8
 M 00001000,4
--42-- REDIR: something
I  04016bd1,2
SB 04016bd3
I  04016bd3,15
 L FFFF000012345678,510
 S 10,4096
 L 0000000000000abc,255
I  04016b80,3
I  04016b83,5
 S 1ffefffe50,8
I  ffffffffffffffff,1
I  0,2
==42== 
==42== Exit code:       7
END
run dg import --lackey trace -o log
status 0
no_out
no_err
told trace | tr A-Z a-z | sed 's/^i/I/; s/^ l/ L/; s/^ s/ S/' > lower
sed 's/FFFF/ffff/' trace > small
same small log
run dg import --lackey=small -o log.dgz
status 0
no_out
no_err
same small log.dgz
dg info log > info
title='dg info'
grep -q "^Command  *./prog 'two words' it$" info &&
  grep -q '^Process  *42$' info && grep -q '^Exit status  *7$' info &&
  grep -q '^Complete  *yes' info && grep -q 'Valgrind 3\.19\.0' info
report 'what Valgrind told' info
run dg dump log
out_has 'PROCESS pid=42'
# The block that comes again is defined once.
[ "$(grep -c BBDEF stdout)" = 3 ] && [ "$(grep -c CONTEXT stdout)" = 3 ] &&
  [ "$(grep -c BBRUN stdout)" = 4 ]
report 'blocks are defined once' stdout

# From standard input, and without a newline at the end.
title='standard input'
printf '%s' "$(cat small)" | dg import --lackey - -o piped
cmp log piped
report 'gives the same log'

# Nothing at all is a log without instructions.
: > empty
run dg import --lackey empty -o none
status 0
run dg check none
status 0
run dg import --lackey empty -o none.dgz
status 0
run dg check none.dgz
status 0

# Random programs: code that is run again, in pieces of all lengths, with
# accesses of all sizes, one that differs from time to time.
random ()
{
  awk -v seed="$1" 'BEGIN {
    srand (seed)
    for (run = 0; run < 3000; run++) {
      at = 4096 + 64 * int (rand () * 50)
      n = int (rand () * (rand () < 0.1 ? 300 : 12))
      for (i = 0; i < n; i++) {
        size = 1 + at % 7
        printf "I  %08x,%d\n", at, size
        n_accesses = rand () < 0.01 ? int (rand () * 400) : at % 3
        for (j = 0; j < n_accesses; j++) {
          bytes = rand () < 0.01 ? 1 + int (rand () * 4096) : 2 ^ (at % 7)
          printf " %s %08x,%d\n", substr ("LSM", 1 + int (rand () * 3), 1),
            1 + int (rand () * 2 ^ 31), bytes
        }
        at += size
      }
    }
  }'
}
for seed in 1 2; do
  random $seed > random$seed
  dg import --lackey random$seed -o random.log
  same random$seed random.log
  dg import --lackey random$seed -o random.dgz
  same random$seed random.dgz
done

# More blocks than are remembered, and some of them again.
awk 'BEGIN { for (again = 0; again < 2; again++)
  for (i = 0; i < 600000; i++) printf "I  %x,1\n", 4096 + 2 * i }' > many
dg import --lackey many -o many.log
same many many.log

# One instruction with as many accesses as a log can hold, and one more.
awk 'BEGIN { print "I  1000,1"
  for (i = 0; i < 16384; i++) print " L 1234,8" }' > most
dg import --lackey most -o most.log
same most most.log
echo ' L 1234,8' >> most
run dg import --lackey most -o most.log
status 1
err << 'END'
dg: most: line 16386: too many accesses by one instruction
END

# ---- What is wrong -----------------------------------------------------------

# wrong N TEXT: behind a good line; what is there stays as it was.
echo before > output
wrong ()
{
  printf 'I  1000,4\n%s\n' "$2" > bad
  run dg import --lackey bad -o output
  status 1
  err_has "$1"
  echo before | cmp -s - output && [ "$(ls output*)" = output ]
  report 'the output is left alone'
}
line="dg: bad: line 2: expected 'I  ADDRESS,SIZE', or L, S or M after a blank,"
line="$line not"
wrong "$line 'hello'" hello
wrong "$line 'I  xyz,4'" 'I  xyz,4'
wrong "$line 'I  1000'" 'I  1000'
wrong "$line 'I  1000,'" 'I  1000,'
wrong "$line 'I  1000,4 '" 'I  1000,4 '
wrong "$line 'I  1000,0'" 'I  1000,0'
wrong "$line 'I  10000000000000000,4'" 'I  10000000000000000,4'
wrong "$line ' L ,8'" ' L ,8'
wrong "$line ' X 1000,8'" ' X 1000,8'
wrong "$line 'L  1000,8'" 'L  1000,8'
wrong "$line '\\x1b[31m'" "$(printf '\033[31m')"
wrong "$line '$(printf '%040d' 0)...'" "$(printf '%0200d' 0)"
wrong 'dg: bad: line 2: an instruction has more than 255 bytes' 'I  1000,256'
wrong 'dg: bad: line 2: an access has more than 4096 bytes' ' S 1000,4097'
wrong 'dg: bad: line 2: an access is at address 0 or beyond the end of memory' ' L 0,4'
wrong 'dg: bad: line 2: an access is at address 0 or beyond the end of memory' ' L fffffffffffffffe,4'
wrong "$line '" "$(head -c 2000000 /dev/zero | tr '\0' a)"

echo ' L 1000,4' > bad
run dg import --lackey bad -o output
status 1
err << 'END'
dg: bad: line 1: an access comes before the first instruction
END

# Lines of Valgrind's are as long as the program's arguments.
{ printf '==1== Command: ./prog '
  head -c 3000000 /dev/zero | tr '\0' a
  printf '\nI  1000,4\n'
} > long
run dg import --lackey long -o long.log
status 0
same long long.log

run dg import --lackey absent -o output
status 1
err << 'END'
dg: absent: No such file or directory
END
# A read that fails is not the end of the trace.
mkdir folder
run dg import --lackey folder -o of-folder
status 1
err << 'END'
dg: folder: line 1: cannot be read: Is a directory
END
[ ! -e of-folder ]
report 'nothing is left' stderr
run dg import --lackey small -o small
status 1
err << 'END'
dg: small: input and output are the same file
END
run dg import --lackey small -o absent/output
status 1
err << 'END'
dg: absent/output: No such file or directory
END
run dg import --lackey small
status 2
err_has 'no output is given (-o FILE)'
run dg import -o output
status 2
err_has 'no trace is given (--lackey=TRACE)'
run dg import --lackey small -o output more
status 2
err_has "unexpected argument 'more'"
finish
