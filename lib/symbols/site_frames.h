/* site_frames.h: the frames of a stack, from the site on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SITE_FRAMES_H
#define DG_SITE_FRAMES_H

#include "libdatagrind.h"

/* As dg_site_frames, but for columns and calls.  */
size_t dg_site_frames_list (const struct dg_site_options *how,
                            const struct dg_stack *stack, uint64_t icount,
                            bool is_call, struct dg_site_frame *out,
                            size_t max);

#endif /* DG_SITE_FRAMES_H */
