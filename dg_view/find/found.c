/* found.c: rows of a search, from numbers and names; where they lead is
   found_show.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "found.h"

#include <libdatagrind.h>

#include "format.h"
#include "i18n.h"
#include "jobs/job.h"

/* Of heap blocks that had an address, one after another.  */
#define MAX_BLOCKS 20
/* Characters of a name or what is said of it: a row of the list has room for
   far fewer, and laying out thousands takes long.  */
#define MOST_TITLE 200

static void
found_free (void *memory)
{
  struct dv_found *found = memory;
  g_free (found->title);
  g_free (found->detail);
  g_free (found);
}

GPtrArray *
dv_found_new (void)
{
  return g_ptr_array_new_with_free_func (found_free);
}

/* Takes title and detail over.  */
static struct dv_found *
add (GPtrArray *array, enum dv_found_kind kind, const char *group,
     char *title, char *detail)
{
  struct dv_found *found = g_new0 (struct dv_found, 1);
  found->kind = kind;
  found->group = group;
  found->title = title;
  found->detail = detail;
  g_ptr_array_add (array, found);
  return found;
}

/* ---- Numbers --------------------------------------------------------- */

static char *
hex (uint64_t address)
{
  return g_strdup_printf (DV_ADDRESS, address);
}

static void
add_address (GPtrArray *array, struct dv_host *host, uint64_t address)
{
  const struct dv_scene *scene = host->canvas->scene;
  const struct dv_view *now = &host->canvas->viewport.now;
  uint64_t position;
  char *detail = NULL;
  if (!dv_layout_position (&scene->layout, address, &position))
    detail = g_strdup (_ ("on no page that was touched"));
  else if (host->data != NULL)
    detail =
      dv_answer_owner (host->data, address, now->y0 + (now->y1 - now->y0) / 2);
  struct dv_found *found =
    add (array, DV_FOUND_ADDRESS, _ ("Go to"), hex (address), detail);
  found->start = address;
}

static void
add_icount (GPtrArray *array, struct dv_host *host, uint64_t icount)
{
  const struct dv_view *full = &host->canvas->viewport.full;
  char number[40];
  dg_number_text (number, sizeof number, icount);
  struct dv_found *found =
    add (array, DV_FOUND_ICOUNT, _ ("Go to"),
         g_strdup_printf (_ ("Instruction %s"), number),
         icount < full->y0 || icount >= full->y1
           ? g_strdup (_ ("beyond the last access in the log"))
           : NULL);
  found->start = icount;
}

void
dv_found_add_numbers (GPtrArray *array, struct dv_host *host,
                      const struct dv_query *query)
{
  char from[40], to[40];
  struct dv_found *found;
  if (query->has_address)
    add_address (array, host, query->address);
  if (query->has_addresses) {
    char *start = hex (query->address_start), *end = hex (query->address_end);
    found = add (array, DV_FOUND_ADDRESSES, _ ("Go to"),
                 query->address_end != UINT64_MAX
                   ? g_strdup_printf (_ ("Addresses %s to %s"), start, end)
                   : g_strdup_printf (_ ("Addresses from %s on"), start),
                 NULL);
    found->start = query->address_start;
    found->end = query->address_end;
    g_free (start);
    g_free (end);
  }
  if (query->has_icount)
    add_icount (array, host, query->icount);
  if (query->has_icounts) {
    dg_number_text (from, sizeof from, query->icount_start);
    dg_number_text (to, sizeof to, query->icount_end);
    found = add (array, DV_FOUND_ICOUNTS, _ ("Go to"),
                 query->icount_end != UINT64_MAX
                   ? g_strdup_printf (_ ("Instructions %s to %s"), from, to)
                   : g_strdup_printf (_ ("Instructions from %s on"), from),
                 NULL);
    found->start = query->icount_start;
    found->end = query->icount_end;
  }
}

/* ---- Names ----------------------------------------------------------- */

static const char *
group_of (enum dv_name_kind kind)
{
  switch (kind) {
  case DV_NAME_FUNCTION:
    return _ ("Functions");
  case DV_NAME_EVENT:
    return _ ("Events");
  case DV_NAME_RANGE:
    return _ ("Ranges");
  case DV_NAME_THREAD:
    return _ ("Threads");
  case DV_NAME_MODULE:
    return _ ("Modules");
  case DV_NAME_KINDS: break;
  }
  return "";
}

void
dv_found_append (GString *text, const char *part)
{
  if (*part != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "   ·   " : "",
                            part);
}

/* "tinycc.c:100  ·  tinycc  ·  12 contexts".  */
static char *
detail_of (const struct dv_match *match)
{
  GString *text = g_string_new (NULL);
  char number[40], *part;
  gulong plural = (gulong) MIN (match->count, G_MAXINT);
  dg_number_text (number, sizeof number, match->count);
  if (match->kind == DV_NAME_FUNCTION && *match->file != '\0') {
    char *base = g_path_get_basename (match->file);
    part = match->line > 0 ? g_strdup_printf ("%s:%u", base, match->line)
                           : g_strdup (base);
    dv_found_append (text, part);
    g_free (part);
    g_free (base);
  } else if (match->kind == DV_NAME_RANGE) {
    dv_found_append (text, match->file);
  }
  if (match->kind == DV_NAME_FUNCTION && *match->module != '\0') {
    part = g_path_get_basename (match->module);
    dv_found_append (text, part);
    g_free (part);
  } else {
    dv_found_append (text, match->module);
  }
  switch (match->kind) {
  case DV_NAME_FUNCTION:
    part = g_strdup_printf (ngettext ("%s call path", "%s call paths",
                                      plural), number);
    break;
  case DV_NAME_EVENT: case DV_NAME_RANGE:
    part = g_strdup_printf (ngettext ("%s time", "%s times", plural), number);
    break;
  case DV_NAME_THREAD:
    part = g_strdup_printf (ngettext ("%s instruction", "%s instructions",
                                      plural), number);
    break;
  default: part = g_strdup ("");
  }
  dv_found_append (text, part);
  g_free (part);
  char *label = dv_format_label (text->str, MOST_TITLE);
  g_string_free (text, TRUE);
  return label;
}

static void
add_name (GPtrArray *array, const struct dv_match *match)
{
  char *name = dv_format_label (match->name, MOST_TITLE);
  char *title = *name == '\0' ? g_strdup (_ ("(no label)"))
                : match->kind == DV_NAME_THREAD
                  ? g_strdup_printf (_ ("Thread %s"), name)
                  : g_strdup (name);
  g_free (name);
  struct dv_found *found = add (array, DV_FOUND_NAME, group_of (match->kind),
                                title, detail_of (match));
  found->match = *match;
  found->turn = match->first;
}

guint64
dv_found_add_names (GPtrArray *array, struct dv_names *names,
                    const struct dv_query *query, guint most)
{
  guint64 total;
  GArray *matches = dv_names_find (names, query, most, &total);
  /* Kinds whose best match is better come first, else by kind.  */
  for (int rank = 4; rank > 0; rank--)
    for (int kind = 0; kind < DV_NAME_KINDS; kind++) {
      bool is_turn = false, begun = false;
      for (guint i = 0; i < matches->len; i++) {
        const struct dv_match *match = &g_array_index (matches,
                                                       struct dv_match, i);
        if ((int) match->kind != kind)
          continue;
        if (!begun)
          is_turn = match->rank == rank;
        begun = true;
        if (is_turn)
          add_name (array, match);
      }
    }
  g_array_unref (matches);
  return total;
}

/* ---- Heap blocks ----------------------------------------------------- */

struct lookup {
  struct dv_data *data;
  uint64_t address;
};

static void
lookup_free (void *memory)
{
  struct lookup *lookup = memory;
  dv_data_unref (lookup->data);
  g_free (lookup);
}

static void
add_block (GPtrArray *array, struct dv_data *data,
           uint32_t i)
{
  const struct dg_block block = dg_log_block (data->log, i);
  struct dg_site_frame site;
  char size[40], born[40], *detail, *place = NULL;
  dv_format_bytes (size, sizeof size, block.size);
  dg_number_text_about (born, sizeof born, block.alloc_icount);
  if (dv_data_site (data, data->symbols, &block, &site)
      && site.frame.function != NULL)
    place = dv_format_shown (site.frame.function);
  detail =
    place != NULL
      ? g_strdup_printf (_ ("allocated at instruction %s by %s"), born, place)
      : g_strdup_printf (_ ("allocated at instruction %s"), born);
  char *address = hex (block.address);
  struct dv_found *found =
    add (array, DV_FOUND_BLOCK, _ ("Heap blocks"),
         g_strdup_printf (_ ("%s at %s"), size, address), detail);
  found->block = i;
  g_free (address);
  g_free (place);
}

static void *
run_lookup (void *input, dg_progress_fn progress, void *user,
            struct dg_error *err)
{
  const struct lookup *lookup = input;
  GPtrArray *array = dv_found_new ();
  const struct dg_log *log = lookup->data->log;
  size_t n = dg_log_n_blocks (log);
  for (size_t i = 0; i < n && array->len < MAX_BLOCKS; i++) {
    if (i % 65536 == 0 && progress (user, i, n) != 0)
      break;
    struct dg_block_extent at = dg_log_block_extent (log, i);
    if (lookup->address >= at.address
        && lookup->address - at.address < MAX (at.size, 1))
      add_block (array, lookup->data, (uint32_t) i);
  }
  return array;
}

struct dv_job *
dv_found_blocks (struct dv_data *data, uint64_t address, dv_job_done done,
                 void *user)
{
  static const struct dv_job_class class = {
    run_lookup, lookup_free, (GDestroyNotify) g_ptr_array_unref};
  struct lookup *lookup = g_new0 (struct lookup, 1);
  lookup->data = dv_data_ref (data);
  lookup->address = address;
  return dv_job_start (&class, lookup, done, user);
}
