/* faults.h: a call that fails, chosen by its kind and number.

   faults_calls.c has the program's calls, and asks here whether one of them
   fails.  faults_run.c runs the program again and again in place of main, each
   time with another call that fails, and faults_judge.c says what came of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum faults_kind {
  FAULTS_NONE,
  FAULTS_ALLOC,
  FAULTS_WRITE,
  FAULTS_READ,
  FAULTS_OPEN,
  FAULTS_MMAP,
  FAULTS_TRUNCATE,
  FAULTS_SYNC,
  FAULTS_CLOSE,
  FAULTS_RENAME,
  FAULTS_UNLINK,
  FAULTS_STAT,
  FAULTS_DUP,
  FAULTS_LOCK,
  FAULTS_PIPE,
  FAULTS_FORK,
  FAULTS_THREAD,
  /* Nothing fails: less is read or written than was asked for, or a signal
     came in between.  */
  FAULTS_SHORT_READ,
  FAULTS_SHORT_WRITE,
  FAULTS_EINTR,
  /* The process is killed instead of a write, or in the middle of it.  */
  FAULTS_KILL,
  FAULTS_TEAR,
  FAULTS_KINDS
};
extern const char *const faults_names[FAULTS_KINDS];

/* Shared by all processes of a run.  */
struct faults_state {
  bool is_armed;
  enum faults_kind kind;
  long n;                  /* this call fails, from 1; 0: none does */
  bool is_lasting;         /* and all behind it */
  long calls, failed;      /* atomic */
  long all[FAULTS_KINDS];  /* calls of each kind; atomic */
  int n_callers;           /* of the first that failed */
  void *callers[24];
};
extern struct faults_state *faults_state;

/* Whether this call fails; then errno is set.  caller: where it returns to;
   NULL: ours.  */
bool faults_hit (enum faults_kind kind, const void *caller);
bool faults_may_fail (enum faults_kind kind, const void *caller);
/* Finds the objects whose calls fail.  */
void faults_find_callers (void);

/* Kinds of outcomes.  */
enum faults_outcome {
  FAULTS_SAME,             /* as without a fault */
  FAULTS_FAILED,           /* it said so, and left nothing behind */
  FAULTS_TOLD,             /* exit status 0, but a message */
  FAULTS_KILLED,           /* as was wanted */
  /* Defects.  */
  FAULTS_CRASHED,
  FAULTS_HUNG,
  FAULTS_SILENT,           /* exit status 0, another result, no message */
  FAULTS_MUTE,             /* it failed without a message */
  FAULTS_CHANGED,          /* nothing failed, but the result is another one */
  FAULTS_PARTIAL,          /* a file under its final name is not whole */
  FAULTS_LOST,             /* what was there before has changed */
  FAULTS_LEFT,             /* files that nobody asked for */
  FAULTS_LEAKED,           /* memory, as the leak sanitizer says */
  FAULTS_OUTCOMES
};
extern const char *const faults_outcomes[FAULTS_OUTCOMES];

/* One run in a folder of its own.  */
struct faults_result {
  int status;              /* as of waitpid */
  bool is_hung;
};

struct faults_set {
  const char *folder;      /* has `before`, what each run finds */
  const char *grows;       /* a file that is named before it is whole */
  bool is_varying;         /* what it prints */
  char why[512];           /* of the last judgement */
};
/* Compares FOLDER/run, out, err with FOLDER/good, good.out, good.err.  */
enum faults_outcome faults_judge (struct faults_set *set,
                                  const struct faults_result *result);

/* Folders of files.  */
void faults_remove (const char *folder);
void faults_copy (const char *from, const char *to);
bool faults_same_file (const char *one, const char *other);
/* Where the folder has one whose name is wanted: its path, in to.  */
bool faults_find (const char *folder, bool (*is_wanted) (const char *name),
                  char *to, size_t room);
bool faults_same_tree (const char *one, const char *other, bool may_have_more,
                       char *why, size_t room);

/* In place of main.  */
typedef int faults_main_fn (int, char **, char **);
int faults_run (faults_main_fn *program, int argc, char **argv, char **envp);

/* What is written, for who puts files together as a power loss leaves them;
   FD's file, and so on.  */
void faults_trace_open (const char *path);
void faults_trace (char what, int fd, uint64_t at, const void *bytes,
                   size_t n);
void faults_trace_name (char what, int fd, const char *path);

#endif /* FAULTS_H */
