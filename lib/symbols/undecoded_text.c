/* undecoded_text.c: a sentence about the instruction that Valgrind does not
   know, at which a program ended.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "frame_text.h"

/* Bytes that are shown: the prefixes and the operation code of most.  */
#define SHOWN 8

/* "kernel (k.c:12)", or the address; to be freed.  */
static char *
place (const struct dg_log *log, const struct dg_undecoded *undecoded)
{
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, NULL);
  struct dg_frame frame = { 0 };
  char *text;

  if (symbols != NULL)
    dg_symbols_frames (symbols, undecoded->address, undecoded->icount, &frame,
                       1);
  text = dg_frame_text (&frame, undecoded->address);
  dg_symbols_free (symbols);
  return text;
}

static void
add_code (GString *text, const struct dg_undecoded *undecoded)
{
  uint32_t n = MIN (undecoded->n_code, SHOWN);

  for (uint32_t i = 0; i < n; i++)
    g_string_append_printf (text, "%s%02x", i == 0 ? " (code " : " ",
                            undecoded->code[i]);
  if (n > 0)
    g_string_append_c (text, ')');
}

/* Who has code for several processors chooses by what CPUID says, which under
   Valgrind is a processor without these sets.  So the program was built for
   them.  Of 32-bit programs Valgrind knows SSE3 and what is older.  */
char *
dg_undecoded_remedy (const struct dg_log *log)
{
  static const char *const later[] = { "AVX-512", "AMX", "AVX-VNNI",
                                       "AVX-IFMA", "GFNI", "VAES",
                                       "VPCLMULQDQ", "APX", "AVX" };
  const struct dg_undecoded *undecoded = dg_log_undecoded (log);
  const char *march = dg_log_header (log)->word_size == 4 ? "i686"
                                                          : "x86-64-v3";

  if (undecoded == NULL)
    return NULL;
  if (undecoded->set[0] == '\0')
    return g_strdup ("the program jumped to a wrong address, or was built for "
                     "newer processors (-march=native)");
  for (unsigned i = 0; i < G_N_ELEMENTS (later); i++)
    if (strcmp (undecoded->set, later[i]) == 0)
      return g_strdup_printf ("build the code without %s, for example with "
                              "-march=%s", undecoded->set, march);
  return g_strdup_printf ("build the code without %s", undecoded->set);
}

char *
dg_undecoded_text (const struct dg_log *log)
{
  const struct dg_undecoded *undecoded = dg_log_undecoded (log);
  char *where, *remedy;
  GString *text;

  if (undecoded == NULL)
    return NULL;
  where = place (log, undecoded);
  text = g_string_new ("Valgrind does not know the ");
  if (undecoded->set[0] != '\0')
    g_string_append_printf (text, "%s ", undecoded->set);
  g_string_append_printf (text, "instruction at 0x%" PRIx64 " in %s",
                          undecoded->address, where);
  add_code (text, undecoded);
  remedy = dg_undecoded_remedy (log);
  g_string_append_printf (text, ", so that the program got SIGILL; %s%s",
                          undecoded->set[0] != '\0' ? "remedy: " : "",
                          remedy);
  g_free (remedy);
  g_free (where);
  return g_string_free (text, FALSE);
}
