/* import_lackey.c: a log from the trace that Valgrind's lackey writes with
   --trace-mem=yes.

     I  04016b80,3         an instruction: its address and bytes
      L 1ffefffe58,8       it reads; S: it writes; M: it reads, then writes
     ==1234== ...          Valgrind's own

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress.h"
#include "import.h"
#include "base/replace.h"

#define BUFFER_BYTES ((size_t) 1 << 20)

struct trace {
  int fd;
  uint64_t size, done;     /* bytes; size 0: unknown */
  uint64_t line;           /* number of the latest */
  char *buffer;
  size_t n;                /* bytes in it */
  bool is_skipping;        /* the rest of a long line of Valgrind's */
  struct dg_import import;
  bool is_begun;           /* the PROCESS record was written */
  /* What Valgrind told.  */
  uint64_t pid;
  unsigned exit_code;
  char *version, *command;
};

/* ---- Valgrind's own lines ---- */

/* "==1234== Command: ./prog" and so on, of which those before the first
   instruction tell about the program, and one behind the last how it
   ended.  */
static void
look_at_message (struct trace *trace, const char *line, size_t n)
{
  static const char version[] = "Using Valgrind-", command[] = "Command: ",
                    exit_code[] = "Exit code: ";
  char *text = g_strndup (line + 2, n - 2), *at;
  uint64_t pid = g_ascii_strtoull (text, &at, 10);

  if (pid > 0 && g_str_has_prefix (at, "== ")) {
    at += 3;
    trace->pid = pid;
    if (g_str_has_prefix (at, version) && !trace->version)
      trace->version = g_strndup (at + sizeof version - 1,
                                  strcspn (at + sizeof version - 1, " "));
    else if (g_str_has_prefix (at, command) && !trace->command)
      trace->command = g_strdup (at + sizeof command - 1);
    else if (g_str_has_prefix (at, exit_code))
      trace->exit_code = g_ascii_strtoull (at + sizeof exit_code - 1, NULL,
                                           10) & 255;
  }
  g_free (text);
}

/* Before the first instruction.  */
static int
begin (struct trace *trace, struct dg_error *err)
{
  const char *command = trace->command ? trace->command : "";
  struct dg_import_process process = {
    .tool_version = "(import from lackey)",
    .valgrind_version = trace->version ? trace->version : "unknown",
    .pid = trace->pid
  };
  char **argv = NULL;
  int argc = 0, code;

  trace->is_begun = true;
  if (!g_shell_parse_argv (command, &argc, &argv, NULL)) {
    argv = g_new0 (char *, 2);
    argv[0] = g_strdup (command);
    argc = 1;
  }
  process.argc = argc;
  process.argv = (const char *const *) argv;
  code = dg_import_process (&trace->import, &process, err);
  g_strfreev (argv);
  return code;
}

/* ---- Lines of the trace ---- */

static inline int
hex_value (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "ADDRESS,SIZE" up to `end`.  */
static inline bool
parse_place (const char *at, const char *end, uint64_t *address,
             unsigned *size)
{
  const char *digits = at;
  uint64_t number = 0;
  unsigned n = 0;
  int value;

  for (; at < end && (value = hex_value (*at)) >= 0; at++)
    number = number << 4 | (unsigned) value;
  if (at == digits || at - digits > 16 || at == end || *at++ != ',')
    return false;
  *address = number;
  for (digits = at; at < end && *at >= '0' && *at <= '9'; at++)
    n = n * 10 + (unsigned) (*at - '0');
  *size = n;
  return at == end && at > digits && at - digits <= 5 && n > 0;
}

static int
fail (const struct trace *trace, struct dg_error *err, const char *what)
{
  return dg_error_set (err, DG_ERR_INVALID, "line %" PRIu64 ": %s",
                       trace->line, what);
}

static int
fail_line (const struct trace *trace, const char *line, size_t n,
           struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_INVALID,
                       "line %" PRIu64 ": expected 'I  ADDRESS,SIZE', or L, S "
                       "or M after a blank, not '%.*s%s'",
                       trace->line, (int) MIN (n, 40), line,
                       n > 40 ? "..." : "");
}

static int
take_instruction (struct trace *trace, const char *line, size_t n,
                  struct dg_error *err)
{
  uint64_t address;
  unsigned size;
  int code = 0;

  if (!parse_place (line + 3, line + n, &address, &size))
    return fail_line (trace, line, n, err);
  if (size > DG_IMPORT_INSTR_BYTES)
    return fail (trace, err, "an instruction has more than 255 bytes");
  if (!trace->is_begun)
    code = begin (trace, err);
  return code < 0 ? code
                  : dg_import_instruction (&trace->import, address, size, err);
}

static int
take_access (struct trace *trace, const char *line, size_t n,
             struct dg_error *err)
{
  struct dg_error error;
  uint64_t address;
  unsigned size;
  int code = 0;

  if (!parse_place (line + 3, line + n, &address, &size))
    return fail_line (trace, line, n, err);
  if (!trace->is_begun)
    return fail (trace, err, "an access comes before the first instruction");
  if (size > DG_IMPORT_ACCESS_BYTES)
    return fail (trace, err, "an access has more than 4096 bytes");
  if (address == 0 || address > UINT64_MAX - size)
    return fail (trace, err, "an access is at address 0 or beyond the end of "
                             "memory");
  if (line[1] != 'S')
    code = dg_import_access (&trace->import, DG_ACC_READ, address, size,
                             &error);
  if (code == 0 && line[1] != 'L')
    code = dg_import_access (&trace->import, DG_ACC_WRITE, address, size,
                             &error);
  return code < 0 ? fail (trace, err, error.message) : 0;
}

static bool
is_message (const char *line, size_t n)
{
  return n >= 2 && ((line[0] == '=' && line[1] == '=')
                    || (line[0] == '-' && line[1] == '-')
                    || (line[0] == '*' && line[1] == '*'));
}

/* A line without its newline.  */
static inline int
take_line (struct trace *trace, const char *line, size_t n,
           struct dg_error *err)
{
  trace->line++;
  if (n > 3 && line[2] == ' ') {
    if (line[0] == ' '
        && (line[1] == 'L' || line[1] == 'S' || line[1] == 'M'))
      return take_access (trace, line, n, err);
    if (line[0] == 'I' && line[1] == ' ')
      return take_instruction (trace, line, n, err);
  }
  if (is_message (line, n))
    look_at_message (trace, line, n);
  else if (n > 0 && !(n > 3 && memcmp (line, "SB ", 3) == 0))
    /* With --trace-superblocks=yes, lackey tells these, too.  */
    return fail_line (trace, line, n, err);
  return 0;
}

/* ---- Reading ---- */

/* More of the file: the number of bytes, 0 at the end.  */
static ptrdiff_t
fill (struct trace *trace, struct dg_error *err)
{
  ssize_t got;

  do
    got = read (trace->fd, trace->buffer + trace->n,
                BUFFER_BYTES - trace->n);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return dg_error_set (err, DG_ERR_IO,
                         "line %" PRIu64 ": cannot be read: %s",
                         trace->line + 1, g_strerror (errno));
  trace->n += (size_t) got;
  trace->done += (uint64_t) got;
  return got;
}

/* Takes all lines that are whole, and the last one at the end.  */
static int
take_lines (struct trace *trace, bool is_end, struct dg_error *err)
{
  const char *at = trace->buffer, *end = at + trace->n, *newline;
  int code = 0;

  while (code == 0 && at < end) {
    newline = memchr (at, '\n', (size_t) (end - at));
    if (!newline && !is_end)
      break;
    if (!newline)
      newline = end;
    if (!trace->is_skipping)
      code = take_line (trace, at, (size_t) (newline - at), err);
    trace->is_skipping = false;
    at = newline < end ? newline + 1 : end;
  }
  if (code < 0)
    return code;
  trace->n = (size_t) (end - at);
  memmove (trace->buffer, at, trace->n);
  return 0;
}

/* The buffer is full of a line that has no end: the arguments of a program
   may be that long.  */
static int
skip_line (struct trace *trace, struct dg_error *err)
{
  if (!trace->is_skipping) {
    trace->line++;
    if (!is_message (trace->buffer, trace->n))
      return fail_line (trace, trace->buffer, trace->n, err);
  }
  trace->is_skipping = true;
  trace->n = 0;
  return 0;
}

static int
copy (struct trace *trace, const struct dg_progress *progress,
      struct dg_error *err)
{
  ptrdiff_t got;
  int code;

  while ((got = fill (trace, err)) > 0) {
    code = take_lines (trace, false, err);
    if (code == 0 && trace->n == BUFFER_BYTES)
      code = skip_line (trace, err);
    if (code < 0)
      return code;
    code = dg_progress_tell (progress, trace->done, trace->size, err);
    if (code < 0)
      return code;
  }
  code = got < 0 ? (int) got : take_lines (trace, true, err);
  if (code == 0 && !trace->is_begun)
    code = begin (trace, err);
  return code < 0 ? code
                  : dg_import_end (&trace->import, trace->exit_code, err);
}

/* ---- The whole ---- */

static int
write_to (struct trace *trace, int fd, const struct dg_progress *progress,
          struct dg_error *err)
{
  int code = dg_import_init (&trace->import, fd, err);
  if (code == 0)
    code = copy (trace, progress, err);
  dg_import_fini (&trace->import);
  return code;
}

/* Parts of the work, if the result is packed.  */
#define COPIED 0.6
#define LOADED 0.65

/* Packs the raw log at `from`.  */
static int
pack (const char *from, const char *to, const struct dg_pack_options *options,
      const struct dg_progress *whole, struct dg_error *err)
{
  struct dg_progress_part loading = {*whole, COPIED, LOADED};
  struct dg_progress_part packing = {*whole, LOADED, 1};
  struct dg_log *log;
  int code = dg_log_open (from, &log, err);

  if (code < 0)
    return code;
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  code = dg_log_load (log, options->workers, dg_progress_part_fn, &loading,
                      err);
  if (code == 0)
    code = dg_log_pack (log, to, options, dg_progress_part_fn, &packing, err);
  dg_log_close (log);
  return code;
}

static int
open_trace (struct trace *trace, const char *path, struct dg_error *err)
{
  struct stat status;

  trace->fd = strcmp (path, "-") == 0 ? STDIN_FILENO
                                      : open (path, O_RDONLY | O_CLOEXEC);
  if (trace->fd < 0 || fstat (trace->fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (S_ISREG (status.st_mode))
    trace->size = (uint64_t) status.st_size;
  trace->buffer = g_try_malloc (BUFFER_BYTES);
  return trace->buffer ? 0 : dg_error_nomem (err);
}

int
dg_import_lackey (const char *trace_path, const char *path,
                  const struct dg_pack_options *options,
                  dg_progress_fn progress, void *user, struct dg_error *err)
{
  const struct dg_progress whole = {progress, user, 0};
  struct dg_progress_part copying = {whole, 0, options != NULL ? COPIED : 1};
  const struct dg_progress telling = {dg_progress_part_fn, &copying, 0};
  struct trace trace = { .fd = -1 };
  struct dg_replace replace = { NULL };
  int code = open_trace (&trace, trace_path, err);

  if (code == 0) {
    const struct dg_source source = { .fd = trace.fd };

    code = dg_replace_begin (&replace, path, options != NULL, &source, err);
  }
  if (code == 0)
    code = write_to (&trace, replace.fd, &telling, err);
  if (code == 0)
    code = options ? pack (replace.temporary, path, options, &whole, err)
                   : dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  if (trace.fd > STDIN_FILENO)
    close (trace.fd);
  g_free (trace.buffer);
  g_free (trace.version);
  g_free (trace.command);
  return code;
}
