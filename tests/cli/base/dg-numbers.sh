# dg-numbers.sh: numbers for people have one form, and English signs in any
# locale.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

{
  cat << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+4 0x400004+4] [R8@0 W8@1]
context 0 [0x400000]
malloc_block 0x900000 123456 [0x400000]
heap_alloc 1 1 1 123456 0 0
clock 1234567
END
  for i in {1..600}; do
    printf 'thread_switch %d\nbbrun 0 2 [0x%x 0x%x]\n' $((i % 2 + 1)) \
      $((0x900000 + i * 1237 % 120000)) $((0x900000 + i * 8))
  done
  echo clock 7234567890
  echo end why=0 exit_code=0
} > text
assemble log < text

# ask FOLDER: everything that dg tells people.
ask ()
{
  mkdir -p "$1"
  "$DG" info log > "$1/info"
  "$DG" check log > "$1/check"
  for what in stats dump history leaks; do
    "$DG" allocs $what log > "$1/allocs-$what"
  done
  "$DG" heap --sites --blocks --untouched --late log > "$1/heap"
  "$DG" heap --print -o massif.out log > "$1/heap-print"
  "$DG" heap --dhat-out=dhat.json log > "$1/heap-dhat"
  for analysis in counts cache pages calls patterns reuse sharing time \
      tlb invariants; do
    "$DG" $analysis log > "$1/$analysis"
  done
  "$DG" counts --interval=100 log > "$1/counts-interval"
  "$DG" reuse --approx=0.5 log > "$1/reuse-approx"
  "$DG" sharing --false --by=line log > "$1/sharing-false"
  "$DG" cache --annotate --annotate-least=0.00125 log > "$1/annotate"
  "$DG" calls --dot=calls.dot --folded=calls.folded --chrome=calls.json log \
    > "$1/calls-files"
  "$DG" cache --callgrind-out=callgrind.out log > "$1/cache-files"
  mv massif.out dhat.json calls.* callgrind.out "$1"
}

title='LC_ALL=C'
LC_ALL=C ask plain
# No decimals without a point, no groups of others than three.
grep -rnE '(^|[^0-9.,])[0-9]+,[0-9]{1,2}([^0-9,]|$)|[0-9],[0-9]{4}' \
  plain/info plain/[a-z]*[a-z] --include='*[!nfdt]' > signs || true
grep -vE 'calls\.|massif|dhat.json|callgrind' signs > wrong || true
[ ! -s wrong ]
report 'no decimal commas, no large groups' wrong
# What has five digits has a group; addresses, times of a trace that other
# programs read and what mdd writes aside.
grep -nE '(^| )[0-9]{5,}( |$)' plain/{info,counts,cache,pages,reuse,sharing,time,tlb,heap,calls,patterns} \
  > wrong || true
[ ! -s wrong ]
report 'long numbers have groups' wrong
grep -q '^Size .* KiB ([0-9],[0-9][0-9][0-9] bytes)$' plain/info ||
  grep -q '^Size .* [0-9.]* KiB ([0-9]*,[0-9]* bytes)$' plain/info
report 'the size of the log, too' plain/info
grep -q 'less than 0\.125 %' plain/annotate || ! grep -q 'less than' plain/annotate
report 'a share is told as it was asked for' plain/annotate

if german; then
  title='LC_ALL=de_DE.UTF-8'
  LC_ALL=de_DE.UTF-8 ask told
  diff -r plain told > difference
  report 'texts and files are the same' difference
else
  skip 'no locale de_DE.UTF-8'
fi
finish
