/* complete_log.h: names of the log on a command line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMPLETE_LOG_H
#define DG_COMPLETE_LOG_H

#include <glib.h>

enum complete_names {
  COMPLETE_EVENTS,         /* labels of events */
  COMPLETE_RANGES,         /* labels of ranges */
  COMPLETE_THREADS,        /* names of threads, or their numbers */
  COMPLETE_MODULES         /* base names of programs and libraries */
};

/* The names in a log, each once; strings.  Empty if the file is not a log, or
   so large that it would take long.  */
GPtrArray *complete_log (const char *path, enum complete_names which);

#endif /* DG_COMPLETE_LOG_H */
