/* time_host.c: files of dg calibrate: the figures of one machine.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_host.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "time_settings.h"

#define MOST_BYTES 65536
/* Of a path in messages.  */
#define MOST_PATH  100

char *
dg_time_host_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "datagrind", "machine",
                           NULL);
}

/* ---- A file ---- */

struct reader {
  const char *path, *must_be;
  struct dg_time_machine *machine;
  unsigned line;           /* from 1 */
  bool has_machine, has_processor;
};

/* "FILE:12", of a long path its end; to be freed.  */
static char *
place_of (const struct reader *reader)
{
  size_t n = strlen (reader->path);
  const char *end = n > MOST_PATH ? reader->path + n - MOST_PATH
                                  : reader->path;

  return g_strdup_printf ("%s%s:%u", n > MOST_PATH ? "..." : "", end,
                          reader->line);
}

static int
take_processor (struct reader *reader, const char *text, struct dg_error *err)
{
  char *place;
  int code = 0;

  reader->has_processor = true;
  if (reader->must_be != NULL && strcmp (text, reader->must_be) != 0) {
    place = place_of (reader);
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%s: measured on %.40s, but this is %.40s; 'dg"
                         " calibrate' measures it again", place, text,
                         reader->must_be);
    g_free (place);
  }
  return code;
}

/* The name of a processor, or a figure.  */
static int
take_part (struct reader *reader, const char *text, struct dg_error *err)
{
  char *place = place_of (reader);
  const struct dg_time_machine *found;
  int code = 0;

  if (reader->has_machine)
    code = dg_time_settings_take (text, place, reader->machine, err);
  else if ((found = dg_time_machine_find (text)) != NULL) {
    *reader->machine = *found;
    reader->has_machine = true;
  } else
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%s: not a file of 'dg calibrate': there is no"
                         " processor '%.40s'", place, text);
  g_free (place);
  return code;
}

static int
take_line (struct reader *reader, const char *text, struct dg_error *err)
{
  char **parts;
  int code = 0;

  if (*text == '\0' || *text == '#')
    return 0;
  if (g_str_has_prefix (text, "processor="))
    return take_processor (reader, text + strlen ("processor="), err);
  parts = g_strsplit (text, ",", -1);
  for (unsigned i = 0; code == 0 && parts[i] != NULL; i++)
    if (parts[i][0] != '\0' || i == 0)
      code = take_part (reader, g_strstrip (parts[i]), err);
  g_strfreev (parts);
  return code;
}

static int
take_all (struct reader *reader, char *text, struct dg_error *err)
{
  char **lines = g_strsplit (text, "\n", -1), *place;
  int code = 0;

  reader->line = 1;
  for (unsigned i = 0; code == 0 && lines[i] != NULL; i++) {
    reader->line = i + 1;
    code = take_line (reader, g_strstrip (lines[i]), err);
  }
  if (code == 0
      && (!reader->has_machine
          || (reader->must_be != NULL && !reader->has_processor))) {
    place = place_of (reader);
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%s: the file ends without a line %s", place,
                         reader->has_machine ? "'processor='"
                                             : "with a processor's name");
    g_free (place);
  }
  g_strfreev (lines);
  return code;
}

int
dg_time_host_read (const char *path, const char *must_be,
                   struct dg_time_machine *machine, struct dg_error *err)
{
  struct reader reader
    = {.path = path, .must_be = must_be, .machine = machine};
  struct dg_error why = {0};
  char *text = NULL;
  size_t n;
  int code = dg_regular_read (path, MOST_BYTES, &text, &n, NULL, &why);

  if (code < 0)
    return dg_error_set (err, code, "--machine: %.100s: %s", path,
                         why.message);
  if (memchr (text, '\0', n) != NULL || !g_utf8_validate (text, -1, NULL))
    code = dg_error_set (err, DG_ERR_INVALID, "--machine: %.100s: not a text",
                         path);
  else
    code = take_all (&reader, text, err);
  /* The library's memory, not GLib's.  */
  free (text);
  if (code == 0) {
    machine->name = "host";
    machine->origin = DG_TIME_MEASURED;
  }
  return code;
}

/* ---- This machine ---- */

int
dg_time_host_find (struct dg_time_machine *machine, struct dg_error *err)
{
  struct dg_time_processor processor;
  char *path = dg_time_host_path (), *text;
  int code = 0;

  dg_time_processor_here (&processor);
  text = dg_time_processor_text (&processor);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    code = dg_time_host_read (path, text, machine, err);
  else {
    *machine = *dg_time_processor_nearest (&processor);
    machine->origin = DG_TIME_NEAREST;
  }
  g_free (text);
  g_free (path);
  return code;
}

char *
dg_time_host_note (const struct dg_time_machine *machine)
{
  switch (machine->origin) {
  case DG_TIME_MEASURED:
    return g_strdup_printf ("The processor's figures were measured by 'dg "
                            "calibrate'; those of %s fill gaps.",
                            machine->title);
  case DG_TIME_NEAREST:
    return g_strdup_printf ("This machine was not measured: the figures are "
                            "those of %s, which is most like it. 'dg "
                            "calibrate' measures it.", machine->title);
  default:
    return NULL;
  }
}
