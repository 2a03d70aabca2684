/* export_tables.h: tables of a log as Parquet and Arrow files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_TABLES_H
#define DG_EXPORT_TABLES_H

#include "analyse/analysis_options.h"

struct export_tables {
  char *parquet, *arrow, *columns;
  char **tables;
  gboolean is_signed;
};

/* Becomes the program that writes them, so that it returns only if that fails:
   the exit status after a message.  */
int export_tables_start (const struct export_tables *tables,
                         const struct analysis_options *options,
                         const char *path);

#endif /* DG_EXPORT_TABLES_H */
