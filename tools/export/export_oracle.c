/* export_oracle.c: libCacheSim's oracleGeneral: records of 24 bytes, little-
   endian and without padding: uint32_t seconds, uint64_t object, uint32_t
   bytes, int64_t number of the next request of the object, from 1, or -1.

   An object is a cache line.  The next requests are filled in at the end, from
   the last record to the first.  Memory: 32 to 64 bytes for each line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_simulators.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define RECORD 24
#define NEXT 16            /* its place in a record */
#define NEVER UINT64_MAX   /* -1 */
#define BLOCK 65536        /* records at a time */
/* How long the time of a clock is taken to be the same.  */
#define CLOCK_STEP 1000000
#define NS_PER_SECOND 1000000000

struct entry {
  uint64_t object;
  uint64_t next;           /* 0: a free place */
};

struct oracle {
  unsigned line_bits;
  uint64_t clock_until;    /* icount */
  uint32_t seconds;
  uint64_t n_records;
  int fd;                  /* of the records, to be read again; -1: none */
  int real_fd;             /* where they go at last; -1: they are there */
  struct entry *entries;
  uint64_t n_entries, mask;
  struct export_first first;
};

/* ---- Records ---------------------------------------------------------- */

static void
read_clock (const struct export *export, struct oracle *oracle,
            uint64_t icount)
{
  uint64_t ns = 0;
  size_t n;

  if (export->rate != 0) {
    oracle->seconds = (uint32_t) MIN (
      export_time (export, &oracle->first, icount, 1), UINT32_MAX);
    return;
  }
  oracle->clock_until = icount + CLOCK_STEP;
  dg_log_clock (export->log, &n);
  if (n == 0)
    ns = icount;
  else
    dg_log_ns (export->log, icount, &ns);
  /* Behind its last reading, the clock is not known.  */
  oracle->seconds = MAX (oracle->seconds, ns / NS_PER_SECOND);
}

void
export_oracle_put (struct export *export, const struct export_instr *instr)
{
  struct oracle *oracle = export->state;

  if (G_UNLIKELY (instr->icount >= oracle->clock_until))
    read_clock (export, oracle, instr->icount);
  for (size_t i = 0; i < instr->n; i++) {
    uint64_t object = instr->accesses[i].address >> oracle->line_bits;
    char *at;

    output_reserve (&export->out);
    at = export_put_32 (export->out.at, oracle->seconds);
    at = export_put_64 (at, object);
    at = export_put_32 (at, export->line);
    export->out.at = export_put_64 (at, NEVER);
  }
  oracle->n_records += instr->n;
}

/* ---- Next requests ---------------------------------------------------- */

static struct entry *
find_entry (const struct oracle *oracle, uint64_t object)
{
  uint64_t at = object * UINT64_C (0x9e3779b97f4a7c15) >> 20;

  for (;; at++) {
    struct entry *entry = &oracle->entries[at & oracle->mask];

    if (entry->next == 0 || entry->object == object)
      return entry;
  }
}

static void
grow (struct oracle *oracle)
{
  uint64_t n = oracle->entries != NULL ? oracle->mask + 1 : 0;
  struct entry *before = oracle->entries;

  oracle->mask = MAX (2 * n, BLOCK) - 1;
  oracle->entries = g_new0 (struct entry, oracle->mask + 1);
  for (uint64_t i = 0; i < n; i++)
    if (before[i].next != 0)
      *find_entry (oracle, before[i].object) = before[i];
  g_free (before);
}

static uint64_t
take_64 (const char *at)
{
  uint64_t number;

  memcpy (&number, at, sizeof number);
  return GUINT64_FROM_LE (number);
}

/* Fills in n records, the first of which is request number `first`.  */
static void
fill (struct oracle *oracle, char *records, size_t n, uint64_t first)
{
  while (n-- > 0) {
    char *record = records + n * RECORD;
    uint64_t object = take_64 (record + 4);
    struct entry *entry;

    if (2 * oracle->n_entries >= oracle->mask)
      grow (oracle);
    entry = find_entry (oracle, object);
    if (entry->next == 0) {
      entry->object = object;
      oracle->n_entries++;
    } else {
      export_put_64 (record + NEXT, entry->next);
    }
    entry->next = first + n;
  }
}

/* All of a block, at its place.  */
static bool
transfer (int fd, char *bytes, size_t n, uint64_t offset, bool is_write)
{
  while (n > 0) {
    ssize_t done = is_write ? pwrite (fd, bytes, n, (off_t) offset)
                            : pread (fd, bytes, n, (off_t) offset);

    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return false;
    bytes += done;
    n -= (size_t) done;
    offset += (uint64_t) done;
  }
  return true;
}

static bool
fill_all (struct oracle *oracle, char *block)
{
  uint64_t end = oracle->n_records;

  while (end > 0) {
    uint64_t first = (end - 1) / BLOCK * BLOCK;
    size_t n = (size_t) (end - first);

    if (!transfer (oracle->fd, block, n * RECORD, first * RECORD, false))
      return false;
    fill (oracle, block, n, first + 1);
    if (!transfer (oracle->fd, block, n * RECORD, first * RECORD, true))
      return false;
    end = first;
  }
  return true;
}

static bool
copy (struct export *export, const struct oracle *oracle, char *block)
{
  for (uint64_t i = 0; i < oracle->n_records; i += BLOCK) {
    size_t n = (size_t) MIN (oracle->n_records - i, BLOCK);

    if (!transfer (oracle->fd, block, n * RECORD, i * RECORD, false))
      return false;
    export_bytes (export, block, n * RECORD);
  }
  return true;
}

int
export_oracle_end (struct export *export)
{
  struct oracle *oracle = export->state;
  char *block = g_malloc (BLOCK * RECORD);
  int status = CLI_OK;

  output_flush (&export->out);
  errno = 0;
  if (!output_failed (&export->out)
      && !fill_all (oracle, block))
    status = cli_fail ("temporary file: %s", g_strerror (errno));
  if (oracle->real_fd >= 0) {
    export->out.fd = oracle->real_fd;
    oracle->real_fd = -1;
    if (status == CLI_OK && !output_failed (&export->out)
        && !copy (export, oracle, block))
      status = cli_fail ("temporary file: %s", g_strerror (errno));
  }
  g_free (block);
  return status;
}

/* ---- Making ----------------------------------------------------------- */

/* A file without a name, if the output cannot be read again.  */
static int
open_temporary (void)
{
  char *name = NULL;
  int fd = g_file_open_tmp ("dg-XXXXXX", &name, NULL);

  if (fd >= 0)
    unlink (name);
  g_free (name);
  return fd;
}

int
export_oracle_begin (struct export *export, struct dg_error *err)
{
  struct oracle *oracle = export->state = g_new0 (struct oracle, 1);

  oracle->line_bits = g_bit_nth_msf (export->line, -1);
  oracle->real_fd = -1;
  if (export->is_seekable) {
    oracle->fd = open (dg_output_name (export->out.file), O_RDWR | O_CLOEXEC);
  } else {
    oracle->fd = open_temporary ();
    if (oracle->fd >= 0) {
      oracle->real_fd = export->out.fd;
      export->out.fd = oracle->fd;
    }
  }
  if (oracle->fd >= 0)
    return 0;
  *err = (struct dg_error) {.code = DG_ERR_IO};
  g_snprintf (err->message, sizeof err->message, "temporary file: %s",
              g_strerror (errno));
  return DG_ERR_IO;
}

void
export_oracle_fini (struct export *export)
{
  struct oracle *oracle = export->state;

  if (oracle->real_fd >= 0)
    export->out.fd = oracle->real_fd;
  if (oracle->fd >= 0)
    close (oracle->fd);
  g_free (oracle->entries);
}
