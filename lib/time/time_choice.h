/* time_choice.h: the processor that --machine asks for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_CHOICE_H
#define DG_TIME_CHOICE_H

#include "time_machine.h"

/* Reads "NAME[,FIGURE=N...]": a processor, some of whose figures are others,
   such as "zen5,memory=300,l3-lines=64Ki".  name NULL or empty: that of arch;
   "host": this machine; with a '/' in it: a file of dg calibrate.
   0, DG_ERR_INVALID, or DG_ERR_IO.  */
int dg_time_machine_parse (const char *text, const char *arch,
                           struct dg_time_machine *machine,
                           struct dg_error *err);
/* The same for the program of a log: DG_ERR_INVALID also if the processor
   executes another architecture.  text: the option --machine, or NULL.  */
int dg_time_machine_choose (const char *text, const struct dg_log *log,
                            struct dg_time_machine *machine,
                            struct dg_error *err);

#endif /* DG_TIME_CHOICE_H */
