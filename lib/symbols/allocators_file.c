/* allocators_file.c: allocating functions from a file of the user
   (--allocators).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocators_file.h"

#include "allocator_names.h"
#include "libdatagrind.h"
#include "base/error.h"
#include "base/regular.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines may be as long as mangled names are.  */
#define MOST_LINE 65536

struct dg_allocators {
  GHashTable *by_name; /* -> struct dg_allocator_entry */
};

/* What everybody knows, where the address is returned unless said.  */
static const struct {
  const char *name;
  struct dg_allocator_entry allocator;
} known[] = {
  {"malloc", {-1, 0, -1}},         {"calloc", {0, 1, -1}},
  {"realloc", {-1, 1, -1}},        {"reallocarray", {1, 2, -1}},
  {"memalign", {-1, 1, -1}},       {"aligned_alloc", {-1, 1, -1}},
  {"posix_memalign", {-1, 2, 0}},  {"valloc", {-1, 0, -1}},
  {"pvalloc", {-1, 0, -1}},        {"operator new", {-1, 0, -1}},
  {"operator new[]", {-1, 0, -1}},
};

static void
enter (struct dg_allocators *allocators, const char *name,
       const struct dg_allocator_entry *allocator)
{
  struct dg_allocator_entry *copy = g_new (struct dg_allocator_entry, 1);

  *copy = *allocator;
  g_hash_table_replace (allocators->by_name, g_strdup (name), copy);
}

/* The next word of a line, which is cut out of it; NULL at the end.  */
static char *
next_word (char **at)
{
  char *word = *at + strspn (*at, " \t\r\n");
  size_t n = strcspn (word, " \t\r\n");

  if (n == 0)
    return NULL;
  *at = word + n;
  if (**at != '\0')
    *(*at)++ = '\0';
  return word;
}

static bool
parse_position (const char *word, int32_t *position)
{
  char *end;
  long value;

  errno = 0;
  value = strtol (word, &end, 10);
  if (*word == '\0' || *end != '\0' || errno != 0 || value < -1 || value > 255)
    return false;
  *position = (int32_t) value;
  return true;
}

/* Names of C++ have spaces: the last three words are the positions, all
   before them the name.  */
static int
parse_line (struct dg_allocators *allocators, char *line, const char *path,
            unsigned number, struct dg_error *err)
{
  struct dg_allocator_entry allocator;
  int32_t *positions[] = {&allocator.number, &allocator.size,
                          &allocator.address};
  GPtrArray *words = g_ptr_array_new ();
  GString *name;
  char *word;
  int code = 0;

  line[strcspn (line, "#")] = '\0';
  while ((word = next_word (&line)) != NULL)
    g_ptr_array_add (words, word);
  if (words->len == 0)
    goto out;
  if (words->len < 4) {
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%.120s:%u: expected NAME NUMBER SIZE ADDRESS", path,
                         number);
    goto out;
  }
  for (guint i = 0; i < 3 && code == 0; i++) {
    const char *text = g_ptr_array_index (words, words->len - 3 + i);

    if (!parse_position (text, positions[i]))
      code = dg_error_set (err, DG_ERR_INVALID,
                           "%.120s:%u: '%.40s' is not the position of an "
                           "argument (0 to 255, or -1)",
                           path, number, text);
  }
  if (code < 0)
    goto out;
  name = g_string_new (g_ptr_array_index (words, 0));
  for (guint i = 1; i < words->len - 3; i++)
    g_string_append_printf (name, " %s",
                            (const char *) g_ptr_array_index (words, i));
  enter (allocators, name->str, &allocator);
  g_string_free (name, TRUE);
out:
  g_ptr_array_unref (words);
  return code;
}

static int
read_file (struct dg_allocators *allocators, const char *path,
           struct dg_error *err)
{
  struct dg_error why;
  int code = dg_regular_open (path, &why);
  FILE *file = code >= 0 ? fdopen (code, "r") : NULL;
  char *line = g_malloc (MOST_LINE);
  unsigned number = 0;

  if (file == NULL) {
    g_free (line);
    if (code >= 0) {
      close (code);
      return dg_error_nomem (err);
    }
    return dg_error_set (err, code, "%.120s: %s", path, why.message);
  }
  code = 0;
  while (code == 0 && fgets (line, MOST_LINE, file) != NULL) {
    number++;
    if (strchr (line, '\n') == NULL && !feof (file))
      code = dg_error_set (err, DG_ERR_INVALID,
                           "%.120s:%u: the line is too long", path, number);
    else
      code = parse_line (allocators, line, path, number, err);
  }
  if (code == 0 && ferror (file))
    code =
      dg_error_set (err, DG_ERR_IO, "%.120s: %s", path, g_strerror (errno));
  fclose (file);
  g_free (line);
  return code;
}

struct dg_allocators *
dg_allocators_new (const char *path, struct dg_error *err)
{
  struct dg_allocators *allocators = g_new (struct dg_allocators, 1);

  allocators->by_name =
    g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, g_free);
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    enter (allocators, known[i].name, &known[i].allocator);
  if (path != NULL && read_file (allocators, path, err) < 0) {
    dg_allocators_free (allocators);
    return NULL;
  }
  return allocators;
}

void
dg_allocators_add (struct dg_allocators *allocators, const char *name)
{
  static const struct dg_allocator_entry unknown = {-1, -1, -1};

  enter (allocators, name, &unknown);
}

void
dg_allocators_free (struct dg_allocators *allocators)
{
  if (allocators == NULL)
    return;
  g_hash_table_unref (allocators->by_name);
  g_free (allocators);
}

const struct dg_allocator_entry *
dg_allocators_find (const struct dg_allocators *allocators,
                    const char *function)
{
  const struct dg_allocator_entry *found =
    g_hash_table_lookup (allocators->by_name, function);
  size_t n = strcspn (function, "(");
  char *bare;

  if (found != NULL || function[n] == '\0' || n == 0)
    return found;
  bare = g_strndup (function, n);
  found = g_hash_table_lookup (allocators->by_name, bare);
  if (found == NULL) {
    bare[strcspn (bare, "<")] = '\0';
    found = g_hash_table_lookup (allocators->by_name, bare);
  }
  g_free (bare);
  return found;
}

/* ---- Frames ----------------------------------------------------------- */

bool
dg_frame_is_allocator (const struct dg_allocators *allocators,
                       const struct dg_frame *frame)
{
  const char *function = frame->function;

  if (frame->module != NULL && dg_allocator_module_is_preload (frame->module))
    return true;
  if (frame->file != NULL && dg_allocator_source_is_standard (frame->file))
    return true;
  return function != NULL
         && (dg_allocator_function_is_standard (function)
             || dg_allocator_is_known (function)
             || (allocators != NULL
                 && dg_allocators_find (allocators, function) != NULL));
}
