# What the two comparisons with cachegrind share: geometries, its figures,
# ours.  To be sourced behind record.sh.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash

# Usual; direct-mapped; lines of several sizes; one set each; odd numbers of
# ways.
geometries=(
  "--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64"
  "--I1=4096,1,64 --D1=4096,1,64 --LL=65536,2,64"
  "--I1=16384,4,32 --D1=8192,2,32 --LL=262144,8,64"
  "--I1=2048,32,64 --D1=1024,16,64 --LL=16384,256,64"
  "--I1=8192,2,128 --D1=12288,3,64 --LL=81920,5,128"
)
events="Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw"

# The figures in the order of $events, from cachegrind's file.
cachegrind_figures () # FILE
{
  sed -n "s/^events: $events *\$/ok/p; s/^summary: //p" "$1" |
    tr '\n' ' ' | sed -n 's/^ok \(.*[^ ]\) *$/\1/p'
}

dg_figures () # LOG OPTIONS...
{
  local log=$1
  shift
  "$DG" cache --json "$@" "$log" | perl -MJSON::PP -0777 -e '
    my $all = decode_json (<STDIN>);
    print join (" ", map { $all->{$_} // "none" } @ARGV), "\n"' $events
}

# What there must be, for equality to say something.
some_misses () # FIGURES
{
  perl -e 'exit !!grep { $_ == 0 } @ARGV[0, 1, 2, 3, 4, 6]' $1
}
