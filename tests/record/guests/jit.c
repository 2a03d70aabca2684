/* jit.c: a compiler of five functions, each of a few bytes, of which three
   are written to the same place one after the other, and two more to another
   one, where they have the same bytes.

   jit HOW, by which it tells their names:
     request   DATAGRIND_NAME_CODE, before each first runs
     map       /tmp/perf-PID.map, line by line, before each first runs
     late      the same, all of it at the end
     dump      a jitdump file in the current folder, at the end
     written   the same, record by record
     none      not at all
     fork      as request; a child makes the last three, too, and runs each
               ten times

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "datagrind.h"

static const char *how;
static FILE *file;
static long a[2], b[2];

/* The code reads from, or writes to, where its arguments point; or calls.  */
static const struct { const char *name; unsigned char code[8]; int n, place; }
functions[] = {
  { "reads_first",  { 0x48, 0x8b, 0x07, 0xc3 }, 4, 0 },  /* mov (%rdi),%rax */
  { "writes_first", { 0x48, 0x89, 0x37, 0xc3 }, 4, 0 },  /* mov %rsi,(%rdi) */
  { "reads_second", { 0x48, 0x8b, 0x06, 0xc3 }, 4, 0 },  /* mov (%rsi),%rax */
  { "calls_once",   { 0x50, 0xff, 0xd2, 0x58, 0xc3 }, 5, 64 }, /* call *%rdx */
  { "calls_again",  { 0x50, 0xff, 0xd2, 0x58, 0xc3 }, 5, 64 },
};

__attribute__ ((noinline)) long
callee (void)
{
  static volatile long counter;

  return ++counter;
}

static void
put (const void *bytes, size_t n)
{
  if (fwrite (bytes, 1, n, file) != n)
    exit (3);
}

static void
dump_header (void)
{
  uint32_t words[6] = { 0x4A695444, 1, 40, 62, 0, getpid () };
  uint64_t quads[2] = { 0, 0 };

  put (words, sizeof words);
  put (quads, sizeof quads);
}

/* Its lines are of jit.src: 10 times its number, and one more at byte 3.  */
static void
dump (unsigned i, unsigned char *at)
{
  const char *name = functions[i].name;
  uint32_t n = functions[i].n, ids[2] = { getpid (), getpid () };
  uint64_t debug[2] = { (uintptr_t) at, 2 };
  uint64_t load[4] = { (uintptr_t) at, (uintptr_t) at, n, i };
  uint32_t head[2] = { 2, 16 + 16 + 2 * 16 + 8 + 2 };
  uint64_t time = i, place = (uintptr_t) at;
  int32_t line[2] = { 10 * (i + 1), 0 };

  put (head, sizeof head);
  put (&time, 8);
  put (debug, sizeof debug);
  put (&place, 8);
  put (line, sizeof line);
  put ("jit.src", 8);
  place += 3;
  line[0]++;
  put (&place, 8);
  put (line, sizeof line);
  put ("\xff", 2);
  if (strcmp (how, "written") == 0)
    fflush (file);
  head[0] = 0;
  head[1] = 16 + 8 + 32 + strlen (name) + 1 + n;
  put (head, sizeof head);
  put (&time, 8);
  put (ids, sizeof ids);
  put (load, sizeof load);
  put (name, strlen (name) + 1);
  put (functions[i].code, n);
}

static void
begin (void)
{
  char name[64];

  if (strcmp (how, "map") == 0 || strcmp (how, "late") == 0)
    sprintf (name, "/tmp/perf-%d.map", (int) getpid ());
  else if (strcmp (how, "dump") == 0 || strcmp (how, "written") == 0)
    sprintf (name, "jit-%d.dump", (int) getpid ());
  else
    return;
  file = fopen (name, "w");
  if (file == NULL)
    exit (2);
  if (strcmp (how, "dump") == 0 || strcmp (how, "written") == 0)
    dump_header ();
}

static unsigned char *
compile (unsigned char *code, unsigned i)
{
  unsigned char *at = code + functions[i].place;
  int n = functions[i].n;

  memcpy (at, functions[i].code, n);
  if (strcmp (how, "request") == 0 || strcmp (how, "fork") == 0)
    DATAGRIND_NAME_CODE (at, n, functions[i].name);
  else if (strcmp (how, "dump") == 0 || strcmp (how, "written") == 0)
    dump (i, at);
  else if (file != NULL)
    fprintf (file, "%lx %x %s\n", (unsigned long) at, n, functions[i].name);
  if (strcmp (how, "map") == 0 || strcmp (how, "written") == 0)
    fflush (file);
  return at;
}

int
main (int argc, char **argv)
{
  unsigned char *code = mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int times[] = { 1000, 500, 250, 125, 60 };

  how = argc > 1 ? argv[1] : "request";
  begin ();
  for (unsigned i = 0; i < 5; i++) {
    long (*run) (long *, long *, long (*) (void)) =
      (long (*) (long *, long *, long (*) (void))) compile (code, i);

    for (int k = 0; k < times[i]; k++)
      run (a, b, callee);
    if (i == 1 && strcmp (how, "fork") == 0) {
      if (fork () > 0)
        wait (NULL);
      else
        times[1] = times[2] = times[3] = times[4] = 10;
    }
  }
  if (file != NULL)
    fclose (file);
  return 0;
}
