/* thread-locals.c: threads that write thread-local variables a known number
   of times.

   As a program it uses those of itself, of a library it is linked with
   (-DLIBRARY), and of one that it opens (-DPLUGIN, its first argument).
   -DSTATIC leaves both out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#if defined LIBRARY

__thread volatile long exported = 5;
static __thread volatile long inner[4];

void
use_library (int n)
{
  for (int i = 0; i < n; i++)
    inner[i & 3] = i;
}

#elif defined PLUGIN

struct plugged { int unused, value; };
static __thread volatile struct plugged plugged;

void
use_plugin (int n)
{
  for (int i = 0; i < n; i++)
    plugged.value = i;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

struct counts { long hits, misses; };

static __thread volatile int counter;
static __thread volatile struct counts counts[2] = {{1, 2}, {3, 4}};
static volatile int same_for_all;

#ifndef STATIC
extern __thread volatile long exported;
void use_library (int n);
#endif

static void
use_others (const char *plugin, int n)
{
#ifndef STATIC
  void *file = dlopen (plugin, RTLD_NOW);
  void (*use_plugin) (int) =
    file != NULL ? (void (*) (int)) dlsym (file, "use_plugin") : NULL;

  for (int i = 0; i < n; i++)
    exported = i;
  use_library (n);
  if (use_plugin != NULL)
    use_plugin (n);
  if (file != NULL)
    dlclose (file);
#endif
}

struct task { int n; const char *plugin; };

static void *
work (void *data)
{
  const struct task *task = data;

  for (int i = 0; i < task->n; i++) {
    counter = i;
    counts[i & 1].misses = i;
    errno = i;
    same_for_all = i;
  }
  use_others (task->plugin, task->n);
  return NULL;
}

int
main (int argc, char **argv)
{
  struct task mine = {100, argv[1]}, others = {300, argv[1]};
  pthread_t thread;

  /* The second has the stack of the first.  */
  for (int i = 0; i < 2; i++) {
    pthread_create (&thread, NULL, work, &others);
    pthread_join (thread, NULL);
    others.n = 200;
  }
  work (&mine);
  return 0;
}

#endif
