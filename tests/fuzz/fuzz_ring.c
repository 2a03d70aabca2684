/* fuzz_ring.c: any bytes as what a program writes into the ring that it shares
   with its packer; also while the packer reads it.

   The watcher and a worker are run one after the other in this thread, so that
   the same bytes always do the same.  Between the two, and between steps of
   the watcher, the ring is changed as the input says.  Where loads are told of
   (fuzz.mk), it is changed before single loads, too: what is read twice is
   then not the same the second time.

     byte 0    1: changes happen; 2: a program of 32 bits; 4: in two steps
     1         of how many loads one is changed
     2, 3      counter at which the ring begins, in units before its end
     4 to 7    seed of the changes
     8 to      the data of the ring

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET ring

#include <glib/gstdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "capture/capture_worker.h"
#include "capture/recording_read.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"
#include "unit/capture/fake_ring.h"

#define CONTROL 8
#define DATA_BYTES (1u << 16)
#define UNITS (DATA_BYTES / DG_RING_UNIT)

static union {
  struct dg_ring_header header;
  uint8_t bytes[DG_RING_HEADER + DATA_BYTES];
} memory __attribute__ ((aligned (4096)));

static struct dg_fuzz_random changes;
static unsigned change_each;   /* 0: nothing changes */

/* ---- Changes ----------------------------------------------------------- */

static void
change_at (size_t at)
{
  uint8_t *byte = memory.bytes + DG_RING_HEADER + at % DATA_BYTES;

  if (dg_fuzz_chance (&changes, 2))
    *byte ^= (uint8_t) (1u << dg_fuzz_below (&changes, 8));
  else
    *byte = (uint8_t) dg_fuzz_number (&changes, *byte);
}

static void
change_somewhere (size_t n)
{
  if (change_each > 0)
    for (size_t times = dg_fuzz_below (&changes, 4); times > 0; times--)
      change_at (dg_fuzz_below (&changes, MAX (n, 1)));
}

/* Before a load of n bytes.  */
void dg_fuzz_load (const void *address, size_t n);
void
dg_fuzz_load (const void *address, size_t n)
{
  size_t at = (size_t) ((const uint8_t *) address
                        - (memory.bytes + DG_RING_HEADER));

  if (change_each > 0 && at < DATA_BYTES
      && dg_fuzz_chance (&changes, change_each))
    change_at (at + dg_fuzz_below (&changes, n));
}

#ifdef DG_FUZZ_LOADS
/* The sanitizer's own, as calls; linked with --wrap.  */
#define LOAD(n)                                 \
  void __real___asan_load##n (const void *at);  \
  void __wrap___asan_load##n (const void *at);  \
  void                                          \
  __wrap___asan_load##n (const void *at)        \
  {                                             \
    dg_fuzz_load (at, n);                       \
    __real___asan_load##n (at);                 \
  }
LOAD (1)
LOAD (2)
LOAD (4)
LOAD (8)
LOAD (16)

void __real___asan_loadN (const void *at, size_t n);
void __wrap___asan_loadN (const void *at, size_t n);
void
__wrap___asan_loadN (const void *at, size_t n)
{
  dg_fuzz_load (at, n);
  __real___asan_loadN (at, n);
}

void *__real___asan_memcpy (void *to, const void *from, size_t n);
void *__wrap___asan_memcpy (void *to, const void *from, size_t n);
void *
__wrap___asan_memcpy (void *to, const void *from, size_t n)
{
  if (n > 0)
    dg_fuzz_load (from, n);
  return __real___asan_memcpy (to, from, n);
}
#endif

/* ---- The target -------------------------------------------------------- */

/* As recording.c makes one, but for the file of the ring.  */
static struct dg_recording *
make_recording (struct dg_recordings *all, const char *path)
{
  struct dg_recording *recording = g_new0 (struct dg_recording, 1);

  recording->all = all;
  recording->pid = (uint64_t) getpid ();
  recording->pidfd = -1;
  recording->path = g_strdup (path);
  recording->file = g_strdup (path);
  recording->packed = g_hash_table_new (NULL, NULL);
  g_mutex_init (&recording->order_lock);
  MUST (dg_program_init (&recording->program, NULL) == 0);
  recording->written = dg_program_counts (&recording->program);
  recording->ring.header = &memory.header;
  recording->ring.data = memory.bytes + DG_RING_HEADER;
  recording->ring.bytes = DATA_BYTES;
  return recording;
}

/* Up to the counter, and then its end.  */
static void
run_watcher (struct dg_recording *recording, const uint8_t *control,
             uint32_t head, size_t n)
{
  if (control[0] & 4) {
    memory.header.head =
      recording->read
      + (uint32_t) dg_fuzz_below (&changes, head - recording->read + 1);
    dg_recording_read (recording);
    change_somewhere (n);
  }
  memory.header.head = head;
  while (!g_atomic_int_get (&recording->is_cut)
         && dg_recording_read (recording))
    ;
  change_somewhere (n);
  dg_recording_end (recording, DG_RECORDING_CLOSED);
}

static void
record (struct dg_recordings *all, const char *path, const uint8_t *control,
        const uint8_t *data, size_t n)
{
  static struct dg_capture_worker *worker;
  struct dg_recording *recording = make_recording (all, path);
  uint32_t start, units = (uint32_t) (n / DG_RING_UNIT);

  /* Used again, as it is for all chunks of a capture.  */
  if (worker == NULL)
    worker = dg_capture_worker_new (all, NULL);
  MUST (worker != NULL);
  start = 0u - (uint32_t) (control[2] | control[3] << 8) % (UNITS + 1);
  memset (&memory, 0, sizeof memory);
  memory.header.word_size = control[0] & 2 ? 4 : 8;
  memory.header.data_size = DATA_BYTES;
  memory.header.start_ticks = 0;
  memory.header.tail = start;
  for (size_t i = 0; i < units * (size_t) DG_RING_UNIT; i++)
    memory.bytes[DG_RING_HEADER
                 + (start * (size_t) DG_RING_UNIT + i) % DATA_BYTES] = data[i];
  recording->read = recording->chunk_begin = start;
  run_watcher (recording, control, start + units, n);
  dg_chunk_queue_close (&all->queue);
  dg_capture_worker_run (worker);
  MUST (g_atomic_int_get (&recording->is_done));
  change_each = 0;
  recording->ring.header = NULL;
  dg_recording_free (recording);
}

/* Whatever was in the ring, what was made of it is an archive that can be
   read, up to a record that contradicts those before.  */
static void
check_archive (const char *path)
{
  struct dg_error err = { 0 };
  char *bytes;
  gsize n;

  if (!g_file_get_contents (path, &bytes, &n, NULL))
    return;
  if (n > 0) {
    struct dg_log *log;

    MUST (dg_log_open_memory ("ring", bytes, n, &log, &err) == 0);
    if (dg_log_load (log, 1, NULL, NULL, &err) == 0)
      MUST (dg_log_verify (log, 1, NULL, NULL, &err) == 0);
    dg_log_close (log);
    dg_fuzz_light ((uint8_t *) bytes, n);
  }
  g_free (bytes);
  g_unlink (path);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  static struct dg_recordings all;
  static char path[64];
  const struct dg_capture_options options = {
    .size = sizeof options, .output = "-", .level = 1
  };
  uint32_t seed;

  if (n < CONTROL || n - CONTROL > DATA_BYTES)
    return 0;
  if (path[0] == '\0')
    g_snprintf (path, sizeof path, "%s/dg-fuzz-ring-%d",
                g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                  ? "/dev/shm" : g_get_tmp_dir (), (int) getpid ());
  memcpy (&seed, bytes + 4, 4);
  changes.state = seed;
  change_each = bytes[0] & 1 ? bytes[1] + 1u : 0;
  memset (&all, 0, sizeof all);
  dg_recordings_init (&all, &options, 1);
  all.wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  record (&all, path, bytes, bytes + CONTROL, n - CONTROL);
  dg_recordings_fini (&all);
  check_archive (path);
  return 0;
}

/* ---- Mutations ---------------------------------------------------------- */

#define MESSAGES_MAX 1000

static size_t
find_messages (const uint8_t *bytes, size_t n, size_t *starts)
{
  size_t at = CONTROL, n_messages = 0;

  while (n - at >= sizeof (struct dg_ring_message)
         && n_messages < MESSAGES_MAX) {
    struct dg_ring_message head;
    size_t size;

    memcpy (&head, bytes + at, sizeof head);
    size = sizeof head + (((size_t) head.size + 7) & ~(size_t) 7);
    if (head.size > DG_RING_MESSAGE_MAX || size > n - at)
      break;
    starts[n_messages++] = at;
    at += size;
  }
  starts[n_messages] = at;
  return n_messages;
}

/* Numbers of 32 and 64 bits in place; the size stays.  */
static void
change_payload (uint8_t *payload, size_t n, uint32_t kind,
                struct dg_fuzz_random *random)
{
  unsigned width = kind == DG_RING_RUNS || kind == DG_RING_SKIP ? 8 : 4;
  size_t at;

  if (kind == DG_RING_RECORD || dg_fuzz_chance (random, 4))
    width = 1u << dg_fuzz_below (random, 4);
  if (n < width)
    return;
  at = dg_fuzz_below (random, n - width + 1);
  if (kind != DG_RING_RECORD)
    at -= at % width;
  dg_mutate_number_at (payload + at, width, random);
}

static size_t
change_message (uint8_t *bytes, size_t n, size_t max, const size_t *starts,
                size_t n_messages, struct dg_fuzz_random *random)
{
  size_t i = dg_fuzz_below (random, n_messages);
  size_t start = starts[i], size = starts[i + 1] - start;
  size_t to = starts[dg_fuzz_below (random, n_messages + 1)];
  uint8_t *copy;

  switch (dg_fuzz_below (random, 10)) {
  case 0:
    dg_mutate_number_at (bytes + start + 4 * dg_fuzz_below (random, 2), 4,
                         random);
    return n;
  case 1:
    memmove (bytes + start, bytes + start + size, n - start - size);
    return n - size;
  case 2:
    if (n + size > max)
      return n;
    copy = g_memdup2 (bytes + start, size);
    memmove (bytes + to + size, bytes + to, n - to);
    memcpy (bytes + to, copy, size);
    g_free (copy);
    return n + size;
  default:
    change_payload (bytes + start + 8, size - 8,
                    bytes[start], random);
    return n;
  }
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};
  size_t starts[MESSAGES_MAX + 1], n_messages;

  if (n < CONTROL || dg_fuzz_chance (&random, 100))
    return dg_mutate_bytes (bytes, n, max, &random);
  if (dg_fuzz_chance (&random, 3)) {
    bytes[0] = (uint8_t) ((bytes[0] & 2) | dg_fuzz_below (&random, 4) * 4
                          | dg_fuzz_below (&random, 2));
    for (unsigned i = 1; i < CONTROL; i++)
      bytes[i] = (uint8_t) dg_fuzz_bits (&random);
    bytes[1] >>= dg_fuzz_below (&random, 8);
    if (dg_fuzz_chance (&random, 2))
      bytes[2] = bytes[3] = 0;
  }
  for (size_t times = dg_fuzz_below (&random, 4); times > 0; times--) {
    n_messages = find_messages (bytes, n, starts);
    if (n_messages > 0)
      n = change_message (bytes, n, max, starts, n_messages, &random);
  }
  return n;
}

/* ---- Seeds -------------------------------------------------------------- */

/* As the recorder would send the log; what it never would is left as bytes of
   the ring.  */
void
dg_fuzz_seed (GByteArray *bytes)
{
  struct dg_ring_header header = { .data_size = 1u << 20 };
  uint8_t control[CONTROL] = { 0 };
  struct fake_ring ring = { .header = &header };
  struct dg_error err;
  struct dg_log *log;

  ring.data = g_malloc0 (header.data_size);
  if (dg_log_open_memory ("seed", bytes->data, bytes->len, &log, &err) == 0) {
    if (!log->format.swap && bytes->len < 20000
        && dg_log_load (log, 1, NULL, NULL, &err) == 0)
      fake_ring_put_log (&ring, bytes);
    if (ring.word_size == 4)
      control[0] |= 2;
    dg_log_close (log);
  }
  if (ring.head > 0) {
    g_byte_array_set_size (bytes, 0);
    g_byte_array_append (bytes, ring.data, ring.head * DG_RING_UNIT);
  }
  g_byte_array_prepend (bytes, control, sizeof control);
  g_free (ring.data);
}
