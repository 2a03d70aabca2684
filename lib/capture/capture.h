/* capture.h: what the files of the capture share.

   Threads: one *watcher* answers requests for rings, reads their messages,
   applies definitions, and cuts what it reads into chunks; *workers* pack
   chunks, straight from the ring; whichever worker has packed the next chunk
   of a recording adds it to the archive.

   A chunk is a stretch of the ring, and its place is given back to the
   program as it is packed, in the order of the ring.

   Files: capture.c the public functions; capture_place.c the private folder;
   capture_ring.c one ring; capture_name.c names of archives; capture_read.c
   the watcher's side of a recording; capture_pack.c the workers' side;
   capture_watch.c the watcher.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_H
#define DG_CAPTURE_H

#include <glib.h>

#include "archive/builder.h"
#include "dg_ring.h"
#include "libdatagrind.h"
#include "archive/program.h"

/* A chunk is cut when it has so many bytes in the ring: about a million
   accesses, of which each takes a little more than a word.  Of small rings it
   is a quarter, so that the program and the workers have theirs, too.  */
#define DG_CAPTURE_CHUNK_BYTES ((uint32_t) 8 << 20)

/* ---- The private folder ---- */

struct dg_capture_place {
  char *path;              /* absolute */
  int watch;               /* of inotify */
};

/* Makes a folder in `directory` (NULL: where there is room for `bytes`) and
   removes those that dead captures have left there.  */
int dg_capture_place_init (struct dg_capture_place *place,
                           const char *directory, uint64_t bytes,
                           struct dg_error *err);
/* Removes it.  */
void dg_capture_place_fini (struct dg_capture_place *place);

/* Appends the processes that want a ring and were not told of (uint64_t).  */
void dg_capture_place_wants (const struct dg_capture_place *place,
                             GArray *pids);
/* "PLACE/PID.SUFFIX", to be freed.  */
char *dg_capture_place_file (const struct dg_capture_place *place,
                             uint64_t pid, const char *suffix);
/* It has its answer, or is gone.  */
void dg_capture_place_forget (const struct dg_capture_place *place,
                              uint64_t pid);
/* Answers that there is no ring.  An empty text says nothing to the user.  */
void dg_capture_place_refuse (const struct dg_capture_place *place,
                              uint64_t pid, const char *text);

/* When a process began, by its /proc/PID/stat; 0: it is not there.  */
uint64_t dg_capture_start_ticks (uint64_t pid);

/* ---- A ring ---- */

struct dg_capture_ring {
  struct dg_ring_header *header;   /* NULL: not mapped */
  const uint8_t *data;
  uint32_t bytes;          /* of the data */
};

/* All rings together have about this much memory: later ones are smaller.  */
#define DG_CAPTURE_RINGS_BYTES ((uint64_t) 256 << 20)

/* Makes the file, with all its memory, and gives it its name.  bytes 0: up to
   `wanted`, as large as there is memory for.  */
int dg_capture_ring_init (struct dg_capture_ring *ring,
                          const struct dg_capture_place *place, uint64_t pid,
                          uint32_t bytes, uint32_t wanted,
                          struct dg_error *err);
void dg_capture_ring_fini (struct dg_capture_ring *ring);

/* The message at a counter.  Its head was read once, its payload may change
   under our hands if the program is mad: copy before checking.  */
struct dg_capture_message {
  uint32_t kind, size;
  const uint8_t *payload;
  uint32_t next;           /* counter behind it */
};
/* `end`: counter up to which the ring is written.  DG_ERR_DAMAGED if there is
   no good message.  */
int dg_capture_ring_message (const struct dg_capture_ring *ring, uint32_t at,
                             uint32_t end, struct dg_capture_message *message,
                             struct dg_error *err);

static inline uint32_t
dg_capture_ring_head (const struct dg_capture_ring *ring)
{
  return __atomic_load_n (&ring->header->head, __ATOMIC_ACQUIRE);
}

/* ---- Names ---- */

/* The name of an archive, to be freed; NULL: the template is bad.  used: the
   names given so far, into which this one goes.  */
char *dg_capture_name (const char *template, uint64_t pid, GHashTable *used,
                       struct dg_error *err);

/* ---- A recording ---- */

/* How it came to its end.  */
enum dg_capture_end {
  DG_CAPTURE_CLOSED,       /* the program says so */
  DG_CAPTURE_LEFT,         /* it is another program now */
  DG_CAPTURE_DIED,
  DG_CAPTURE_STOPPED,      /* we were asked to */
  DG_CAPTURE_BROKEN        /* a bad message, or no memory; `error` says it */
};

struct dg_capture_chunk {
  struct dg_recording *recording;
  uint64_t number;         /* in its recording */
  uint32_t begin, end;     /* counters of the ring */
  uint32_t at;             /* what is before was packed; under release_lock */
  bool is_last;
  bool is_packed;          /* `packed` is good */
  struct dg_program_view view;
  struct dg_packed_chunk packed;
  int code;                /* of packing */
  struct dg_error error;
};

struct dg_recording {
  struct dg_capture *capture;
  uint64_t pid;
  int pidfd;               /* < 0: there are none here */
  uint64_t start_ticks;
  uint64_t exe_device, exe_inode;  /* of the tool, as /proc/PID/exe says */
  struct dg_capture_ring ring;
  char *path;              /* as it was asked for */
  char *file;              /* where links lead from there */
  bool has_made_file;      /* it was not there before */

  /* The watcher's.  */
  bool is_dead;            /* the process is */
  gint64 made;             /* when; us */
  bool was_taken;          /* by the tool */
  bool is_late;            /* it was not, for too long */
  bool may_leave;          /* the last record was an END, by exec */
  uint64_t n_records;
  struct dg_format format;
  struct dg_program program;
  struct dg_program_counts written;
  uint32_t read;           /* counter behind the last message that was read */
  uint32_t chunk_begin;
  uint64_t n_chunks;
  gint64 chunk_since;      /* when its first message was read; us */
  struct dg_table scratch; /* a definition, copied */
  enum dg_capture_end end;
  struct dg_error error;   /* with BROKEN */

  /* Chunks whose place in the ring is not given back yet.  */
  GMutex release_lock;
  GQueue in_ring;          /* struct dg_capture_chunk */

  /* Adding to the archive: one worker at a time, in order.  */
  GMutex order_lock;       /* of these three */
  GHashTable *packed;      /* number -> chunk */
  uint64_t next;           /* to be added */
  bool is_adding;
  struct dg_builder *assembly; /* of whoever adds; NULL: there is none */
  bool has_failed;

  /* Any thread, atomically; the first two are set by the watcher.  */
  gint is_left;            /* it is another program now */
  gint is_cut;             /* the last chunk was: nothing more is read */
  gint is_whole;           /* the archive, once it is closed */
  gint stop;               /* enum dg_end: what is not packed is not wanted */
  gint has_ended;          /* the archive is closed */
  gint is_done;            /* and nobody will touch this any more */
  uint64_t instructions, accesses, size;
};

struct dg_recording *dg_recording_new (struct dg_capture *capture,
                                       uint64_t pid, struct dg_error *err);
void dg_recording_free (struct dg_recording *recording);

/* Watcher: reads what there is.  Returns whether there was anything.  */
bool dg_recording_read (struct dg_recording *recording);
/* Watcher: cuts a chunk off if it is old.  */
void dg_recording_age (struct dg_recording *recording, gint64 now);
/* Watcher: it has ended so, when all that is in the ring has been read.  */
void dg_recording_end (struct dg_recording *recording,
                       enum dg_capture_end end);
/* Has the tool mapped the ring?  */
bool dg_recording_is_attached (const struct dg_recording *recording);

/* Gives back the ring up to `at`, a counter of the chunk.  */
void dg_recording_release (struct dg_capture_chunk *chunk, uint32_t at);

/* ---- Workers ---- */

struct dg_capture_worker;
struct dg_capture_worker *dg_capture_worker_new (struct dg_capture *capture,
                                                 struct dg_error *err);
void dg_capture_worker_free (struct dg_capture_worker *worker);
struct dg_capture *
dg_capture_worker_capture (const struct dg_capture_worker *worker);
/* Packs a chunk, and adds to the archive what is next.  */
void dg_capture_worker_do (struct dg_capture_worker *worker,
                           struct dg_capture_chunk *chunk);

/* ---- All of it ---- */

/* A process that may ask for a ring: counts as active until then.  */
struct dg_capture_announced {
  uint64_t pid;
  gint64 until;            /* us */
};

struct dg_capture {
  struct dg_capture_options options;
  char *output;
  struct dg_capture_place place;
  uint32_t ring_bytes;     /* as large as the first ring shall be */

  GThread *watcher;
  int wake;                /* eventfd of the watcher */
  gint is_stopping, is_ending;
  GHashTable *names;       /* under lock */

  GPtrArray *threads;
  GPtrArray *workers;

  GMutex lock;
  GCond work;              /* a chunk to pack, or the end */
  GQueue chunks;
  GQueue spare;            /* chunks to be used again */
  bool no_more;
  GPtrArray *recordings;   /* added to and removed from by the watcher and
                              dg_capture_expect */
  GArray *announced;
  struct dg_capture_status gone;   /* sums over what is no longer there */

  GMutex making;           /* of a recording, for a process that has none */
  GMutex event_lock;
};

/* Tells the caller's function.  format may be NULL.  */
void dg_capture_tell (struct dg_recording *recording,
                      enum dg_capture_event_type type, const char *format,
                      ...) G_GNUC_PRINTF (3, 4);
void dg_capture_describe (struct dg_recording *recording,
                          struct dg_capture_recording *out);
/* A chunk to fill, and the ways from there.  */
struct dg_capture_chunk *dg_capture_chunk_new (struct dg_capture *capture);
void dg_capture_chunk_done (struct dg_capture *capture,
                            struct dg_capture_chunk *chunk);
void dg_capture_submit (struct dg_capture *capture,
                        struct dg_capture_chunk *chunk);
/* Makes a recording for a process; the one it has, or NULL.  */
int dg_capture_add (struct dg_capture *capture, uint64_t pid,
                    struct dg_error *err);
struct dg_recording *dg_capture_find (struct dg_capture *capture,
                                      uint64_t pid);
/* The watcher shall look.  */
void dg_capture_wake (struct dg_capture *capture);
void dg_capture_announce (struct dg_capture *capture, uint64_t pid,
                          unsigned seconds);
gpointer dg_capture_watch (gpointer data);

#endif /* DG_CAPTURE_H */
