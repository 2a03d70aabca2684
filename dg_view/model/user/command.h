/* command.h: the command line that shows what is seen now.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMMAND_H
#define DV_COMMAND_H

#include <libdatagrind.h>

#include "model/log/look.h"
#include "model/log/scene.h"

/* The addresses of a view, [*start, *end), and its instructions likewise; 0
   and UINT64_MAX for an axis that shows all.  They select the same view
   again.  */
void dv_command_addresses (const struct dv_scene *scene,
                           const struct dv_view *view, uint64_t *start,
                           uint64_t *end);
void dv_command_instructions (const struct dv_scene *scene,
                              const struct dv_view *view, uint64_t *start,
                              uint64_t *end);

/* A condition of a filter, such as "fn:main": kind "fn:"...  A new string;
   NULL if there is no such name, or none that can be written.  */
char *dv_command_condition (const char *kind, const char *name);

/* For a shell, "dg_view --addresses=... LOG": reproduces the view to the byte
   and instruction, with filter, colours and theme.  New.  */
char *dv_command_line (const struct dv_scene *scene,
                       const struct dv_view *view,
                       const struct dv_look *look, const char *path);

/* For a shell, "dg heap --render=...": makes the picture of a curve with so
   many series.  New.  */
char *dv_command_heap (const struct dg_curve *curve, uint32_t series,
                       const struct dv_palette *palette,
                       const char *picture, const char *path);

#endif /* DV_COMMAND_H */
