/* massif_write.c: the file that Massif writes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A node, and what is below it, each level one column further right.  */
static void
write_node (FILE *file, const struct dg_massif_node *node, int depth)
{
  fprintf (file, "%*sn%" PRIu32 ": %" PRIu64 " %s\n", depth, "",
           node->n_children, node->bytes, node->label);
  for (uint32_t i = 0; i < node->n_children; i++)
    write_node (file, &node->children[i], depth + 1);
}

static int
write_tree (const struct dg_massif *massif, size_t i, FILE *file,
            struct dg_error *err)
{
  struct dg_massif_tree *tree = dg_massif_tree_new (massif, i, err);

  if (tree == NULL)
    return DG_ERR_NOMEM;
  write_node (file, dg_massif_tree_top (tree), 0);
  dg_massif_tree_free (tree);
  return 0;
}

static int
write_snapshot (const struct dg_massif *massif, size_t i, FILE *file,
                struct dg_error *err)
{
  static const char *const kinds[] = {"empty", "detailed", "peak"};
  const struct dg_massif_entry *entry =
    &g_array_index (massif->entries, struct dg_massif_entry, i);
  const struct dg_massif_snapshot *told = &entry->told;

  fprintf (file,
           "#-----------\nsnapshot=%zu\n#-----------\ntime=%" PRIu64
           "\nmem_heap_B=%" PRIu64 "\nmem_heap_extra_B=%" PRIu64
           "\nmem_stacks_B=%" PRIu64 "\nheap_tree=%s\n",
           i, told->time, told->heap, told->extra, told->stacks,
           kinds[entry->has_tree ? told->kind : DG_MASSIF_NORMAL]);
  return entry->has_tree ? write_tree (massif, i, file, err) : 0;
}

int
dg_massif_write (const struct dg_massif *massif, const char *desc, FILE *file,
                 struct dg_error *err)
{
  int code = 0;

  fprintf (file, "desc: %s\ncmd: %s\ntime_unit: %s\n",
           desc != NULL && desc[0] != '\0' ? desc : "(none)", massif->command,
           dg_massif_time_name (massif->used.time_unit));
  for (size_t i = 0; i < massif->entries->len && code == 0 && !ferror (file);
       i++)
    code = write_snapshot (massif, i, file, err);
  if (code < 0)
    return code;
  if (fflush (file) != 0 || ferror (file))
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return 0;
}
