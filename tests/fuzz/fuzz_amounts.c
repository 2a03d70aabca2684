/* fuzz_amounts.c: any bytes as a log or an archive, given to a command of dg:
   the memory that it takes, and what it writes, are no more than so much, and
   so much for each byte of the log.

   Whose counts and lengths are wrong must not make a command ask for memory or
   write rows that the log has no bytes for.  The command runs as a process,
   whose peak memory the system tells; time is not measured.  The bytes decide
   which command it is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET amounts

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "archive/archive.h"
#include "asm.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"

/* What a command takes of the smallest log is 13 to 18 MB: the library, caches
   that are simulated, buffers of zstd.  */
#define MEMORY_BASE  ((uint64_t) 48 << 20)
#define MEMORY_SLACK (MEMORY_BASE - ((uint64_t) 18 << 20))
/* For each byte: a block of the heap with its owners takes 207 bytes of memory
   and, packed, one byte or two.  */
#define MEMORY_EACH 256
#define OUTPUT_BASE ((uint64_t) 1 << 20)
#define OUTPUT_EACH 256
/* Who asks for more does not get it, and says so, also if it would not have
   been used.  */
#define MEMORY_END  ((rlim_t) 1 << 30)
/* What is beyond this is not waited for.  */
#define OUTPUT_END  ((rlim_t) 256 << 20)
#define SECONDS_END 120

static const char *const commands[] = {
  "advise", "allocs history", "allocs leaks", "allocs stats", "branches",
  "cache", "cache --by=line", "cache --cores=4", "cache --interval=1000",
  "calls",
  "calls --edges --outliers", "check", "counts", "counts --by=function",
  "counts --by=variable", "heap -o out", "info", "invariants", "opcodes",
  "pages", "patterns", "reuse", "schedule", "sharing", "sharing --false",
  "time", "tlb", "whatif"
};

/* ---- A process ---------------------------------------------------------- */

static char folder[] = "/dev/shm/dg-fuzz-amounts-XXXXXX";

static void
remove_folder (void)
{
  static const char *const names[] = { "log", "out", "text", "err" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    char *path = g_build_filename (folder, names[i], NULL);

    unlink (path);
    g_free (path);
  }
  rmdir (folder);
}

static void
make_folder (void)
{
  static bool is_made;

  if (is_made)
    return;
  MUST (mkdtemp (folder) != NULL);
  atexit (remove_folder);
  is_made = true;
}

static void
redirect (const char *name, int to)
{
  int fd = open (name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  if (fd < 0 || dup2 (fd, to) < 0)
    _exit (99);
  close (fd);
}

/* In the child.  */
static void
become (char *const *words)
{
  const struct rlimit memory = { MEMORY_END, MEMORY_END };
  const struct rlimit output = { OUTPUT_END, OUTPUT_END };
  const struct rlimit time = { SECONDS_END, SECONDS_END };

  if (chdir (folder) < 0)
    _exit (99);
  redirect ("text", STDOUT_FILENO);
  redirect ("err", STDERR_FILENO);
  /* A sanitizer reserves more.  */
#if !defined __SANITIZE_ADDRESS__
  setrlimit (RLIMIT_AS, &memory);
#else
  (void) memory;
#endif
  setrlimit (RLIMIT_FSIZE, &output);
  setrlimit (RLIMIT_CPU, &time);
  execv (words[0], words);
  _exit (99);
}

/* "cache --by=line" with what all get; to be freed.  */
static char **
words_of (const char *command, const char *more)
{
  const char *dg = getenv ("DG");
  char *line = g_strdup_printf ("%s %s -j1%s log", dg != NULL ? dg : "dg",
                                command, more);
  char **words = g_strsplit (line, " ", -1);

  g_free (line);
  return words;
}

struct amounts {
  uint64_t memory, output;
  int status;
  bool is_short;           /* it had not enough memory */
};

static uint64_t
size_of (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  struct stat stat_of;
  uint64_t size = stat (path, &stat_of) == 0 ? (uint64_t) stat_of.st_size : 0;

  g_free (path);
  return size;
}

static bool
says (const char *name, const char *what)
{
  char *path = g_build_filename (folder, name, NULL), *text = NULL;
  bool does = g_file_get_contents (path, &text, NULL, NULL)
              && strstr (text, what) != NULL;

  g_free (path);
  g_free (text);
  return does;
}

static struct amounts
run (char **words)
{
  struct amounts amounts = { 0 };
  struct rusage usage;
  pid_t pid, ended;

  fflush (stdout);
  pid = fork ();
  MUST (pid >= 0);
  if (pid == 0)
    become (words);
  do
    ended = wait4 (pid, &amounts.status, 0, &usage);
  while (ended < 0 && errno == EINTR);
  MUST (ended == pid);
  amounts.memory = (uint64_t) usage.ru_maxrss << 10;
  amounts.is_short = says ("err", "not enough memory");
  amounts.output = size_of ("text") + size_of ("err") + size_of ("out");
  return amounts;
}

/* ---- The target --------------------------------------------------------- */

static void
write_log (const void *bytes, size_t n)
{
  char *path = g_build_filename (folder, "log", NULL);

  MUST (g_file_set_contents (path, bytes, (gssize) n, NULL));
  g_free (path);
}

/* What a command may take whatever the log is.  A sanitizer adds shadow,
   margins of blocks and blocks that were freed: how much depends on the
   command, so what it takes of a header and nothing else is measured, in the
   same build.  That log is in place of the one that was there.  */
static uint64_t
memory_base (size_t command, char **words)
{
#if defined __SANITIZE_ADDRESS__
  static uint64_t bases[G_N_ELEMENTS (commands)];
  struct amounts amounts;
  struct dg_asm as;
  char *message;

  if (bases[command] == 0) {
    dg_asm_init (&as);
    MUST (dg_asm_text (&as, "", &message));
    write_log (as.bytes->data, as.bytes->len);
    dg_asm_fini (&as);
    amounts = run (words);
    MUST (WIFEXITED (amounts.status) && WEXITSTATUS (amounts.status) < 2);
    bases[command] = amounts.memory + MEMORY_SLACK;
  }
  return bases[command];
#else
  (void) command;
  (void) words;
  return MEMORY_BASE;
#endif
}

/* 2 is the status of a wrong command, also of one that would have too many
   intervals, or which the page or line size of the log does not suit.  */
static bool
is_within (const struct amounts *amounts, uint64_t base, size_t n)
{
  return amounts->memory <= base + (uint64_t) MEMORY_EACH * n
         && amounts->output <= OUTPUT_BASE + (uint64_t) OUTPUT_EACH * n
         && !amounts->is_short && WIFEXITED (amounts->status)
         && (WEXITSTATUS (amounts->status) < 2
             || (WEXITSTATUS (amounts->status) == 2
                 && !says ("err", "nknown option")));
}

/* Shows what went beyond, and keeps the log in the current folder.  */
static void
complain (char **words, const struct amounts *amounts, const uint8_t *bytes,
          size_t n)
{
  char *line = g_strjoinv (" ", words);

  g_file_set_contents ("amounts.log", (const char *) bytes, (gssize) n, NULL);
  fprintf (stderr,
           "%s: %.1f MB of memory%s, %.1f MB of output, status %#x, for %zu "
           "bytes, which are in amounts.log\n",
           line, (double) amounts->memory / 1e6,
           amounts->is_short ? " and not enough" : "",
           (double) amounts->output / 1e6, (unsigned) amounts->status, n);
  g_free (line);
}

/* Names would come from files that the bytes name.  */
static bool
has_names (const uint8_t *bytes, size_t n)
{
  struct dg_error err;
  struct dg_log *log;
  bool has = false;

  if (dg_log_open_memory ("fuzz", bytes, n, &log, &err) < 0)
    return false;
  dg_log_load (log, 1, NULL, NULL, &err);
  has = dg_log_summary (log)->modules > 0;
  dg_log_close (log);
  return has;
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  uint64_t hash = XXH3_64bits (bytes, n);
  size_t number = hash % G_N_ELEMENTS (commands);
  const char *command = commands[number];
  uint8_t *log = g_memdup2 (bytes, n);
  struct amounts amounts;
  uint64_t base;
  char **words;

  if (dg_archive_is (log, n))
    dg_fuzz_seal (log, n);
  if (n == 0 || has_names (log, n)) {
    g_free (log);
    return 0;
  }
  make_folder ();
  words = words_of (command, strcmp (command, "check") == 0
                               || g_str_has_prefix (command, "heap")
                               || hash >> 63
                               ? "" : " --json");
  base = memory_base (number, words);
  write_log (log, n);
  amounts = run (words);
  if (!is_within (&amounts, base, n)) {
    complain (words, &amounts, log, n);
    MUST (is_within (&amounts, base, n));
  }
  if (getenv ("DG_FUZZ_SHOW") != NULL)
    fprintf (stderr, "%s: %zu bytes, %.1f MB, %" G_GUINT64_FORMAT
             " written, status %#x\n", command, n,
             (double) amounts.memory / 1e6, amounts.output,
             (unsigned) amounts.status);
  g_strfreev (words);
  g_free (log);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};

  return dg_archive_is (bytes, n) ? dg_mutate_archive (bytes, n, max, &random)
                               : dg_mutate_log (bytes, n, max, &random);
}

/* Half of them are archives.  */
void
dg_fuzz_seed (GByteArray *bytes)
{
  if (XXH3_64bits (bytes->data, bytes->len) & 1)
    dg_fuzz_seed_archive (bytes);
}
