/* options.h: what the user asked for on the command line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_OPTIONS_H
#define DV_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/log/look.h"
#include "picture_format.h"

enum dv_theme { DV_THEME_DESKTOP, DV_THEME_DARK, DV_THEME_LIGHT };

/* What the X axis shows.  */
enum dv_x_axis {
  DV_X_ADDRESSES,
  DV_X_OWNERS,             /* see model/pair */
  DV_X_BLOCKS              /* the same, blocks of a place one over the other */
};

struct dv_options {
  /* All texts but the names of files are valid UTF-8.  */
  char *path;            /* the log; NULL only for the window */
  char *second;          /* another log, to be compared with it; or NULL */
  char *events, *ranges; /* NULL: none */
  char *title, *editor;  /* NULL: the usual */
  char *palette;         /* name of a palette; NULL: the usual */
  char **source_map;     /* "FROM=TO" each, NULL-terminated; or NULL */
  char *render;          /* file to draw to; NULL: open a window */
  enum dv_format format;
  enum dv_theme theme;
  enum dv_x_axis x_axis;
  enum dv_colouring colouring;    /* what colours show... */
  bool colour_given;      /* ...and the user said so */
  bool follow;            /* read on while the log grows */
  bool quick;             /* the picture may be coarse */
  uint32_t width, height; /* of the picture or the window; 0: usual */
  uint64_t address_start, address_end;         /* [0, UINT64_MAX): all */
  uint64_t instruction_start, instruction_end; /* the same */
};

void dv_options_fini (struct dv_options *options);

#endif /* DV_OPTIONS_H */
