/* cache_host.c: the caches of the machine, as Linux reports them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_host.h"

#include <string.h>

#define FOLDER "/sys/devices/system/cpu/cpu0/cache"
#define INDEXES 16

struct told {
  unsigned level;
  char type;               /* 'I', 'D' or 'U' */
  struct dg_cache_shape shape;
};

/* A file's text without its newline; NULL if there is none.  */
static char *
read_text (unsigned index, const char *name)
{
  char *path = g_strdup_printf (FOLDER "/index%u/%s", index, name), *text;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    text = NULL;
  g_free (path);
  return text != NULL ? g_strstrip (text) : NULL;
}

static uint64_t
read_number (unsigned index, const char *name)
{
  char *text = read_text (index, name), *end;
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

/* Fewer sets, so that they are a power of two, and more lines in each.  */
static void
round_sets (struct dg_cache_shape *shape)
{
  uint64_t lines = shape->size / shape->line;
  uint64_t sets = shape->assoc != 0 ? lines / shape->assoc : 1;

  if (sets == 0 || shape->assoc == 0)
    sets = 1;
  sets = (uint64_t) 1 << g_bit_nth_msf (sets, -1);
  shape->assoc = lines / sets;
  shape->size = sets * shape->assoc * shape->line;
}

static bool
read_cache (unsigned index, struct told *told)
{
  char *type = read_text (index, "type");
  struct dg_error err;
  bool is_good = type != NULL;

  told->level = read_number (index, "level");
  told->type = is_good ? type[0] : 0;
  told->shape.size = read_number (index, "size");
  told->shape.assoc = read_number (index, "ways_of_associativity");
  told->shape.line = read_number (index, "coherency_line_size");
  g_free (type);
  if (!is_good || told->shape.size == 0 || told->shape.line == 0)
    return false;
  round_sets (&told->shape);
  return dg_cache_shape_check (&told->shape, DG_CACHE_LINE_MIN, "", &err) == 0;
}

bool
dg_cache_host (const char *name, struct dg_cache_shape *shape)
{
  struct told told;
  unsigned i, level = 0;

  for (i = 0; i < INDEXES; i++) {
    if (!read_cache (i, &told))
      continue;
    if (name[1] == '1') {
      if (told.level == 1 && (told.type == name[0] || told.type == 'U')) {
        *shape = told.shape;
        return true;
      }
    } else if (told.level > 1
               && (name[1] == 'L' ? told.level > level
                                  : told.level == (unsigned) name[1] - '0')) {
      *shape = told.shape;
      level = told.level;
    }
  }
  return level != 0;
}

bool
dg_cache_host_has (const char *name)
{
  struct dg_cache_shape shape, last;

  return dg_cache_host (name, &shape) && dg_cache_host ("LL", &last)
         && memcmp (&shape, &last, sizeof shape) != 0;
}
