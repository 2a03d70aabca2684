/* advise_format.h: findings in the formats of editors and code hosts.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ADVISE_FORMAT_H
#define DG_ADVISE_FORMAT_H

#include "advise_place.h"
#include "advise_work.h"
#include "base/output.h"

struct advise_format {
  const char *name;        /* "gcc" */
  /* The first n findings.  */
  void (*put) (const struct advise_work *work, const struct advise_root *root,
               guint n, struct output *out);
};

/* All of them, as "a, b, c".  */
#define ADVISE_FORMATS "text, gcc, sarif, gitlab"

/* CLI_OK, with *format NULL for "text" and for no name, or the exit status
   after a message.  */
int advise_format_find (const struct cli_command *command, const char *name,
                        const struct advise_format **format);

/* Findings of this share are warnings, others notes.  */
#define ADVISE_WARNING 0.2
bool advise_finding_is_warning (const struct advise_finding *finding);
/* The sentences about it, and what to do, in one line; to be freed.  */
char *advise_finding_message (const struct advise_finding *finding);

/* advise_sarif.c  */
void advise_sarif_put (const struct advise_work *work,
                       const struct advise_root *root, guint n,
                       struct output *out);

#endif /* DG_ADVISE_FORMAT_H */
