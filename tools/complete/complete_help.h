/* complete_help.h: what --help of a command says, as a table.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMPLETE_HELP_H
#define DG_COMPLETE_HELP_H

#include <glib.h>
#include <stdbool.h>

struct complete_option {
  char short_name;         /* 0: none */
  char *name;              /* "by" */
  char *value;             /* "WHAT"; NULL: it takes none */
  char *text;
};

struct complete_help {
  char *args;              /* of the line "Usage: dg COMMAND ..." */
  GPtrArray *options;      /* struct complete_option */
  char **lines;            /* all of the text */
};

void complete_help_init (struct complete_help *help, const char *text);
void complete_help_fini (struct complete_help *help);

/* The option of a word "--by", "--by=..." or "-o"; or NULL.  */
const struct complete_option *
complete_help_find (const struct complete_help *help, const char *word);

/* The values that the option may have, as far as they are listed: "(a, b)",
   ": a, b or c" or "a or b, ..." in its text, "yes|no" as its value.
   Strings.  */
GPtrArray *complete_help_choices (const struct complete_option *option);

/* "Formats:" and the like: the names at the beginning of the lines after such
   a title, and in `texts` what follows them.  */
void complete_help_section (const struct complete_help *help,
                            const char *title, GPtrArray *names,
                            GPtrArray *texts);

#endif /* DG_COMPLETE_HELP_H */
