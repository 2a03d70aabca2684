/* sharing_contents.c: what is in a line that threads share, and what to do
   about it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>
#include <string.h>

#include "base/compare.h"

/* Characters of names in one line of text, but for the first.  */
#define MOST_TEXT 50
/* A share of a line's accesses: one in so many.  */
#define SLIGHT 100

/* ---- Contents ----------------------------------------------------------- */

void
sharing_contents_init (struct sharing_contents *contents,
                       struct sharing *sharing)
{
  *contents = (struct sharing_contents){
    .sharing = sharing,
    .cursor = dg_sums_begin (&sharing->sums.packed, false),
    .sums = g_array_new (FALSE, FALSE, sizeof (struct dg_sum)),
  };
}

void
sharing_contents_fini (struct sharing_contents *contents)
{
  g_array_unref (contents->sums);
}

/* The next sum of a line that was sought; NULL: there is no other.  */
static const struct dg_sum *
next_sum (struct sharing_contents *contents,
          const struct dg_line_verdict *verdict)
{
  const struct dg_sum *sum = dg_sums_next (&contents->cursor);
  unsigned shift = contents->sharing->shared_lines.line_shift;

  if (sum == NULL || sum->key[SHARING_ADDRESS] >> shift == verdict->line)
    return sum;
  contents->cursor.is_held = true;
  return NULL;
}

static void
seek (struct sharing_contents *contents, const struct dg_line_verdict *verdict)
{
  dg_sums_seek (&contents->cursor,
                verdict->line << contents->sharing->shared_lines.line_shift);
}

bool
sharing_contents_has (struct sharing_contents *contents,
                      const struct dg_line_verdict *verdict, bool *is_runtime)
{
  struct dg_variables *variables = contents->sharing->variables;
  const struct dg_sum *sum;
  bool has = false;

  *is_runtime = true;
  seek (contents, verdict);
  while (*is_runtime && (sum = next_sum (contents, verdict)) != NULL) {
    has = true;
    *is_runtime = dg_variables_named (variables,
                                      (uint32_t) sum->key[SHARING_VARIABLE])
                    ->is_runtime;
  }
  return has;
}

/* By address, then by name: numbers of variables are not the same in every
   run.  */
static int
compare_sums (const void *a, const void *b, void *user)
{
  struct dg_variables *variables = user;
  const uint64_t *x = ((const struct dg_sum *) a)->key;
  const uint64_t *y = ((const struct dg_sum *) b)->key;

  if (x[SHARING_ADDRESS] != y[SHARING_ADDRESS]
      || x[SHARING_VARIABLE] == y[SHARING_VARIABLE])
    return dg_sum_compare (a, b);
  return sharing_compare_named (
           dg_variables_named (variables, (uint32_t) x[SHARING_VARIABLE]),
           dg_variables_named (variables, (uint32_t) y[SHARING_VARIABLE]))
           ?: DG_COMPARE (x[SHARING_VARIABLE], y[SHARING_VARIABLE]);
}

void
sharing_contents_load (struct sharing_contents *contents,
                       const struct dg_line_verdict *verdict)
{
  const struct dg_sum *sum;

  contents->verdict = verdict;
  g_array_set_size (contents->sums, 0);
  seek (contents, verdict);
  while ((sum = next_sum (contents, verdict)) != NULL)
    g_array_append_val (contents->sums, *sum);
  g_array_sort_with_data (contents->sums, compare_sums,
                          contents->sharing->variables);
}

bool
sharing_contents_next (const struct sharing_contents *contents, guint *at,
                       struct sharing_content *out)
{
  const struct dg_sum *first, *sum;
  guint end = contents->sums->len;

  if (*at >= end)
    return false;
  first = &g_array_index (contents->sums, struct dg_sum, *at);
  *out = (struct sharing_content){
    .address = first->key[SHARING_ADDRESS],
    .named = dg_variables_named (contents->sharing->variables,
                                 (uint32_t) first->key[SHARING_VARIABLE]),
    .sums = first };
  for (sum = first; *at < end; sum++, ++*at) {
    if (sum->key[SHARING_ADDRESS] != out->address
        || sum->key[SHARING_VARIABLE] != first->key[SHARING_VARIABLE])
      break;
    out->reads += sum->reads;
    out->writes += sum->writes;
    out->n++;
  }
  return true;
}

/* ---- Names -------------------------------------------------------------- */

struct name {
  const struct dg_named *named;
  uint64_t accesses;
};

static int
compare_names (const void *a, const void *b)
{
  const struct name *x = a, *y = b;

  return DG_COMPARE (y->accesses, x->accesses)
           ?: strcmp (x->named->name, y->named->name);
}

GArray *
sharing_contents_names (const struct sharing_contents *contents)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (struct name));
  struct sharing_content content;
  guint at = 0;

  while (sharing_contents_next (contents, &at, &content)) {
    struct name new = { content.named, 0 }, *name = NULL;

    for (guint i = 0; i < names->len && name == NULL; i++) {
      name = &g_array_index (names, struct name, i);
      if (strcmp (name->named->name, new.named->name) != 0)
        name = NULL;
    }
    if (name == NULL) {
      g_array_append_val (names, new);
      name = &g_array_index (names, struct name, names->len - 1);
    }
    name->accesses += content.reads + content.writes;
  }
  g_array_sort (names, compare_names);
  return names;
}

bool
sharing_contents_is_slight (const struct sharing_contents *contents,
                            uint64_t accesses)
{
  return accesses * SLIGHT
         < contents->verdict->reads + contents->verdict->writes;
}

char *
sharing_contents_text (const struct sharing_contents *contents,
                       const GArray *names)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < names->len; i++) {
    const struct name *name = &g_array_index (names, struct name, i);

    if (i > 0 && (text->len + strlen (name->named->name) > MOST_TEXT
                  || sharing_contents_is_slight (contents, name->accesses)))
      break;
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            name->named->name);
  }
  if (i < names->len)
    g_string_append_printf (text, " and %u more", names->len - i);
  return g_string_free (text, FALSE);
}

/* Also a local that nobody knows, "main().<NA>".  */
static bool
is_nameless (const struct dg_named *named)
{
  return g_str_has_suffix (named->name, "<NA>");
}

/* Where most of a line's accesses are for bytes that threads have in common,
   it stays a shared one wherever the others go.  */
static bool
is_mostly_true (const struct dg_line_verdict *verdict)
{
  return verdict->true_accesses > verdict->false_accesses;
}

/* Locals of two functions are neighbours by chance.  */
static bool
are_of_two_frames (const struct dg_named *a, const struct dg_named *b)
{
  const char *end = strstr (a->name, "().");

  return a->kind == DG_VARIABLE_LOCAL && b->kind == DG_VARIABLE_LOCAL
         && (end == NULL
             || strncmp (a->name, b->name, (size_t) (end - a->name) + 3) != 0);
}

/* The thread that writes most of it; 0: none writes.  */
static uint32_t
writer_of (const struct sharing_content *content)
{
  uint64_t most = 0, writes = 0;
  uint32_t writer = 0, thread = 0;

  /* Counts of a thread stand together.  */
  for (guint i = 0; i < content->n; i++) {
    const struct dg_sum *sum = &content->sums[i];

    if (sum->key[SHARING_THREAD] != thread)
      writes = 0;
    thread = (uint32_t) sum->key[SHARING_THREAD];
    writes += sum->writes;
    if (writes > most) {
      most = writes;
      writer = thread;
    }
  }
  return writer;
}

/* Whether the same field of several elements is in the line, and different
   threads write it: an element is a thread's, as a whole.  */
static bool
is_by_element (const struct sharing_contents *contents,
               const struct dg_named *field)
{
  struct sharing_content content;
  uint32_t writer = 0;
  guint at = 0;

  while (sharing_contents_next (contents, &at, &content)) {
    uint32_t other = strcmp (content.named->name, field->name) == 0
                       ? writer_of (&content) : 0;

    if (other != 0 && writer != 0 && other != writer)
      return true;
    writer = other != 0 ? other : writer;
  }
  return false;
}

char *
sharing_contents_advice (const struct sharing_contents *contents,
                         const GArray *names)
{
  const uint64_t line_size =
    (uint64_t) 1 << contents->sharing->shared_lines.line_shift;
  const struct dg_named *first, *other;
  bool is_one_whole = true, is_heap = true;
  guint n = 0;

  if (names->len == 0 || is_mostly_true (contents->verdict))
    return g_strdup ("");
  while (n < names->len
         && (n == 0
             || !sharing_contents_is_slight (
               contents, g_array_index (names, struct name, n).accesses)))
    n++;
  first = g_array_index (names, struct name, 0).named;
  other = n > 1 ? g_array_index (names, struct name, 1).named : first;
  if (is_nameless (first) || is_nameless (other))
    return g_strdup ("");
  if (n == 1)
    return g_strdup_printf ("give each element of %s %" PRIu64
                            " bytes of its own (padding), or each thread its "
                            "own copy", first->name, line_size);
  if (are_of_two_frames (first, other))
    return g_strdup ("");
  for (guint i = 0; i < n; i++) {
    const struct dg_named *named = g_array_index (names, struct name, i).named;

    is_one_whole = is_one_whole
                   && strcmp (named->whole, first->whole) == 0;
    is_heap = is_heap && named->kind == DG_VARIABLE_HEAP;
  }
  if (is_one_whole && is_by_element (contents, first))
    return g_strdup_printf ("give each element of %s %" PRIu64
                            " bytes of its own (padding), or each thread its "
                            "own copy", first->whole, line_size);
  if (is_one_whole)
    return g_strdup_printf ("put %s and %s into different lines: alignas (%"
                            PRIu64 ") before the field that other threads "
                            "write",
                            first->name, other->name, line_size);
  if (is_heap)
    return g_strdup_printf ("allocate what different threads write with "
                            "aligned_alloc (%" PRIu64 ", ...)", line_size);
  return g_strdup_printf ("alignas (%" PRIu64 ") on %s and on %s", line_size,
                          first->name, other->name);
}
