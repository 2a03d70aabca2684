/* breakdown_report.c: groups of an analysis: made from its setup, told as a
   table of its report.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "breakdown.h"

#include <string.h>

#include "analysis.h"
#include "base/error.h"

struct dg_breakdown *
dg_breakdown_open (struct dg_setup *setup, enum dg_by by, unsigned n,
                   struct dg_error *err)
{
  struct dg_symbols *symbols = NULL;
  struct dg_variables *variables = NULL;
  const struct dg_mine *mine;
  struct dg_breakdown *breakdown;

  if (dg_setup_mine (setup, &mine, err) < 0)
    return NULL;
  if (dg_by_is_code (by)) {
    symbols = dg_setup_symbols (setup, err);
    if (symbols == NULL)
      return NULL;
  } else if (dg_by_is_data (by)) {
    variables = dg_setup_variables (setup, err);
    if (variables == NULL)
      return NULL;
  }
  breakdown =
    dg_breakdown_new (dg_setup_log (setup), symbols, variables, by, n, err);
  if (breakdown == NULL || mine == NULL
      || dg_breakdown_set_mine (breakdown, mine, err) == 0)
    return breakdown;
  dg_breakdown_free (breakdown);
  return NULL;
}

bool
dg_breakdown_needs_blocks (const struct dg_setup *setup)
{
  return dg_by_is_data (dg_by_parse (dg_setup_text (setup, "by")));
}

int
dg_breakdown_check_mine (struct dg_setup *setup, enum dg_by by,
                         struct dg_error *err)
{
  const struct dg_mine *mine;

  if (by == DG_BY_FUNCTION || by == DG_BY_LINE || dg_by_is_data (by))
    return 0;
  if (dg_setup_mine (setup, &mine, err) < 0)
    return DG_ERR_NOMEM;
  return mine == NULL
           ? 0
           : dg_error_set (err, DG_ERR_INVALID,
                           "--mine, --program and --script need "
                           "--by=function, line, variable or site");
}

/* ---- Columns ---- */

/* What a row can be told with; a column's `what` picks.  */
enum part {
  NAME,
  THREAD,
  FUNCTION,
  MODULE,
  FILE_,
  LINE,
  ADDRESS,
  KIND,
  TYPE,
  COLUMN
};

static const struct dg_column parts[] = {
  [NAME] = {"name", "Name", DG_UNIT_TEXT, DG_COLUMN_LAST},
  [THREAD] = {"thread", "Thread", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
  [FUNCTION] = {"function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [MODULE] = {"module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [FILE_] = {"file", "File", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [LINE] = {"line", "Line", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
  [ADDRESS] = {"instruction", "Address", DG_UNIT_ADDRESS, DG_COLUMN_JSON_ONLY},
  [KIND] = {"kind", "Kind", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [TYPE] = {"type", "Type", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [COLUMN] = {"column", "Column", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
};

struct choice {
  const char *title;
  unsigned n;
  enum part parts[6];
};

static const struct choice *
choose (enum dg_by by)
{
  static const struct choice choices[] = {
    [DG_BY_NOTHING] = {"Name", 1, {NAME}},
    [DG_BY_THREAD] = {"Thread", 2, {NAME, THREAD}},
    [DG_BY_FUNCTION] = {"Function", 3, {NAME, FUNCTION, MODULE}},
    [DG_BY_LINE] = {"Line", 5, {NAME, FILE_, LINE, FUNCTION, MODULE}},
    [DG_BY_MODULE] = {"Module", 2, {NAME, MODULE}},
    [DG_BY_INSTRUCTION] = {"Instruction",
                           6,
                           {NAME, ADDRESS, FILE_, LINE, FUNCTION, MODULE}},
    [DG_BY_VARIABLE] = {"Variable",
                        6,
                        {NAME, KIND, TYPE, FILE_, LINE, COLUMN}},
    [DG_BY_SITE] = {"Allocated by", 4, {NAME, FILE_, LINE, COLUMN}},
  };
  return &choices[by];
}

/* NULL: it is not known what was accessed.  */
static const char *
kind_name (const struct dg_named *named)
{
  switch (named->kind) {
  case DG_VARIABLE_HEAP:
    return "heap";
  case DG_VARIABLE_RANGE:
    return "range";
  case DG_VARIABLE_GLOBAL:
    return "global";
  case DG_VARIABLE_LOCAL:
    return "local";
  case DG_VARIABLE_THREAD:
    return "thread-local";
  default:
    return NULL;
  }
}

static struct dg_cell
tell (const struct dg_breakdown_group *group, enum part part)
{
  const struct dg_named *named = group->named;

  switch (part) {
  case THREAD:
    return DG_CELL_NUMBER (group->thread);
  case FUNCTION:
    return DG_CELL_TEXT (group->function);
  case MODULE:
    return DG_CELL_TEXT (group->module);
  case FILE_:
    return DG_CELL_TEXT (group->file);
  case LINE:
    if (group->line == 0)
      return DG_CELL_EMPTY;
    return DG_CELL_NUMBER (group->line);
  case ADDRESS:
    return DG_CELL_NUMBER (group->address);
  case KIND:
    return DG_CELL_TEXT (named != NULL ? kind_name (named) : NULL);
  case TYPE:
    return DG_CELL_TEXT (named != NULL ? named->type : NULL);
  case COLUMN:
    if (named == NULL || named->column == 0)
      return DG_CELL_EMPTY;
    return DG_CELL_NUMBER (named->column);
  default:
    return DG_CELL_TEXT (group->name);
  }
}

/* ---- The table ---- */

static int
pace (void *user, uint64_t done, uint64_t total)
{
  return dg_report_pace (user, done, total, NULL);
}

int
dg_breakdown_report (struct dg_breakdown *breakdown,
                     const struct dg_breakdown_table *table,
                     struct dg_report *report, struct dg_error *err)
{
  const struct choice *choice = choose (dg_breakdown_by (breakdown));
  size_t n_columns = table->n_columns + choice->n, n;
  struct dg_column columns[DG_BREAKDOWN_COLUMNS + 6];
  struct dg_cell cells[DG_BREAKDOWN_COLUMNS + 6];
  const struct dg_breakdown_group *rows;
  struct dg_rows *out;
  struct dg_error why;

  g_assert (table->n_columns <= DG_BREAKDOWN_COLUMNS);
  rows = dg_breakdown_rows (breakdown, table->weigh, table->user, pace, report,
                            &n, &why);
  if (rows == NULL)
    return dg_error_copy (err, &why);
  memcpy (columns, table->columns, table->n_columns * sizeof *columns);
  for (unsigned i = 0; i < choice->n; i++)
    columns[table->n_columns + i] = parts[choice->parts[i]];
  columns[table->n_columns].title = choice->title;
  out = dg_report_table (report, table->key, table->title, columns, n_columns);
  for (size_t i = 0; i < n; i++) {
    memset (cells, 0, sizeof cells);
    table->fill (rows[i].sums, cells, table->user);
    for (unsigned k = 0; k < choice->n; k++)
      cells[table->n_columns + k] = tell (&rows[i], choice->parts[k]);
    dg_rows_add (out, cells);
  }
  return 0;
}
