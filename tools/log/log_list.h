/* log_list.h: the logs of a folder.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LOG_LIST_H
#define DG_LOG_LIST_H

#include <stdbool.h>

/* Lists the logs of the current folder on standard output, the newest first;
   false if there are none.  */
bool log_list (void);

#endif /* DG_LOG_LIST_H */
