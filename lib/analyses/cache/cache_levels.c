/* cache_levels.c: which caches there are, as options say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_levels.h"

#include "cache_host.h"
#include "dg_traffic.h"

/* One level: as it is given, or this machine's, or the usual one.  */
static int
choose_shape (const struct dg_setup *setup, const char *name,
              const char *usual, struct dg_cache_shape *shape,
              struct dg_error *err)
{
  const char *text = dg_setup_text (setup, name);
  char *what;
  int code;

  if (text == NULL && dg_setup_flag (setup, "host")
      && dg_cache_host (name, shape))
    return 0;
  what = g_strconcat ("--", name, NULL);
  code = dg_cache_shape_parse (text != NULL ? text : usual, what, shape, err);
  g_free (what);
  return code;
}

static int
add_lower (const struct dg_setup *setup, const char *name,
           struct dg_cache_made *made, struct dg_error *err)
{
  made->lower_names[made->n_lower] = name;
  return choose_shape (setup, name, DG_TRAFFIC_LL,
                       &made->lower[made->n_lower++], err);
}

static bool
has_level (const struct dg_setup *setup, const char *name)
{
  return dg_setup_has (setup, name)
         || (dg_setup_flag (setup, "host") && dg_cache_host_has (name));
}

int
dg_cache_levels_make (const struct dg_setup *setup,
                      struct dg_cache_made *made, struct dg_error *err)
{
  int code = choose_shape (setup, "I1", DG_TRAFFIC_L1, &made->instr, err);

  if (code == 0)
    code = choose_shape (setup, "D1", DG_TRAFFIC_L1, &made->data, err);
  if (code == 0 && has_level (setup, "L2"))
    code = add_lower (setup, "L2", made, err);
  if (code == 0 && has_level (setup, "L3"))
    code = add_lower (setup, "L3", made, err);
  if (code == 0)
    code = add_lower (setup, "LL", made, err);
  made->instr_name = "I1";
  made->data_name = "D1";
  return code;
}
