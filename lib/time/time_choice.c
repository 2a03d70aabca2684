/* time_choice.c: the processor that --machine asks for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_choice.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "time_host.h"
#include "time_settings.h"

static int
fail_name (const char *name, struct dg_error *err)
{
  GString *names = g_string_new (NULL);
  const struct dg_time_machine *machine;
  int code;

  for (size_t i = 0; (machine = dg_time_machine_at (i)) != NULL; i++)
    g_string_append_printf (names, "%s, ", machine->name);
  code = dg_error_set (err, DG_ERR_INVALID,
                       "--machine: there is no '%.40s'; there are %shost",
                       name, names->str);
  g_string_free (names, TRUE);
  return code;
}

static int
find_machine (const char *name, const char *arch,
              struct dg_time_machine *machine, struct dg_error *err)
{
  const struct dg_time_machine *found;

  if (name != NULL && strcmp (name, "host") == 0)
    return dg_time_host_find (machine, err);
  if (name != NULL && strchr (name, '/') != NULL)
    return dg_time_host_read (name, NULL, machine, err);
  found = name == NULL || *name == '\0' ? dg_time_machine_of (arch)
                                        : dg_time_machine_find (name);
  if (found == NULL)
    return fail_name (name, err);
  *machine = *found;
  return 0;
}

int
dg_time_machine_parse (const char *text, const char *arch,
                       struct dg_time_machine *machine, struct dg_error *err)
{
  char **parts = g_strsplit (text != NULL ? text : "", ",", -1);
  int code = find_machine (parts[0], arch, machine, err);

  for (unsigned i = 1; code == 0 && parts[0] != NULL && parts[i] != NULL; i++)
    code = dg_time_settings_take (parts[i], "--machine", machine, err);
  g_strfreev (parts);
  return code;
}

int
dg_time_machine_choose (const char *text, const struct dg_log *log,
                        struct dg_time_machine *machine, struct dg_error *err)
{
  const char *arch = dg_insn_arch_name (log);
  int code = dg_time_machine_parse (text, arch, machine, err);

  /* Processors of amd64 execute x86.  */
  if (code == 0 && text != NULL && strcmp (arch, "x86") != 0
      && strcmp (machine->arch, arch) != 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--machine=%s executes %s, but the program is of %s",
                         machine->name, machine->arch, arch);
  return code;
}
