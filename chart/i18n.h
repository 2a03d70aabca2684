/* i18n.h: texts that can be translated.

   _("text") is the translation; N_("text") marks a text that is translated
   where it is used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_I18N_H
#define DV_I18N_H

#include <glib/gi18n.h>

#endif /* DV_I18N_H */
