/* chip_entry.h: an entry for a list of conditions: each finished one is a chip
   in front of it, which can be edited, negated and removed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CHIP_ENTRY_H
#define DV_CHIP_ENTRY_H

#include <gtk/gtk.h>
#include <stdbool.h>

struct dv_chip_entry;

/* What its owner knows of conditions.  */
struct dv_chip_entry_owner {
  /* Whether these conditions can be understood.  */
  bool (*is_good) (void *user, const char *conditions);
  /* The conditions are others, and finished; `leave`: the user wants to look
     at the result.  */
  void (*changed) (void *user, bool leave);
  /* What `typed` can be completed to: strings, which it owns.  */
  GPtrArray *(*complete) (void *user, const char *typed);
  /* The keyboard has come to it.  */
  void (*entered) (void *user);
  void *user;
};

/* name: for those who cannot see it; hint: shown while it is empty.  */
struct dv_chip_entry *
dv_chip_entry_new (const struct dv_chip_entry_owner *owner, const char *name,
                   const char *hint);
void dv_chip_entry_free (struct dv_chip_entry *chips);
GtkWidget *dv_chip_entry_widget (const struct dv_chip_entry *chips);
/* Where conditions are typed.  */
GtkWidget *dv_chip_entry_entry (const struct dv_chip_entry *chips);

/* All conditions, with what is typed.  Valid until the next call.  */
const char *dv_chip_entry_text (struct dv_chip_entry *chips);
/* Another number after each change of what is typed and of the chips.  */
guint dv_chip_entry_changes (const struct dv_chip_entry *chips);
/* Does not call changed.  */
void dv_chip_entry_set (struct dv_chip_entry *chips, const char *conditions);
/* What is typed becomes chips, if it can be understood; false: it cannot.  */
bool dv_chip_entry_finish (struct dv_chip_entry *chips);
/* What it can be completed to may be more than before.  */
void dv_chip_entry_refresh (struct dv_chip_entry *chips);

#endif /* DV_CHIP_ENTRY_H */
