#!/bin/bash
# Types of heap blocks by the pointers that they are assigned to.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# written LOG NAME TYPE: the writes of blocks under that name and type.
written ()
{
  [ -e "$1.counts" ] ||
    "$DG" counts --by=variable --top=0 --json "$1" 2> /dev/null | sed -n \
      's/^ *{.*"writes": \([0-9]*\),.*"name": "\(.*\)", "kind": "heap", "type": "\([^"]*\)".*/\2|\3|\1/p' \
      > "$1.counts"
  awk -F '|' -v name="$2" -v type="$3 (by pointer)" \
    '$1 == name && $2 == type { print $3 }' "$1.counts"
}

# place TEXT: where that stands in the source.
place ()
{
  grep -nF "$1" "$guests/assigned.c" | cut -d: -f1
}

for bits in $guest_bits; do
  for level in 0 1 2; do
    what="-m$bits -O$level"
    log=log$bits-$level.dg
    if ! as=program guest assigned $(width $bits) -O$level; then
      skip "$what" "the compiler cannot make the program"
      continue
    fi
    record $log ./program
    is "$what: a variable" "$(written $log item.key 'struct item')" 70
    # There debug information has the parameter where it was given, on the
    # stack, and not in the register that the code uses.
    if [ "$what" != '-m32 -O1' ]; then
      is "$what: a field of what a parameter points to" \
        "$(written $log item.value 'struct item')" 150
      is "$what: ... another" "$(written $log other.b 'struct other')" 150
      is "$what: numbers have the name of their place" \
        "$(written $log "fill at assigned.c:$(place 'sums = calloc')" double)" \
        150
    fi
    is "$what: memory that a function passes on" \
      "$(written $log other.a 'struct other')" 70
    is "$what: a type that stands for a pointer" \
      "$(written $log fourth.u 'struct fourth')" 70
    is "$what: characters, too" \
      "$(written $log "local at assigned.c:$(place 'text = malloc')" char)" 70
    # Of code that may be anywhere, x86 has the address in a register.
    if [ $bits = 64 ]; then
      is "$what: a global variable" \
        "$(written $log third.y 'struct third')" 100
    fi
    rm -f program
  done
done

# Two files have each its own struct of one name.
cat > ours.c << 'END'
#include <stdlib.h>
struct twin { int alpha, beta; long gamma; };
struct keeper { struct twin *kept; } ours;
static struct twin *first;
void theirs (void);
int
main (void)
{
  struct twin *local = malloc (sizeof *local);
  first = malloc (sizeof *first);
  ours.kept = malloc (sizeof *ours.kept);
  for (int i = 0; i < 50; i++)
    local->gamma = first->beta = *(volatile int *) &ours.kept->alpha = i;
  theirs ();
  return local->gamma == first->beta;
}
END
cat > theirs.c << 'END'
#include <stdlib.h>
struct twin { double xx; volatile char *yy; };
struct keeper { long n; struct twin *kept; } others;
static struct twin *second;
void
theirs (void)
{
  struct twin *local = malloc (sizeof *local);
  second = malloc (sizeof *second);
  others.kept = malloc (sizeof *others.kept);
  for (int i = 0; i < 60; i++) {
    *(volatile double *) &local->xx = i;
    *(volatile double *) &second->xx = i;
    *(volatile double *) &others.kept->xx = i;
  }
}
END
# Which member of a union is meant the code does not tell.
cat > union.c << 'END'
#include <stdlib.h>
struct item { volatile long key, value; };
struct other { volatile long a, b; };
union any { struct item *item; struct other *other; } whole;
struct tagged {
  long kind;
  union { struct { struct item *item; }; struct { struct other *other; }; };
} tagged;
int
main (void)
{
  union any here;
  here.other = malloc (sizeof (struct other));
  whole.other = malloc (sizeof (struct other));
  tagged.other = malloc (sizeof (struct other));
  for (int i = 0; i < 70; i++)
    here.other->b = whole.other->b = tagged.other->b = i;
  return 0;
}
END
for level in 0 1; do
  if $CC -g -O$level ours.c theirs.c -o twins 2> twins.err; then
    record twins$level.dg ./twins
    [ $level = 1 ] ||
      is "two structs of one name: the one's" "$(for name in alpha beta gamma
        do
          written twins$level.dg twin.$name 'struct twin'
        done | paste -sd' ')" "50 50 50"
    is "... -O$level: the other's" \
      "$(written twins$level.dg twin.xx 'struct twin')" 180
  else
    skip "two structs of one name, -O$level" "the compiler cannot make it"
  fi
  if $CC -g -O$level union.c -o union 2> union.err; then
    record union$level.dg ./union
    is "-O$level: no member of a union is taken for the one that is meant" \
      "$(written union$level.dg item.value 'struct item')$(
        written union$level.dg other.b 'struct other')" ""
  else
    skip "-O$level: members of a union" "the compiler cannot make it"
  fi
done

# A header and what comes behind it are not elements.
cat > header.c << 'END'
#include <stdlib.h>
struct header { volatile size_t length; };
struct pair { volatile int key, value; };
int
main (void)
{
  struct header *text = malloc (sizeof *text + 24);
  struct header *many = calloc (4, sizeof *many);
  struct header *one = malloc (sizeof *one);
  struct pair *pairs = malloc (4 * sizeof *pairs);
  for (int i = 0; i < 80; i++) {
    ((volatile char *) (text + 1))[i % 24] = i;
    many[i % 4].length = one->length = pairs[i % 4].value = i;
  }
  return 0;
}
END
if $CC -g -O0 header.c -o header; then
  record header.dg ./header
  is "a header is not told as an array; calloc's, and pairs, are" "$(
    written header.dg header.length 'struct header') $(
    written header.dg pair.value 'struct pair')" "160 80"
else
  skip "headers" "the compiler cannot make it"
fi
done_testing
