#!/bin/bash
# While it records, the tool reads symbols and call-frame information, and no
# lines, types or variables: whatever their sections have in them, a program is
# recorded, and Valgrind's own messages name its functions.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

command -v objcopy > /dev/null || skip_all "no objcopy"
objcopy=objcopy
[ -z "${DATAGRIND_CROSS:-}" ] ||
  objcopy=$DATAGRIND_CROSS/tools/binutils/objcopy

# The stack that Valgrind shows of the fault of a program, innermost first.
stack_of () # PROGRAM
{
  # shellcheck disable=SC2086
  $VALGRIND_DG --datagrind-out-file=/dev/null "./$1" fault 2>&1 |
    sed -n 's/^==[0-9]*==    \(at\|by\) 0x[0-9A-F]*: //p'
}

# The functions have names, in a file; and no line.
is_named () # WHAT PROGRAM
{
  is "$1" "$(stack_of "$2" | sed "s,(in .*/,(in ," | head -n 3 | paste -sd' ')" \
    "writes_there (in $2) calls_it (in $2) main (in $2)"
}

# Nothing is said, and the log is whole.
is_recorded () # WHAT PROGRAM
{
  record "log.$2" "./$2"
  is "$1: exit status" $? 0
  is "$1: no word" "$(cat "log.$2.err")" ""
  check_log "$1: the log" "log.$2"
}

# ---- The sections of a file ---------------------------------------------------

# Fills all sections of debug information, and says that they are compressed in
# a way that nobody knows, if they are.
damage () # PROGRAM
{
  perl -e '
    use strict; use warnings;
    my ($name) = @ARGV;
    open my $file, "+<", $name or die;
    binmode $file;
    sub at { my ($at, $n) = @_; seek $file, $at, 0; read $file, my $b, $n; $b }
    my $head = at (0, 64);
    my ($wide, $order) = (ord (substr $head, 4, 1) == 2,
                          ord (substr $head, 5, 1) == 1 ? "<" : ">");
    my $word = $wide ? "Q$order" : "L$order";
    my ($table, $size, $n, $names) = $wide
      ? unpack ("x40 Q$order x10 S$order S$order S$order", $head)
      : unpack ("x32 L$order x10 S$order S$order S$order", $head);
    my @sections = map {
      [unpack $wide ? "L$order L$order Q$order Q$order Q$order Q$order"
                    : "L$order L$order L$order L$order L$order L$order",
       at ($table + $_ * $size, $size)] } 0 .. $n - 1;
    my $strings = at ($sections[$names][4], $sections[$names][5]);
    my $changed = 0;
    for (@sections) {
      my ($is, $type, $flags, $address, $offset, $bytes) = @$_;
      my ($name) = substr ($strings, $is) =~ /^([^\0]*)/;
      next if $name !~ /^\.debug_(?!frame)/;
      seek $file, $offset, 0;
      my $was = $flags & 0x800 ? ($wide ? 24 : 12) : 0;
      my $head = $was ? pack ("L$order", 77) . at ($offset + 4, $was - 4) : "";
      seek $file, $offset, 0;
      print $file $head . chr (0x25) x ($bytes - length $head);
      $changed++;
    }
    close $file or die;
    exit !$changed' "$1"
}

# ---- Both widths --------------------------------------------------------------

# What is not read.
test_sections ()
{
  cp fault damaged
  check "sections of debug information are filled" damage damaged
  is_recorded "filled sections" damaged
  is_named "filled sections: names" damaged
  if ! "$objcopy" --compress-debug-sections=zlib fault compressed ||
     ! readelf -SW compressed | grep -q '\.debug_info .* C'; then
    skip "compressed sections" "objcopy does not compress"
    return
  fi
  check "compressed sections are damaged" damage compressed
  is_recorded "compressed sections" compressed
  is_named "compressed sections: names" compressed
}

# What is.
test_names ()
{
  is_named "a program with debug information" fault
  "$objcopy" --only-keep-debug fault separate.debug
  "$objcopy" --strip-all --add-gnu-debuglink=separate.debug fault separate
  is_named "symbols in a separate file" separate
  check "call-frame information in .debug_frame" \
    sh -c 'readelf -SW frames | grep -q "\.debug_frame"'
  is_named "frames of .debug_frame" frames
}

for bits in $guest_bits; do
  mkdir "$bits" && cd "$bits" || exit 99
  # shellcheck disable=SC2046
  if ! guest fault $(width $bits) ||
     ! as=frames guest fault $(width $bits) -fomit-frame-pointer \
       -fno-asynchronous-unwind-tables; then
    skip "$bits bits" "the compiler makes no programs of this width"
  elif ! record log.width ./fault; then
    skip "$bits bits" "no tool for programs of this width"
  else
    note "$bits bits"
    test_sections
    test_names
  fi
  cd ..
done

# ---- Servers ------------------------------------------------------------------

cat > variable.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main (void) { return puts (getenv ("DEBUGINFOD_URLS")) < 0; }
END
$CC -s variable.c -o variable || exit 99
mkdir bin
printf '%s\n' '#!/bin/sh' "echo \"\$@\" >> '$T/asked'" 'exit 1' \
  > bin/debuginfod-find
chmod +x bin/debuginfod-find
PATH=$PWD/bin:$PATH DEBUGINFOD_URLS=http://localhost:9 \
  record log.variable ./variable > out
is "the program has its environment" "$(cat out)" http://localhost:9
is "no server is asked" "$(cat asked 2> /dev/null)" ""

done_testing
