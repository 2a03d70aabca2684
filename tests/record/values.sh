#!/bin/bash
# What accesses read and write: values that are known, in an archive and in a
# raw log, and all of them against a model of memory.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

dg_record ()
{
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" "$@"
}

# The values of a variable's accesses, in order: R value, W value.
values_of () # LOG VARIABLE
{
  "$DG" dump --values --ranges="var:$2" "$1" |
    sed -n 's/^ L [^ ]* /R /p; s/^ S [^ ]* /W /p' | tr '\n' ' ' | sed 's/ $//'
}

test_known () # LOG
{
  is "$1: bytes" "$(values_of "$1" g_byte)" "W 0x5a R 0x5a W 0x5b"
  is "$1: two bytes" "$(values_of "$1" g_short)" "W 0x1234 R 0x1234 W 0xedcb"
  is "$1: four bytes" "$(values_of "$1" g_int)" \
    "W 0xdeadbeef R 0xdeadbeef W 0x9c093ccd R 0x9c093ccd"
  is "$1: a denormal number" "$(values_of "$1" g_float)" \
    "W 0x00000001 R 0x00000001 W 0x00000002"
  # Exchanged, added to (which Valgrind does by a load and a compare-and-swap),
  # compared and swapped, compared and not swapped.
  is "$1: atomic accesses" "$(values_of "$1" g_atomic)" \
    "R 0x00000000 R 0x00000000 W 0x00000005 R 0x00000005 R 0x00000005 W 0x00000007 \
R 0x00000007 W 0x00000009 R 0x00000009 W 0x00000009"
  is "$1: of several threads" "$(values_of "$1" g_shared)" \
    "W 0x00000064 R 0x00000064 W 0x00000067 R 0x00000067 W 0x0000008f"
  is "$1: what realloc has copied, and calloc cleared" \
    "$(values_of "$1" g_copied)" \
    "W 0x00000000 W 0x0000abcd W 0x00000000 W 0x00000000"
}

test_wide () # LOG
{
  is "$1: eight bytes" "$(values_of "$1" g_quad)" \
    "W 0x0123456789abcdef R 0x0123456789abcdef W 0xfedcba9876543210 \
R 0xfedcba9876543210"
  is "$1: a NaN" "$(values_of "$1" g_double)" \
    "W 0x7ff8000000001234 R 0x7ff8000000001234 W 0x7ff8000000001234"
  is "$1: ten bytes, by helpers" "$(values_of "$1" g_long)" \
    "W 00000000000000c0ff3f R 00000000000000c0ff3f R 00000000000000c0ff3f \
W 00000000000000c00040"
  is "$1: parts, unaligned" "$(values_of "$1" g_bytes)" \
    "W 0x1122334455667788 W 0xee R 0xee55"
  is "$1: vectors" "$(values_of "$1" g_vector)" \
    "W 01000000020000000300000004000000 R 01000000020000000300000004000000 \
R 01000000020000000300000004000000 W 02000000040000000600000008000000"
  is "$1: a pointer, plus a constant" \
    "$(values_of "$1" g_pointer | perl -ne '
       my ($p, $q, $r, $s) = /^W (\S+) R (\S+) R (\S+) W (\S+)$/;
       print hex ($s) - hex ($p) if $p eq $q && $q eq $r')" 24
}

# Reads whose bytes were all written or read before are what that was.  What
# else may change memory: the kernel, and the recorder, for malloc and the like,
# which has no accesses of its own.
test_model () # LOG MOST
{
  "$DG" dump --values "$1" | perl -ne '
    next unless my ($kind, $at, $size, $value)
      = /^ ([LS]) ([0-9a-f]+),(\d+) (\S+)$/;
    $at = hex $at;
    if ($value eq "?") {
      $unknown++;
      next;
    }
    $value =~ s/^0x// and $value = join "", reverse $value =~ /../g;
    my @bytes = $value =~ /../g;
    $sizes++ if @bytes != $size;
    my $known = !grep { !exists $m{$at + $_} } 0 .. $#bytes;
    if ($kind eq "L" && $known) {
      grep ({ $m{$at + $_} ne $bytes[$_] } 0 .. $#bytes) ? $other++ : $same++;
    }
    $m{$at + $_} = $bytes[$_] for 0 .. $#bytes;
    END { printf "%d %d %d %d\n", $same, $other, $unknown, $sizes }' > model
  read -r same other unknown sizes < model
  note "$1: $same as in the model, $other changed, $unknown not known"
  [ "$same" -gt 10000 ] && [ "$other" -le "$2" ] && [ "$unknown" = 0 ] \
    && [ "$sizes" = 0 ]
  check "$1: values are as a model of memory has them" test $? = 0
}

test_program ()
{
  dg_record --values -o log.dgz -- ./values > out
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --datagrind-values=yes --datagrind-out-file=log.raw \
    ./values > out.raw
  is "the program does not notice" "$(cat out.raw)" "$(cat out)"
  is "the archive is good" "$("$DG" check log.dgz)" "log.dgz: good"
  check_log "the raw log" log.raw
  is "dg info says that there are values" "$("$DG" info log.dgz |
    sed -n 's/^Values  *//p')" "what accesses read and wrote is recorded"
  test_known log.dgz
  test_known log.raw
  # The offset of a quad on a stack may be one of two words in 32-bit code.
  if [ "$1" = 64 ]; then
    test_wide log.dgz
    test_wide log.raw
  fi
  test_model log.dgz 150
  test_model log.raw 150
}

# What makes another log of it.
test_conversions ()
{
  local what
  "$DG" dump --values log.dgz > expected
  "$DG" unpack -o unpacked.raw log.dgz
  "$DG" pack --level=9 -o smaller.dgz log.dgz
  for what in unpacked.raw smaller.dgz; do
    "$DG" dump --values $what | cmp -s - expected
    is "$what has the same values" $? 0
  done
  "$DG" pack -o again.dgz unpacked.raw && "$DG" unpack -o again.raw again.dgz
  cmp -s unpacked.raw again.raw
  is "a raw log that was packed comes back byte for byte" $? 0
  "$DG" dump --values again.dgz > text 2> err
  is "its values are not read from there" "$? $(wc -l < text) $(cat err)" \
    "1 0 dg: again.dgz: the values of a raw log that was packed cannot be read; \
remedy: unpack it"
  "$DG" cut --instructions=10000..20000 -o cut.raw log.dgz
  check_log "a part of it" cut.raw
  "$DG" dump --values cut.raw > text 2> err
  is "the part has none" "$(cat err)" \
    "dg: cut.raw: the log has no values of accesses; remedy: record with --values"
}

# Without the option, nothing is different.
test_off ()
{
  dg_record -o off.dgz -- ./values alone > out
  dg_record --values -o on.dgz -- ./values alone > out
  "$DG" dump --accesses off.dgz > off.txt
  "$DG" dump --accesses on.dgz > on.txt
  # A few addresses depend on the random bytes that each process is given.
  sed 's/^\( .\) [0-9a-f]*,/\1 /' off.txt > off
  sed 's/^\( .\) [0-9a-f]*,/\1 /' on.txt | cmp -s off -
  is "the accesses are the same with values and without" $? 0
  is "an archive without values has version 2" \
    "$(od -An -tu1 -j8 -N1 off.dgz | tr -d ' ')" 2
  is "one with values has version 3" \
    "$(od -An -tu1 -j8 -N1 on.dgz | tr -d ' ')" 3
}

# The bytes of one part of the file that holds values are changed.
test_damage ()
{
  perl -e '
    open my $in, "<:raw", "on.dgz" or die;
    my $f = do { local $/; <$in> };
    my $at = 40;
    for (;;) {
      my ($type, $size) = unpack "x4 C x11 Q<", substr $f, $at, 24;
      last if $type == 9 || substr ($f, $at, 4) ne "DGpt";
      $at += 48 + $size;
    }
    substr ($f, $at + 100, 1) ^= "\x55";
    open my $out, ">:raw", "damaged.dgz" or die;
    print $out $f;'
  "$DG" dump --accesses damaged.dgz > text
  cmp -s text on.txt
  is "damaged values: the accesses are all there" "$?" 0
  "$DG" dump --values damaged.dgz > text 2> err
  is "damaged values: it is said" "$? $(sed 's/offset [0-9a-fx]*/offset N/' err)" \
    "1 dg: damaged.dgz: offset N: VALUES of chunk 0 is damaged: its checksum \
does not match"
  "$DG" check damaged.dgz > text 2> err
  is "damaged values: dg check finds them" \
    "$? $(sed 's/offset [0-9a-fx]*/offset N/' err)" \
    "1 dg: damaged.dgz: offset N: VALUES of chunk 0 is damaged: its checksum \
does not match"
}

test_windows ()
{
  dg_record --values --datagrind-skip=50k --datagrind-stop-after=20k \
    -o part.dgz -- ./values > out
  is "a window is good" "$("$DG" check part.dgz)" "part.dgz: good"
  "$DG" dump --values part.dgz > text
  is "in a window all values are known" "$(grep -c '?$' text)" 0
  is "so many instructions" "$(grep -c '^I' text)" 20000
}

for bits in $guest_bits; do
  mkdir "$bits" && cd "$bits" || exit 99
  # shellcheck disable=SC2046
  if ! guest values -pthread $(width $bits); then
    skip "$bits bits" "the compiler makes no programs of this width"
  elif ! record log.width ./values > out; then
    skip "$bits bits" "no tool for programs of this width"
  else
    note "$bits bits"
    test_program $bits
    test_conversions
    test_off
    test_damage
    test_windows
  fi
  cd ..
done

done_testing
