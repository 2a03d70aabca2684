/* process.c: ends, or makes other processes, in the way that its argument
   names.  Before that it makes 1000 accesses to an array.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int work[100];
static volatile int child_work[100];

__attribute__ ((noinline)) static void
parents (void)
{
  for (int i = 0; i < 1000; i++)
    work[i % 100] = i;
}

/* In children only.  */
__attribute__ ((noinline)) static void
childs (void)
{
  for (int i = 0; i < 700; i++)
    child_work[i % 100] = i;
}

__attribute__ ((noinline)) static int
overflow (int n)
{
  volatile char frame[4096];
  frame[n & 1023] = 1;
  return overflow (n + 1) + frame[n & 511];
}

static int
child_status (pid_t pid)
{
  int status;
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 100 + WTERMSIG (status);
}

static void *
leaves (void *arg)
{
  parents ();
  exit (9);
}

static void *
stays (void *arg)
{
  for (;;) {
    parents ();
    usleep (5000);
  }
}

static void
handler (int sig)
{
  parents ();
}

int
main (int argc, char **argv)
{
  const char *mode = argv[1];
  pthread_t t;
  pid_t pid;
  parents ();
  printf ("%s begins\n", mode);
  fflush (stdout);
  if (!strcmp (mode, "return"))
    return 3;
  if (!strcmp (mode, "exit"))
    exit (250);
  if (!strcmp (mode, "_exit"))
    _exit (4);
  if (!strcmp (mode, "segv"))
    *(volatile int *) 16 = 1;
  if (!strcmp (mode, "fpe")) {
    volatile int zero = 0;
    return 100 / zero;
  }
  if (!strcmp (mode, "ill"))
    __builtin_trap ();
  if (!strcmp (mode, "abort"))
    abort ();
  if (!strcmp (mode, "kill"))
    kill (getpid (), SIGKILL);
  if (!strcmp (mode, "term"))
    raise (SIGTERM);
  if (!strcmp (mode, "pipe")) {
    int fds[2];
    pipe (fds);
    close (fds[0]);
    write (fds[1], "x", 1);
  }
  if (!strcmp (mode, "alarm")) {
    ualarm (100000, 0);
    for (;;)
      pause ();
  }
  if (!strcmp (mode, "overflow")) {
    return overflow (argc);
  }
  if (!strcmp (mode, "threadexit")) {
    pthread_create (&t, NULL, stays, NULL);
    pthread_create (&t, NULL, leaves, NULL);
    for (;;)
      pause ();
  }
  if (!strcmp (mode, "mainfirst")) {
    pthread_create (&t, NULL, leaves, NULL);
    pthread_exit (NULL);
  }
  if (!strcmp (mode, "fork") || !strcmp (mode, "forkkilled")) {
    pid = fork ();
    if (pid == 0) {
      childs ();
      printf ("child\n");
      fflush (stdout);
      if (!strcmp (mode, "forkkilled"))
        kill (getpid (), SIGKILL);
      _exit (5);
    }
    parents ();
    return child_status (pid);
  }
  if (!strcmp (mode, "forkbusy")) {
    /* Both run at once; the child forks too; threads are there.  */
    pthread_create (&t, NULL, stays, NULL);
    pid = fork ();
    if (pid == 0) {
      childs ();
      pid_t grandchild = fork ();
      childs ();
      if (grandchild == 0)
        _exit (1);
      _exit (2 + child_status (grandchild));
    }
    for (int i = 0; i < 20; i++)
      parents ();
    return child_status (pid);
  }
  if (!strcmp (mode, "vfork")) {
    pid = vfork ();
    if (pid == 0) {
      execl ("/bin/sh", "sh", "-c", "exit 6", (char *) NULL);
      _exit (99);
    }
    parents ();
    return child_status (pid);
  }
  if (!strcmp (mode, "spawn")) {
    char *const args[] = {"sh", "-c", "exit 7", NULL};
    if (posix_spawn (&pid, "/bin/sh", NULL, NULL, args, environ) != 0)
      return 99;
    parents ();
    return child_status (pid);
  }
  if (!strcmp (mode, "system")) {
    int status = system ("exit 8");
    parents ();
    return WEXITSTATUS (status);
  }
  if (!strcmp (mode, "exec")) {
    execl ("/bin/sh", "sh", "-c", "echo other; exit 11", (char *) NULL);
    return 99;
  }
  if (!strcmp (mode, "execself")) {
    execl (argv[0], argv[0], "return", (char *) NULL);
    return 99;
  }
  if (!strcmp (mode, "execfail")) {
    execl ("/nonexistent/program", "program", (char *) NULL);
    parents ();
    execl ("/etc/passwd", "passwd", (char *) NULL);
    parents ();
    return 12;
  }
  if (!strcmp (mode, "execfailkilled")) {
    execl ("/nonexistent/program", "program", (char *) NULL);
    parents ();
    raise (SIGTERM);
  }
  if (!strcmp (mode, "forkexec")) {
    pid = fork ();
    if (pid == 0) {
      childs ();
      execl (argv[0], argv[0], "return", (char *) NULL);
      _exit (99);
    }
    return 10 + child_status (pid);
  }
  if (!strcmp (mode, "handled")) {
    signal (SIGUSR1, handler);
    for (int i = 0; i < 10; i++)
      raise (SIGUSR1);
    return 13;
  }
  return 98;
}
