/* compare_load.h: in the background, two logs on common axes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPARE_LOAD_H
#define DV_COMPARE_LOAD_H

#include "jobs/job.h"
#include "model/pair/pair.h"
#include "model/user/options.h"

/* Loads the logs, one after the other; paths[1]: NULL: there is one.  `known`:
   of the same logs, which need not be loaded again; or NULL.  The result is a
   struct dv_pair.  The options must outlive it.  */
struct dv_job *dv_compare_load (const char *const paths[2],
                                struct dv_pair *known,
                                const struct dv_options *options,
                                bool is_laid_over, dv_job_done done,
                                void *user);

#endif /* DV_COMPARE_LOAD_H */
