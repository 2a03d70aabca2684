/* schema.h: the JSON Schemas of what commands write with --json.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SCHEMA_H
#define DG_SCHEMA_H

#include <stddef.h>

/* A file docs/schema/NAME.json, which is compiled in.  */
struct schema {
  const char *name;        /* "counts", "allocs-stats" */
  const char *id;          /* the value of "schema": "datagrind/counts/1" */
  const char *title;       /* a line */
  const char *const *lines;    /* of the file, with newlines; then NULL */
};

/* All of them, by name; schema_table.c is made from the files.  */
const struct schema *schema_table (size_t *n);

/* The value of the member "schema" in what a command writes; of a name without
   a schema, that of SCHEMA_PLUGIN.  */
const char *schema_id (const char *name);
/* The name of that of all analyses in plug-ins.  */
#define SCHEMA_PLUGIN "plugin"

/* `dg --schema [COMMAND]`: argv are the words of the command, of which there
   may be none.  Returns the exit status.  */
int schema_show (int argc, char **argv);

#endif /* DG_SCHEMA_H */
