/* areas.c: the owners of the pages of the X axis.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "areas.h"

#include <dg_record.h>

#include "format.h"
#include "i18n.h"

/* For layouts with more pages than this nobody is asked.  */
#define MAX_PAGES ((uint64_t) 32 << 20)

struct dv_areas {
  GPtrArray *names;        /* char *; a page has an index here + 1 */
  GHashTable *numbers;     /* of a name */
  GArray *areas;           /* struct dv_area */
};

/* While they are being worked out: the number of each page's name.  What is
   set first stays, and each page is set once, however many mappings it was
   part of.  */
struct pages {
  const struct dv_layout *layout;
  struct dv_areas *areas;
  uint16_t *names;
  uint32_t *free;          /* a page at or behind each that may be free; of
                              those that are, itself; one more at the end */
};

/* The first free page at or behind `page`.  */
static uint32_t
next_free (struct pages *pages, uint32_t page)
{
  uint32_t *free = pages->free, end = page;
  while (free[end] != end)
    end = free[end];
  while (free[page] != end) {
    uint32_t next = free[page];
    free[page] = end;
    page = next;
  }
  return end;
}

static uint16_t
number_of (struct dv_areas *areas, char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (areas->numbers,
                                                        name));
  if (number != 0 || areas->names->len >= UINT16_MAX) {
    g_free (name);
    return (uint16_t) number;
  }
  g_ptr_array_add (areas->names, name);
  number = areas->names->len;
  g_hash_table_insert (areas->numbers, name, GUINT_TO_POINTER (number));
  return (uint16_t) number;
}

/* The pages of [address, address + size).  */
static void
set_name (struct pages *pages, uint64_t address, uint64_t size,
          uint16_t number)
{
  const struct dv_layout *layout = pages->layout;
  uint64_t first, last, end = address + size;
  if (size == 0 || end < address)
    return;
  dv_layout_position (layout, address, &first);
  if (dv_layout_position (layout, end - 1, &last))
    last++;
  unsigned shift = layout->page_shift;
  uint64_t stop = (last + ((uint64_t) 1 << shift) - 1) >> shift;
  for (uint32_t page = next_free (pages, (uint32_t) (first >> shift));
       page < stop; page = next_free (pages, page)) {
    pages->names[page] = number;
    pages->free[page] = page + 1;
  }
}

/* The file of each mapping.  What is mapped right behind a file, without a
   file, when the program starts, is the file's: its uninitialised data.  */
static const char **
files_of (const struct dg_mapping *mappings, size_t n)
{
  const char **files = g_new (const char *, n + 1), *last = "";
  uint64_t end = 0;
  for (size_t i = 0; i < n; i++) {
    const struct dg_mapping *m = &mappings[i];
    files[i] = *m->file == '\0' && *last != '\0' && m->address == end
               && (m->protection & DG_PROT_WRITE) != 0 ? last : m->file;
    last = files[i];
    end = m->address + m->size;
  }
  return files;
}

/* The latest before earlier ones.  */
static void
name_mappings (struct pages *pages, const struct dv_data *data)
{
  size_t n;
  const struct dg_mapping *mappings = dg_log_mappings (data->log, &n);
  const char **files = files_of (mappings, n);
  for (int with_file = 1; with_file >= 0; with_file--)
    for (size_t i = n; i-- > 0;) {
      const struct dg_mapping *m = &mappings[i];
      if ((*files[i] != '\0') != with_file)
        continue;
      char *base = g_path_get_basename (files[i]);
      char *name = with_file
                     ? dv_format_shown (base)
                     : g_strdup (m->what == DG_MAP_BRK ? _ ("program break")
                                                       : _ ("mapped memory"));
      g_free (base);
      set_name (pages, m->address, m->size, number_of (pages->areas, name));
    }
  g_free (files);
}

static void
name_stacks (struct pages *pages, const struct dv_data *data)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (data->log, &n);
  for (size_t i = n; i-- > 0;) {
    const struct dg_thread *t = &threads[i];
    char *name = n == 1
                   ? g_strdup (_ ("stack"))
                   : g_strdup_printf (_ ("stack of thread %u"), t->number);
    set_name (pages, t->stack_low, t->stack_high - t->stack_low,
              number_of (pages->areas, name));
  }
}

static void
name_heap (struct pages *pages, const struct dv_data *data)
{
  size_t n = dg_log_n_blocks (data->log);
  uint16_t heap = number_of (pages->areas, g_strdup (_ ("heap")));
  uint64_t start = 0, end = 0;
  for (size_t i = 0; i < n; i++) {
    const struct dg_block_extent b = dg_log_block_extent (data->log, i);
    /* Most are where others were before.  */
    if (b.address >= start && b.address + b.size <= end)
      continue;
    if (b.address < start || b.address > end + 64 || end == 0) {
      set_name (pages, start, end - start, heap);
      start = b.address;
      end = start;
    }
    end = MAX (end, b.address + b.size);
  }
  set_name (pages, start, end - start, heap);
}

static void
gather (struct pages *pages)
{
  struct dv_areas *areas = pages->areas;
  unsigned shift = pages->layout->page_shift;
  uint64_t n = pages->layout->size >> shift, from = 0;
  for (uint64_t page = 1; page <= n; page++) {
    uint16_t number = pages->names[from];
    if (page < n && pages->names[page] == number)
      continue;
    if (number != 0) {
      struct dv_area area = { from << shift, page << shift,
                              g_ptr_array_index (areas->names, number - 1) };
      g_array_append_val (areas->areas, area);
    }
    from = page;
  }
}

static struct dv_areas *
areas_new (const struct dv_scene *scene)
{
  const struct dv_layout *layout = &scene->layout;
  struct dv_areas *areas = g_new0 (struct dv_areas, 1);
  areas->names = g_ptr_array_new_with_free_func (g_free);
  areas->numbers = g_hash_table_new (dg_hash_text, g_str_equal);
  areas->areas = g_array_new (FALSE, FALSE, sizeof (struct dv_area));
  uint64_t n = layout->size >> layout->page_shift;
  if (scene->data->is_glance || n > MAX_PAGES)
    return areas;
  struct pages pages = { layout, areas, g_new0 (uint16_t, n + 1),
                         g_new (uint32_t, n + 1) };
  for (uint64_t page = 0; page <= n; page++)
    pages.free[page] = (uint32_t) page;
  name_heap (&pages, scene->data);
  name_stacks (&pages, scene->data);
  name_mappings (&pages, scene->data);
  gather (&pages);
  g_free (pages.names);
  g_free (pages.free);
  return areas;
}

void
dv_areas_free (struct dv_areas *areas)
{
  if (areas == NULL)
    return;
  g_array_unref (areas->areas);
  g_hash_table_unref (areas->numbers);
  g_ptr_array_unref (areas->names);
  g_free (areas);
}

GArray *
dv_areas_for (const struct dv_scene *scene, const struct dv_view *view)
{
  /* What it keeps for others is not a change of it.  */
  gpointer *kept = (gpointer *) &scene->areas;
  struct dv_areas *areas = g_atomic_pointer_get (kept);
  if (areas == NULL) {
    areas = areas_new (scene);
    if (!g_atomic_pointer_compare_and_exchange (kept, NULL, areas)) {
      dv_areas_free (areas);
      areas = g_atomic_pointer_get (kept);
    }
  }
  GArray *found = g_array_new (FALSE, FALSE, sizeof (struct dv_area));
  for (guint i = 0; i < areas->areas->len; i++) {
    const struct dv_area *area = &g_array_index (areas->areas, struct dv_area,
                                                 i);
    if (area->x1 > view->x0 && area->x0 < view->x1)
      g_array_append_val (found, *area);
  }
  return found;
}
