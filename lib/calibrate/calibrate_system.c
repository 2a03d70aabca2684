/* calibrate_system.c: what the system knows of the caches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate_system.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#define INDEXES 16

/* A file's text; NULL if there is none.  */
static char *
read_text (const char *folder, unsigned index, const char *name)
{
  char *path = g_strdup_printf ("%s/index%u/%s", folder, index, name), *text;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    text = NULL;
  g_free (path);
  return text != NULL ? g_strstrip (text) : NULL;
}

static uint64_t
read_number (const char *folder, unsigned index, const char *name)
{
  char *text = read_text (folder, index, name), *end;
  uint64_t number = 0;

  if (text != NULL) {
    number = g_ascii_strtoull (text, &end, 10);
    if (*end == 'K')
      number <<= 10;
    else if (*end == 'M')
      number <<= 20;
  }
  g_free (text);
  return number;
}

void
dg_calibrate_system_caches (struct dg_calibrate_system *system,
                            const char *folder)
{
  for (unsigned i = 0; i < INDEXES; i++) {
    char *type = read_text (folder, i, "type");
    uint64_t level = read_number (folder, i, "level");
    struct dg_calibrate_cache *cache
      = type == NULL                          ? NULL
        : level == 1 && type[0] == 'I'        ? &system->code
        : level == 1                          ? &system->l1
        : level == 2 && type[0] != 'I'        ? &system->l2
        : level == 3                          ? &system->l3
                                              : NULL;

    g_free (type);
    if (cache == NULL)
      continue;
    cache->bytes = read_number (folder, i, "size");
    cache->ways = (uint32_t) MIN (
      read_number (folder, i, "ways_of_associativity"), UINT32_MAX);
  }
}

void
dg_calibrate_system_read (struct dg_calibrate_system *system)
{
  *system = (struct dg_calibrate_system) {0};
  dg_calibrate_system_caches (system, "/sys/devices/system/cpu/cpu0/cache");
#ifdef _SC_AVPHYS_PAGES
  {
    long pages = sysconf (_SC_AVPHYS_PAGES), size = sysconf (_SC_PAGESIZE);

    if (pages > 0 && size > 0)
      system->available = (uint64_t) pages * (uint64_t) size;
  }
#endif
}
