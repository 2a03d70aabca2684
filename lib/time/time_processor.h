/* time_processor.h: which processor this runs on, and which one of the time
   model is most like it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_PROCESSOR_H
#define DG_TIME_PROCESSOR_H

#include "time_machine.h"

/* As the processor tells the kernel: vendor, family and model of x86,
   implementer ("Arm-65"), 0 and part of Arm.  */
struct dg_time_processor {
  char vendor[32];         /* empty: not known */
  uint32_t family, model;
};

/* The first processor of a text such as /proc/cpuinfo.  */
void dg_time_processor_parse (const char *text,
                              struct dg_time_processor *processor);
/* The processor that this runs on.  */
void dg_time_processor_here (struct dg_time_processor *processor);
/* "AuthenticAMD-25-17", "unknown"; to be freed.  */
char *dg_time_processor_text (const struct dg_time_processor *processor);
/* One that is not known gets the usual one of the architecture for which the
   library was built.  */
const struct dg_time_machine *
dg_time_processor_nearest (const struct dg_time_processor *processor);

#endif /* DG_TIME_PROCESSOR_H */
