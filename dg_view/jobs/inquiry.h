/* inquiry.h: in the background, what lies at a point of a picture.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_INQUIRY_H
#define DV_INQUIRY_H

#include "model/access/answer.h"
#include "job.h"
#include "model/access/pick.h"
#include "plot/picture.h"

struct dv_inquiry {
  struct dv_pick *pick;       /* NULL when one access was asked about */
  struct dv_answer *answer;   /* of the access that is meant */
};

enum dv_inquiry_kind {
  /* A whole answer; the result is NULL where there is no access.  */
  DV_INQUIRY_POINT,
  /* Says also of a place without accesses whose memory it is: the answer's
     is_nothing is set then, and the pick is NULL.  */
  DV_INQUIRY_CLICK,
  /* What the pointer rests on: a brief answer, which waits for nothing.  */
  DV_INQUIRY_HOVER
};

/* About the access nearest to (x, y), in the raster's pixels, at most `reach`
   away.  The result is a struct dv_inquiry; it is NULL, with DG_ERR_INVALID,
   if there is none.  */
struct dv_job *dv_inquiry_at (struct dv_picture *picture,
                              enum dv_inquiry_kind kind, double x, double y,
                              double reach, dv_job_done done, void *user);
/* About one access.  */
struct dv_job *dv_inquiry_about (struct dv_data *data,
                                 const struct dg_access *access,
                                 dv_job_done done, void *user);
void dv_inquiry_free (struct dv_inquiry *inquiry);

#endif /* DV_INQUIRY_H */
