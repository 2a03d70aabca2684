/* recording.h: the recording of a program into an archive, and all that a
   capture has.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RECORDING_H
#define DG_RECORDING_H

#include <glib.h>

#include "capture_ring.h"
#include "chunk_queue.h"
#include "libdatagrind.h"

/* A chunk is cut when it has so many bytes in the ring: about a million
   accesses, of which each takes a little more than a word.  Of small rings it
   is a quarter: a chunk keeps its place until it is written, and the program
   and the workers need theirs meanwhile.  */
#define DG_CAPTURE_CHUNK_BYTES ((uint32_t) 8 << 20)
/* With values, an access takes half as much space again in the ring.  */
#define DG_CAPTURE_VALUES_BYTES ((uint32_t) 12 << 20)

/* All rings together have about this much memory: later ones are smaller.  */
#define DG_CAPTURE_RINGS_BYTES ((uint64_t) 256 << 20)

/* ---- All recordings of a capture ---- */

/* A process that may ask for a ring: counts as active until then.  */
struct dg_announced {
  uint64_t pid;
  gint64 until;            /* us */
};

struct dg_recordings {
  struct dg_capture_options options; /* has its own copy of `output` */
  struct dg_ring_folder folder;
  uint32_t ring_bytes;     /* as large as the first ring shall be */
  int wake;                /* eventfd of the watcher */
  struct dg_chunk_queue queue;
  GMutex event_lock;       /* around the caller's function */
  GMutex making;           /* of a recording, for a process that has none */
  gint is_stopping, is_ending;     /* atomic: what the watcher shall do */

  GMutex lock;             /* of what follows */
  GHashTable *names;       /* of archives */
  GPtrArray *list;         /* struct dg_recording; only the watcher removes
                              any */
  GArray *announced;       /* struct dg_announced */
  struct dg_capture_status gone;   /* sums over what is no longer there */
};

/* All zero before.  The folder and `wake` are the caller's to make.  */
void dg_recordings_init (struct dg_recordings *all,
                         const struct dg_capture_options *options,
                         unsigned workers);
void dg_recordings_fini (struct dg_recordings *all);

/* Makes a recording for a process.  The caller has `making`.  */
int dg_recordings_add (struct dg_recordings *all, uint64_t pid,
                       struct dg_error *err);
/* The one that a process has, or NULL.  */
struct dg_recording *dg_recordings_find (struct dg_recordings *all,
                                         uint64_t pid);
/* A process that will ask for a ring within so many seconds.  */
void dg_recordings_announce (struct dg_recordings *all, uint64_t pid,
                             unsigned seconds);
/* The watcher shall look.  */
void dg_recordings_wake (struct dg_recordings *all);

/* ---- One ---- */

/* How it came to its end.  */
enum dg_recording_ending {
  DG_RECORDING_CLOSED, /* the program says so */
  DG_RECORDING_LEFT,   /* it is another program now */
  DG_RECORDING_DIED,
  DG_RECORDING_STOPPED, /* we were asked to */
  DG_RECORDING_BROKEN   /* a bad message, or no memory; `error` says it */
};

struct dg_recording {
  struct dg_recordings *all;
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
  enum dg_recording_ending end;
  struct dg_error error;   /* with BROKEN */

  /* Adding to the archive: one worker at a time, in order.  */
  GMutex order_lock;       /* of the five below */
  GHashTable *packed;      /* number -> chunk */
  uint64_t next;           /* to be added */
  bool is_adding;
  struct dg_builder *builder;  /* of the one who adds; NULL: there is none */
  bool has_failed;

  /* Any thread, atomically; the first two are set by the watcher.  */
  gint is_left;            /* it is another program now */
  gint is_cut;             /* the last chunk was: nothing more is read */
  gint is_defining;        /* the last chunk had new contexts */
  gint is_whole;           /* the archive, once it is closed */
  gint signal;             /* which killed the program, then; or 0 */
  gint stop;               /* enum dg_end: what is not packed is not wanted */
  gint has_ended;          /* the archive is closed */
  gint is_done;            /* and nobody will touch this any more */
  uint64_t instructions, accesses, size;
};

void dg_recording_free (struct dg_recording *recording);

/* Has the tool mapped the ring?  */
bool dg_recording_is_attached (const struct dg_recording *recording);

void dg_recording_describe (struct dg_recording *recording,
                            struct dg_capture_recording *out);
/* Tells the caller's function.  format may be NULL.  */
void dg_recording_tell (struct dg_recording *recording,
                        enum dg_capture_event_type type, const char *format,
                        ...) G_GNUC_PRINTF (3, 4);

#endif /* DG_RECORDING_H */
