#!/bin/bash
# More of everything than programs have as a rule: 1,000 children, 500 threads,
# mappings of a terabyte, or of as much as Valgrind gives to a program.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/../record/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}

mkdir rings
record () # NAME OPTION... -- PROGRAM...
{
  local name=$1
  shift
  "$DG" record --ring-dir="$T/rings" -q -o "$name.dgz" "$@" \
    > "$name.out" 2> "$name.err"
}

# ---- 1,000 children, 20 at a time ----

cat > children.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int data[64];
int
main (void)
{
  int good = 0, status;

  for (int i = 0; i < 1000; i++) {
    pid_t pid;

    if (i >= 20 && wait (&status) > 0)
      good += WIFEXITED (status) && WEXITSTATUS (status) == 5;
    pid = fork ();
    if (pid < 0)
      return 1;
    if (pid == 0) {
      for (int k = 0; k < 64; k++)
        data[k]++;
      _exit (5);
    }
  }
  while (wait (&status) > 0)
    good += WIFEXITED (status) && WEXITSTATUS (status) == 5;
  printf ("%d\n", good);
  return 4;
}
END
$CC -O1 -g -o children children.c || skip_all "the compiler cannot make it"
mkdir many
record many/%p -- ./children
is "1,000 children: exit status" $? 4
is "1,000 children: all ended as they should" "$(cat many/%p.out)" 1000
is "1,000 children: silent" "$(cat many/%p.err)" ""
rm -f many/%p.out many/%p.err
is "1,000 children: an archive each" "$(find many -name '*.dgz' | wc -l)" 1001
bad=0
for log in many/*.dgz; do
  "$DG" check "$log" > /dev/null 2>&1 || bad=$((bad + 1))
done
is "1,000 children: all are good" $bad 0
is "1,000 children: no ring is left" "$(ls rings)" ""

# ---- 500 threads at once ----

cat > threads.c << 'END'
#include <pthread.h>
#include <stdio.h>
#define N 500
static pthread_barrier_t all;
static int data[N][16];
static void *
work (void *arg)
{
  int *mine = arg;

  pthread_barrier_wait (&all);
  for (int i = 0; i < 100; i++)
    *(volatile int *) mine += 1;
  pthread_barrier_wait (&all);
  return NULL;
}
int
main (void)
{
  pthread_t threads[N];
  pthread_attr_t attr;
  int sum = 0;

  pthread_attr_init (&attr);
  pthread_attr_setstacksize (&attr, 1 << 16);
  pthread_barrier_init (&all, NULL, N);
  for (int i = 0; i < N; i++)
    if (pthread_create (&threads[i], &attr, work, data[i]) != 0)
      return 1;
  for (int i = 0; i < N; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < N; i++)
    sum += data[i][0];
  printf ("%d\n", sum);
  return 6;
}
END
$CC -O1 -g -pthread -o threads threads.c
record threads --max-threads=600 -- ./threads
is "500 threads: exit status" $? 6
is "500 threads: the result" "$(cat threads.out)" 50000
is "500 threads: silent" "$(cat threads.err)" ""
check "500 threads: good" "$DG" check threads.dgz
is "500 threads: all of them" \
  "$("$DG" counts --by=thread --json threads.dgz | grep -c '"thread"')" 501
"$DG" sharing threads.dgz > sharing.txt 2>&1
check "500 threads: what all of them use" \
  grep -Eq "\b501 .*\ball\.__size" sharing.txt

# ---- Mappings of a terabyte ----

cat > large.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
int
main (void)
{
  unsigned long long size = 1ULL << 40;
  char *map = MAP_FAILED;
  unsigned sum = 0;

  for (; map == MAP_FAILED; size /= 2)
    map = mmap (NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  size *= 2;
  for (int i = 0; i < 1000; i++)
    map[size / 1000 * i] = 1;
  for (int i = 0; i < 1000; i++)
    sum += map[size / 1000 * i];
  printf ("%u\n%llu\n", sum, size >> 30);
  munmap (map, size);
  return 7;
}
END
$CC -O1 -g -o large large.c
record large -- ./large
is "a large mapping: exit status" $? 7
is "a large mapping: the result" "$(head -n 1 large.out)" 1000
note "$(sed 1d large.out) GiB"
is "a large mapping: silent" "$(cat large.err)" ""
check "a large mapping: good" "$DG" check large.dgz
# What no program can have under Valgrind 3.19.
{
  echo 'header'
  echo 'process 42 1 0 0 4096 64 0 8 "t" "v" "a" "/prog" "/" ["prog"]'
  echo 'bbdef [0x1000+4] [W8@0]'
  echo 'context 0 [0x1000]'
  echo 'map 0x100000000000 0x10000000000 3 0 0 "/tera"'
  for ((i = 0; i < 1000; i++)); do
    printf 'bbrun 0 1 [%#x]\n' $((0x100000000000 + i * 0x41893748))
  done
  echo end
} > tera.dgt
check "a terabyte: assembled" "$DGASM" -o tera tera.dgt
check "a terabyte: packed" "$DG" pack -o tera.dgz tera
for log in large tera; do
  for command in counts "counts --by=line" pages sharing reuse tlb heap \
      advise "report -o page.html" "cut -o $log.cut.dgz"; do
    # shellcheck disable=SC2086
    check "$log: $command" timeout 600 "$DG" $command "$log.dgz"
  done
  if [ -n "${DG_VIEW-}" ]; then
    check "$log: it is drawn" "$DG_VIEW" --render="$log.png" "$log.dgz"
    check "$log: a picture" test -s "$log.png"
  fi
done
done_testing
