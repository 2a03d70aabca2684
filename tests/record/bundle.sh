#!/bin/bash
# dg bundle: names that do not depend on what is on the machine.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# A program and a library with separate debug information, each with types,
# static and local variables and inlined functions of their own.
mkdir here elsewhere
cat > here/list.h << 'END'
struct node { long key; double weight; struct node *next; };
struct node *push (struct node *list, long key);
double sum (const struct node *list);
END
cat > here/list.c << 'END'
#include <stdlib.h>
#include "list.h"
static long n_pushed;
static double weights[64];
static inline __attribute__ ((always_inline)) double
weigh (long key) { return weights[key & 63] + key; }
struct node *
push (struct node *list, long key)
{
  struct node *node = malloc (sizeof *node);

  *node = (struct node) { key, weigh (key), list };
  n_pushed++;
  return node;
}
double
sum (const struct node *list)
{
  double all = 0;

  for (; list; list = list->next)
    all += list->weight;
  return all;
}
END
cat > here/main.c << 'END'
#include <stdio.h>
#include "list.h"
static long keys[256];
int
main (void)
{
  struct node *list = NULL;
  long local[32];

  for (int i = 0; i < 32; i++)
    local[i] = i * i;
  for (int i = 0; i < 256; i++)
    keys[i] = local[i & 31];
  for (int i = 0; i < 256; i++)
    list = push (list, keys[i]);
  printf ("%g\n", sum (list));
  return 0;
}
END
build ()
{
  "$CC" -g -O1 -fPIC -shared -Wl,--build-id -o here/liblist.so here/list.c &&
    "$CC" -g -O1 -Wl,--build-id -o here/prog here/main.c here/liblist.so &&
    objcopy --only-keep-debug --compress-debug-sections here/liblist.so \
      here/liblist.so.debug &&
    objcopy --strip-debug --add-gnu-debuglink=here/liblist.so.debug \
      here/liblist.so
}
build 2> build.log || skip_all "the compiler cannot make it: $(cat build.log)"
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o log.dgz \
  "$T/here/prog" > printed 2> err ||
  skip_all "cannot record: $(cat err)"

# show LOG [few]: what commands say of it, whatever it is called, and however
# large.  All of them ask for names in one way, so that some are enough, and a
# few where only the place of the files changes; all with DG_TEST_LONG.
show ()
{
  local c
  while read -r c; do
    [ -n "$DG_TEST_LONG" ] || case $2$c in
      'fewcounts --by=line' | 'fewcounts --by=variable') ;;
      few* | cache* | reuse* | sharing | patterns | pages | advise) continue ;;
    esac
    echo "== $c"
    # shellcheck disable=SC2086
    "$DG" $c "$1" 2>&1
  done << 'END' | sed "s|$1|LOG|g; /^Size /d; /^Per access /d; /^Files /d; s/^0x[0-9a-f]* //"
info
counts
counts --by=function
counts --by=line
counts --by=variable
cache --by=function
reuse --by=line
sharing
calls
patterns
pages
heap --sites
allocs leaks
advise
dump --events=fn:push
END
}

# ---- The same everywhere ----------------------------------------------------

show log.dgz > with_files
show log.dgz few > with_few
"$DG" bundle --sources -o bundle.dgz log.dgz > told 2> err
is 'dg bundle succeeds' "$?" 0
check 'it tells what it took' grep -q \
  '^bundle.dgz: [0-9]* modules, [0-9]* debug files, [0-9]* source files: ' told
check 'the archive is good' "$DG" check bundle.dgz
"$DG" info --json bundle.dgz > info.json
check 'dg info counts the files' grep -q '"files": *[1-9]' info.json
show bundle.dgz > from_bundle
check 'the same with the files' diff with_files from_bundle
check 'names are those of the source' grep -q 'liblist.so' from_bundle
check 'a field of a type of the library' grep -q 'weight' from_bundle
"$DG" cache --annotate bundle.dgz > annotated 2>&1
check 'sources are there' grep -q 'all += list->weight' annotated

mv here/* elsewhere/
show bundle.dgz few > without
check 'the same without them' diff with_few without
"$DG" cache --annotate bundle.dgz > annotated_again 2>&1
check 'and sources' diff annotated annotated_again
show log.dgz few > missing
check 'without a bundle there are warnings' \
  grep -q 'here/prog: No such file' missing
"$DG" counts --by=function log.dgz > missing 2> err
check 'and no names' sh -c '! grep -q "push" missing'

# Other builds under the same names.
sed 's/push/shove/; s/weight/burden/' elsewhere/list.c > here/list.c
sed 's/push/shove/; s/weight/burden/' elsewhere/list.h > here/list.h
sed 's/push (/shove (/' elsewhere/main.c > here/main.c
build 2> build.log
show bundle.dgz few > replaced
check 'the same with others in their place' diff with_few replaced
show log.dgz few > changed
id=$(readelf -n here/prog | awk '/Build ID/ { print $3 }')
old=$(readelf -n elsewhere/prog | awk '/Build ID/ { print $3 }')
check 'a warning names both build-ids' \
  grep -q "here/prog: changed since it was recorded (build-id $id, not $old)" \
  changed
check 'no name of the others' sh -c '! grep -q "shove\|burden" changed'

# ---- Where else files may be --------------------------------------------------

rm here/*
mkdir -p "root$T"
cp -r elsewhere "root$T/here"
show_with () # OPTION...
{
  "$DG" counts --by=line "$@" log.dgz 2>&1
}
"$DG" counts --by=line bundle.dgz 2>&1 | sed 's/bundle.dgz/log.dgz/' > wanted
show_with --sysroot=root > rooted
check '--sysroot finds all of it' diff wanted rooted
DATAGRIND_SYSROOT=root "$DG" counts --by=line log.dgz > rooted 2>&1
check 'also by the environment' diff wanted rooted
mv elsewhere/liblist.so.debug .
rm "root$T/here/liblist.so.debug"
mkdir debug
mv liblist.so.debug debug/
show_with --sysroot=root > rooted
check 'its debug file is missing' sh -c '! grep -q "list.c:" rooted'
show_with --sysroot=root --debug-dir=debug > rooted
check '--debug-dir finds that, too' diff wanted rooted
"$DG" counts --by=line --json --sysroot=root --debug-dir=debug \
  --source-map="$T/here=/src" log.dgz > mapped
check '--source-map for the rest' grep -q '"/src/list.c' mapped
"$DG" counts --sysroot=nowhere log.dgz > out 2> err
is 'a folder that is not there' "$? $(grep -c "not a folder" err)" '2 1'

# ---- What becomes of it -------------------------------------------------------

"$DG" pack -o packed.dgz bundle.dgz
show packed.dgz few > from_packed
check 'dg pack keeps the files' diff with_few from_packed
"$DG" cut -o cut.dgz --instructions=1.. bundle.dgz
"$DG" counts --by=function cut.dgz > from_cut 2>&1
check 'dg cut as well' grep -q 'push' from_cut
"$DG" bundle --level=1 -o again.dgz bundle.dgz > told 2> err
show again.dgz few > from_again
check 'a bundle of a bundle' diff with_few from_again
"$DG" unpack -o raw bundle.dgz && "$DG" pack -o plain.dgz raw
is 'dg unpack leaves them out' \
  "$("$DG" info --json plain.dgz | grep -c '"files": *0')" 1

# A raw log, and one that was cut short.
rm -rf here && cp -r "root$T/here" here && cp debug/* here/
"$DG" bundle --level=1 -o from_raw.dgz raw > told 2> err
is 'of a raw log' "$?" 0
for c in 'counts --by=line' 'counts --by=variable'; do
  # shellcheck disable=SC2086
  "$DG" $c from_raw.dgz 2>&1 | sed 's/from_raw.dgz/LOG/' > out
  # shellcheck disable=SC2086
  "$DG" $c raw 2>&1 | sed 's/raw/LOG/' > wanted_raw
  check "of a raw log, $c: the same" diff wanted_raw out
done
head -c "$(($(wc -c < bundle.dgz) - 40))" bundle.dgz > short.dgz
"$DG" counts --by=function short.dgz > out 2> err
is 'one that lost its end still has its files' \
  "$? $(grep -c push out)" "1 1"
"$DG" bundle --level=1 -o bundle.dgz bundle.dgz > out 2> err
is 'the log is not replaced' "$?" 1

# ---- Units that only data, types or threads need --------------------------------

mkdir more
cat > more/main.c << 'END'
#include "datagrind.h"
static volatile char buffer[64];
extern void touch (void);
int
main (void)
{
  DATAGRIND_TRACK_RANGE ((void *) buffer, 32, "struct onlyhere", "label");
  for (int i = 0; i < 100; i++)
    buffer[i % 32]++;
  touch ();
  return 0;
}
END
cat > more/types.c << 'END'
struct onlyhere { int alpha; double beta; };
int unused (struct onlyhere *p) { return p->alpha; }
END
cat > more/before.c << 'END'
__thread int not_touched = 3;
int nor_this[100];
END
cat > more/data.c << 'END'
struct pair { long left, right; };
struct pair pair;
__thread struct pair of_thread = { 1, 2 };
END
cat > more/touch.c << 'END'
struct pair;
extern long pair_left (void) __attribute__ ((weak));
extern char pair[];
extern __thread long of_thread[2];
void
touch (void)
{
  *(volatile long *) (pair + 8) = 1;
  for (int i = 0; i < 10; i++)
    ((volatile long *) of_thread)[1]++;
}
END
# shellcheck disable=SC2086
if (cd more && "$CC" -g -O1 -w $client_flags -o prog main.c types.c before.c \
    data.c touch.c && objcopy --only-keep-debug prog prog.debug &&
    objcopy --strip-debug --add-gnu-debuglink=prog.debug prog) 2> build.log; then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o more.dgz \
    more/prog > printed 2> err
  "$DG" bundle --level=1 -o more-bundle.dgz more.dgz > told 2> err
  rm -r more
  for c in 'counts --by=variable --top=0' 'patterns --top=0'; do
    # shellcheck disable=SC2086
    "$DG" $c more-bundle.dgz >> from_more 2>&1
  done
  for name in onlyhere.alpha of_thread.right pair.right; do
    check "what is only touched: $name" grep -q "$name" from_more
  done
else
  skip 'what is only touched' "the compiler cannot make it: $(cat build.log)"
fi

# Debug information in more files than two.  Of version 4, as Valgrind 3.19 ends
# at that of version 5.
mkdir split
cp elsewhere/main.c elsewhere/list.? split/ 2> build.log
if (cd split && "$CC" -gdwarf-4 -gsplit-dwarf -O1 -o prog main.c list.c) 2> build.log
then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o split.dgz \
    split/prog > printed 2> err
  "$DG" counts --by=variable split.dgz 2>&1 | sed 's/split.dgz/LOG/' > wanted
  check 'units in files of their own: fields' grep -q 'node.weight' wanted
  "$DG" bundle --level=1 -o split-bundle.dgz split.dgz > told 2> err
  is 'they are in the bundle' "$(cat err)" ''
  mkdir dwo
  mv split/*.dwo dwo/
  "$DG" counts --by=variable split.dgz 2>&1 | sed 's/split.dgz/LOG/' > out
  check 'without them a warning counts them' \
    grep -q 'split/prog: 2 of its 2 units .* not found' out
  "$DG" counts --by=variable --debug-dir=dwo split.dgz 2>&1 |
    sed 's/split.dgz/LOG/' > out
  check '--debug-dir finds them' diff wanted out
  mkfifo split/prog.dwp
  "$DG" counts --by=variable split.dgz > out 2> err
  check 'a package that is a FIFO is not opened' grep -q 'not a regular file' err
  rm -r split
  "$DG" counts --by=variable split-bundle.dgz 2>&1 |
    sed 's/split-bundle.dgz/LOG/' > out
  check 'a bundle has them' diff wanted out
  "$DG" bundle --level=1 -o split-again.dgz split-bundle.dgz > told 2> err
  "$DG" counts --by=variable split-again.dgz 2>&1 |
    sed 's/split-again.dgz/LOG/' > out
  check 'and a bundle of a bundle' diff wanted out
else
  skip 'split debug information' "the compiler has none: $(cat build.log)"
fi

# ---- Damage -------------------------------------------------------------------

python3 - << 'END'
bytes = bytearray(open('bundle.dgz', 'rb').read())
summary = int.from_bytes(bytes[-32:-24], 'little')
bytes[summary - 8] ^= 1
open('unlisted.dgz', 'wb').write(bytes)
END
"$DG" check unlisted.dgz > out 2> err
is 'a list that is gone' "$? $(grep -c 'the list of the files that begin' err)" \
  '1 1'
"$DG" counts unlisted.dgz > out 2> err
is 'the rest of the log is there' "$? $(grep -c Instructions out)" '0 1'

# ---- While recording ----------------------------------------------------------

"$DG" record --bundle --valgrind="${VALGRIND_DG%% --tool=*}" -q -o live.dgz \
  "$T/here/prog" > printed 2> err
is 'dg record --bundle' "$? $(ls live.dgz*)" '0 live.dgz'
rm -rf here
"$DG" counts --by=function live.dgz > out 2> err
check 'its names are there' grep -q 'push' out
is 'and no warning is' "$(cat err)" ''
done_testing
