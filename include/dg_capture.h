/* dg_capture.h: recording to archives while programs run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_CAPTURE_H
#define LIBDATAGRIND_CAPTURE_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives the data that exp-datagrind records while programs run, and packs
   each process image into an archive.  The caller starts the programs, under
   Valgrind with --datagrind-ring=DIRECTORY (dg_capture_directory).  All work
   is done by threads of the capture; its functions must be called by one
   thread.  */
struct dg_capture;

/* A process image that is or was recorded.  */
struct dg_capture_recording {
  uint64_t pid;
  const char *path;                /* of its archive; NULL: there is none */
  uint64_t instructions, accesses; /* packed so far */
  uint64_t bytes;                  /* of the archive so far */
  uint64_t ring_bytes, ring_used;
  uint64_t ring_waits, ring_waited_us; /* while the ring was full */
  bool is_whole;                       /* ENDED only: it is complete */
  int signal;      /* ENDED only: which killed the program, 0 if none did */
};

enum dg_capture_event_type {
  DG_CAPTURE_BEGUN,   /* the archive was created */
  DG_CAPTURE_WARNING, /* `text` is a warning */
  DG_CAPTURE_FAILED,  /* `text` says why recording failed or ended; the
                         program continues */
  DG_CAPTURE_ENDED    /* the archive was closed */
};
struct dg_capture_event {
  enum dg_capture_event_type type;
  const struct dg_capture_recording *recording;
  const char *text; /* or NULL; complete, with the name of the archive */
};
/* Called on threads of the capture, for one event at a time.  */
typedef void (*dg_capture_event_fn) (void *user,
                                     const struct dg_capture_event *event);

struct dg_capture_options {
  size_t size; /* sizeof (struct dg_capture_options) */
  /* Names of the archives: %p is the process ID, %q{VAR} an environment
     variable, %% a percent sign.  If this capture has used a name already, the
     process ID is inserted before its suffix; if that is used, too, a number
     from 2.  */
  const char *output;
  /* Where to create the folder of the rings.  NULL: in /dev/shm, or else
     $XDG_RUNTIME_DIR, $TMPDIR or /tmp.  */
  const char *directory;
  uint32_t ring_bytes; /* of each ring, a power of two from 1 MiB to 1 GiB;
                          0: depending on the workers */
  int level;           /* of zstd, 1 to 19; 0: the default */
  unsigned workers;    /* threads that pack; 0: processors minus one,
                          at least two */
  uint64_t max_bytes;  /* of an archive; 0: the option of the tool */
  bool no_index;
  bool traces_children;      /* Valgrind was given --trace-children=yes */
  dg_capture_event_fn event; /* may be NULL */
  void *user;
};

/* DG_ERR_INVALID, DG_ERR_IO or DG_ERR_NOMEM (NULL).  */
DG_API struct dg_capture *
dg_capture_new (const struct dg_capture_options *options,
                struct dg_error *err);
DG_API const char *dg_capture_directory (const struct dg_capture *capture);

/* The name of the archive, or the log, of a process with this ID, to be freed
   with free; NULL: DG_ERR_INVALID. output: as in the options.  */
DG_API char *dg_capture_output (const char *output, uint64_t pid,
                                struct dg_error *err);

/* Call it before the program with this process ID starts: its ring and archive
   are created now, so errors are reported before it runs.  DG_ERR_IO: no
   memory for the ring, or no archive can be written; DG_ERR_INVALID: a wrong
   name.  */
DG_API int dg_capture_expect (struct dg_capture *capture, uint64_t pid,
                              struct dg_error *err);

struct dg_capture_status {
  size_t size;   /* sizeof (struct dg_capture_status) */
  size_t active; /* recordings that are active or about to begin, until their
                    ENDED has been passed */
  size_t begun;  /* archives made */
  size_t failed; /* recordings that FAILED */
  uint64_t instructions, accesses, bytes; /* of all */
  uint64_t ring_bytes, ring_used;         /* of active ones */
  uint64_t ring_waits, ring_waited_us;    /* of all */
};
DG_API void dg_capture_status (struct dg_capture *capture,
                               struct dg_capture_status *status);

/* Stops all recordings: their archives are closed, incomplete, and the
   programs continue.  */
DG_API void dg_capture_stop (struct dg_capture *capture);

/* Stops active recordings, waits for them, and removes the folder.  NULL is
   allowed.  */
DG_API void dg_capture_free (struct dg_capture *capture);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_CAPTURE_H */
