/* time_processor.c: which processor this runs on, and which one of the time
   model is most like it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_processor.h"

#include <glib.h>
#include <string.h>

/* The kernel's list has some kilobytes for each processor; the first is
   enough.  */
#define MOST_BYTES 65536

/* ---- Which one ---- */

/* The value of the first line "NAME : VALUE", to be freed; NULL: none.  */
static char *
value_of (const char *text, const char *name)
{
  for (const char *line = text; line != NULL;
       line = (line = strchr (line, '\n')) != NULL ? line + 1 : NULL) {
    size_t n = strlen (name);
    const char *colon;

    if (strncmp (line, name, n) != 0)
      continue;
    colon = line + n + strspn (line + n, " \t");
    if (*colon == ':')
      return g_strstrip (g_strndup (colon + 1, strcspn (colon + 1, "\n")));
  }
  return NULL;
}

/* In decimal, or in hexadecimal with 0x.  */
static uint32_t
number_of (const char *text, const char *name)
{
  char *value = value_of (text, name);
  uint64_t number = value != NULL ? g_ascii_strtoull (value, NULL, 0) : 0;

  g_free (value);
  return (uint32_t) MIN (number, UINT32_MAX);
}

void
dg_time_processor_parse (const char *text, struct dg_time_processor *processor)
{
  char *vendor = value_of (text, "vendor_id"),
       *implementer = value_of (text, "CPU implementer");

  *processor = (struct dg_time_processor) {0};
  if (vendor != NULL) {
    g_strlcpy (processor->vendor, vendor, sizeof processor->vendor);
    processor->family = number_of (text, "cpu family");
    processor->model = number_of (text, "model");
  } else if (implementer != NULL) {
    g_snprintf (processor->vendor, sizeof processor->vendor, "Arm-%u",
                number_of (text, "CPU implementer"));
    processor->model = number_of (text, "CPU part");
  }
  /* It becomes a part of a line of a file.  */
  g_strcanon (processor->vendor,
              "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
              "0123456789-", '-');
  g_free (vendor);
  g_free (implementer);
}

void
dg_time_processor_here (struct dg_time_processor *processor)
{
  char *text = NULL;

  *processor = (struct dg_time_processor) {0};
  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)) {
    if (strlen (text) > MOST_BYTES)
      text[MOST_BYTES] = '\0';
    dg_time_processor_parse (text, processor);
  }
  g_free (text);
}

char *
dg_time_processor_text (const struct dg_time_processor *processor)
{
  return processor->vendor[0] == '\0'
           ? g_strdup ("unknown")
           : g_strdup_printf ("%s-%u-%u", processor->vendor,
                              processor->family, processor->model);
}

/* ---- The nearest ---- */

/* The first row that fits is taken: the same vendor, and a family and a model
   in these ranges.  A later processor than the last one that is known is most
   like that.  */
static const struct like {
  const char *vendor;
  uint32_t family, family_to, model, model_to;
  const char *machine;
} likes[] = {
  {"AuthenticAMD", 26, UINT32_MAX, 0, UINT32_MAX, "zen5"},
  {"AuthenticAMD", 25, 25, 0x10, 0x1f, "zen4"},
  {"AuthenticAMD", 25, 25, 0x60, 0xff, "zen4"},
  {"AuthenticAMD", 25, 25, 0, UINT32_MAX, "zen3"},
  {"AuthenticAMD", 0, 24, 0, UINT32_MAX, "zen2"},
  {"HygonGenuine", 0, UINT32_MAX, 0, UINT32_MAX, "zen2"},
  /* Ice Lake and Tiger Lake, of servers and of others; Rocket Lake.  */
  {"GenuineIntel", 6, 6, 0x6a, 0x6c, "ice-lake"},
  {"GenuineIntel", 6, 6, 0x7d, 0x7e, "ice-lake"},
  {"GenuineIntel", 6, 6, 0x8c, 0x8d, "ice-lake"},
  {"GenuineIntel", 6, 6, 0xa7, 0xa7, "ice-lake"},
  /* Kaby Lake, Coffee Lake and Comet Lake.  */
  {"GenuineIntel", 6, 6, 0x8e, 0x8e, "skylake"},
  {"GenuineIntel", 6, 6, 0x9e, 0x9e, "skylake"},
  {"GenuineIntel", 6, 6, 0xa5, 0xa6, "skylake"},
  {"GenuineIntel", 6, 6, 0x8f, UINT32_MAX, "golden-cove"},
  {"GenuineIntel", 0, 6, 0, UINT32_MAX, "skylake"},
  {"GenuineIntel", 7, UINT32_MAX, 0, UINT32_MAX, "golden-cove"},
  /* Cores of Arm: V2, V3, X3, X4; V1, X1, X2; all others.  */
  {"Arm-65", 0, 0, 0xd4e, 0xd4f, "neoverse-v2"},
  {"Arm-65", 0, 0, 0xd82, 0xd85, "neoverse-v2"},
  {"Arm-65", 0, 0, 0xd40, 0xd40, "neoverse-v1"},
  {"Arm-65", 0, 0, 0xd44, 0xd44, "neoverse-v1"},
  {"Arm-65", 0, 0, 0xd48, 0xd48, "neoverse-v1"},
  {"Arm-65", 0, 0, 0, UINT32_MAX, "neoverse-n1"},
};

const struct dg_time_machine *
dg_time_processor_nearest (const struct dg_time_processor *processor)
{
#if defined (__aarch64__)
  const char *arch = "arm64";
#else
  const char *arch = "amd64";
#endif

  for (size_t i = 0; i < G_N_ELEMENTS (likes); i++) {
    const struct like *like = &likes[i];

    if (strcmp (like->vendor, processor->vendor) == 0
        && processor->family >= like->family
        && processor->family <= like->family_to
        && processor->model >= like->model
        && processor->model <= like->model_to)
      return dg_time_machine_find (like->machine);
  }
  return dg_time_machine_of (arch);
}
