/* time_settings.h: figures of a processor by their names, as --machine and
   files of dg calibrate give them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIME_SETTINGS_H
#define DG_TIME_SETTINGS_H

#include "time_machine.h"

/* How a figure is kept in struct dg_time_machine.  */
enum dg_time_setting_kind {
  DG_TIME_SETTING_WORD,    /* uint32_t */
  DG_TIME_SETTING_BYTE,    /* uint8_t */
  DG_TIME_SETTING_FLAG,    /* bool, 0 or 1 */
  DG_TIME_SETTING_MHZ      /* double, in GHz */
};

/* Bounds keep what is allocated for a processor small.  */
struct dg_time_setting {
  const char *name;        /* "l2-latency" */
  size_t offset;
  uint32_t least, most;
  enum dg_time_setting_kind kind;
};

/* By its name; NULL: there is none.  */
const struct dg_time_setting *dg_time_setting_find (const char *name);
uint32_t dg_time_setting_get (const struct dg_time_setting *setting,
                              const struct dg_time_machine *machine);
/* The value must be within the bounds.  */
void dg_time_setting_put (const struct dg_time_setting *setting,
                          struct dg_time_machine *machine, uint32_t value);
/* "refill=40".  where: what the message begins with, "--machine" or the line
   of a file.  0, or DG_ERR_INVALID.  */
int dg_time_settings_take (const char *text, const char *where,
                           struct dg_time_machine *machine,
                           struct dg_error *err);

#endif /* DG_TIME_SETTINGS_H */
