#!/bin/bash
# dg branches --predictor=cachegrind beside cachegrind: the branches of
# functions are the same; what is predicted wrongly may differ a little by what
# the tables have from before main, where cachegrind counts more branches.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
find_oracle cachegrind

cat > branches.c << 'END'
static unsigned s = 1;
static int (*volatile f[3]) (int);
static int a (int x) { return x + 1; }
static int b (int x) { return x + 2; }
static int c (int x) { return x + 3; }
__attribute__ ((noinline)) int
conditional (void)
{
  volatile int r = 0;
  for (int i = 0; i < 20000; i++) {
    s = s * 1103515245 + 12345;
    if (s >> 16 & 1)
      r += 3;
  }
  return r;
}
__attribute__ ((noinline)) int
indirect (void)
{
  int r = 0;
  for (int i = 0; i < 20000; i++) {
    s = s * 1103515245 + 12345;
    r = f[(s >> 16) % 3] (r);
  }
  return r;
}
int
main (void)
{
  f[0] = a;
  f[1] = b;
  f[2] = c;
  return (conditional () + indirect ()) & 0;
}
END
"${CC:-gcc}" -g -O1 -static -o branches branches.c 2> /dev/null ||
  skip_all "the compiler cannot link statically"
ours --datagrind-out-file=branches.dg ./branches > /dev/null 2>&1
theirs --cache-sim=no --branch-sim=yes -q \
  --cachegrind-out-file=branches.cg ./branches > /dev/null 2>&1
"$DG" branches --predictor=cachegrind --top=0 --json branches.dg > branches.json

# figures FUNCTION: Bc, Bcm, Bi, Bim of cachegrind, then of dg.
figures ()
{
  awk -v f="$1" '/^fn=/ { in_f = $0 == "fn=" f }
    /^[0-9]/ && in_f { for (i = 3; i <= 6; i++) t[i] += $i }
    END { print t[3] + 0, t[4] + 0, t[5] + 0, t[6] + 0 }' branches.cg
  perl -MJSON::PP -0777 -e '
    my ($name) = splice (@ARGV, 0, 1);
    my ($row) = grep { ($_->{function} // "") eq $name }
      @{decode_json (<STDIN>)->{rows}};
    print join (" ", map { $row->{$_} // "none" }
      qw(conditional conditional_mispredicted indirect
         indirect_mispredicted)), "\n"' "$1" < branches.json
}

for function in conditional indirect; do
  { read -r bc bcm bi bim; read -r c cm i im; } < <(figures $function)
  is "$function: Bc and Bi" "$c $i" "$bc $bi"
  for pair in "$bcm $cm" "$bim $im"; do
    # shellcheck disable=SC2086
    set -- $pair
    difference=$(($1 > $2 ? $1 - $2 : $2 - $1))
    if [ $difference -le 20 ]; then
      ok "$function: predicted wrongly: $1 and $2"
    else
      not_ok "$function: predicted wrongly" "$1 and $2"
    fi
  done
done
done_testing
