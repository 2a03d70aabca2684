/* symbols_lines.c: the lines of source files that a module has code of,
   executed or not.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>

#include "symbols.h"

struct place {
  const char *file;        /* interned */
  uint32_t line;
};

/* The number of a line that has code, or 0.  Where no statement begins, the
   line is a part of another one; at address 0 is code that the linker removed;
   of several at one address, the last one has the code.  */
static uint32_t
line_of (Dwarf_Line *line, Dwarf_Line *next)
{
  bool is_end = true, is_statement = false;
  Dwarf_Addr address = 0, next_address = 0;
  int number = 0;

  if (dwarf_lineendsequence (line, &is_end) != 0 || is_end
      || dwarf_linebeginstatement (line, &is_statement) != 0 || !is_statement
      || dwarf_lineaddr (line, &address) != 0 || address == 0
      || (next != NULL && dwarf_lineaddr (next, &next_address) == 0
          && next_address == address)
      || dwarf_lineno (line, &number) != 0)
    return 0;
  return (uint32_t) MAX (number, 0);
}

static void
collect_unit (struct dg_names *names, Dwarf_Die *unit, GArray *found)
{
  struct place place = {NULL, 0};
  Dwarf_Attribute attribute;
  const char *dir =
    dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute));
  Dwarf_Lines *lines;
  size_t n;

  if (dwarf_getsrclines (unit, &lines, &n) != 0)
    return;
  for (size_t i = 0; i < n; i++) {
    Dwarf_Line *line = dwarf_onesrcline (lines, i);
    uint32_t number =
      line_of (line, i + 1 < n ? dwarf_onesrcline (lines, i + 1) : NULL);
    const char *file;

    if (number == 0)
      continue;
    file = dg_names_source (names, dir, dwarf_linesrc (line, NULL, NULL));
    if (file == NULL || (file == place.file && number == place.line))
      continue;
    place = (struct place) {file, number};
    g_array_append_val (found, place);
  }
}

/* Under the lock of the object.  */
static void
collect (struct dg_symbols *symbols, struct dg_object *object, GArray *found)
{
  Dwfl_Module *module = dg_object_module (object);
  Dwarf_Die *unit = NULL;
  Dwarf_Addr bias;

  while (module != NULL
         && (unit = dwfl_module_nextcu (module, unit, &bias)) != NULL)
    collect_unit (&symbols->names, unit, found);
}

int
dg_symbols_lines (struct dg_symbols *symbols, const char *module,
                  int (*each) (void *user, const char *file, uint32_t line),
                  void *user)
{
  size_t n;
  const struct dg_module *modules = dg_log_modules (symbols->log, &n);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (struct place));
  struct dg_object *object = NULL;
  int code = 0;

  /* Finds the files.  */
  dg_symbols_loaded (symbols, 0, 0);
  for (size_t i = 0; i < n && object == NULL; i++)
    if (strcmp (modules[i].file, module) == 0)
      object = symbols->loaded[i].object;
  if (object != NULL && dg_symbols_can_ask (symbols, object)) {
    g_mutex_lock (&object->lock);
    collect (symbols, object, found);
    dg_symbols_tell_bad_name (symbols, object);
    g_mutex_unlock (&object->lock);
  }
  for (guint i = 0; i < found->len && code == 0; i++) {
    const struct place *place = &g_array_index (found, struct place, i);

    code = each (user, place->file, place->line);
  }
  g_array_unref (found);
  return code;
}
