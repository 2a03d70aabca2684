/* query.c: text to what it means, and names that match it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "query.h"

#include <string.h>

#include <glib.h>

#include "format.h"

/* Longer ones mean nothing.  */
#define MAX_TEXT 4096

/* ---- Numbers --------------------------------------------------------- */

static bool
is_hex (const char *text)
{
  return g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");
}

/* Digits of an address without its 0x: with a letter among them, or leading
   zeros, as debuggers and maps print them.  */
static bool
looks_hex (const char *text)
{
  size_t n = strlen (text);
  return n >= 4 && n <= 16 && strspn (text, "0123456789abcdefABCDEF") == n
         && (*text == '0' || strspn (text, "0123456789") < n)
         && strcspn (text, "0123456789") < n;
}

static bool
parse_bare_hex (const char *text, uint64_t *number)
{
  char *hex = g_strconcat ("0x", text, NULL);
  bool good = dv_parse_number (hex, number);
  g_free (hex);
  return good;
}

static void
parse_address (struct dv_query *query, const char *text)
{
  query->has_address = is_hex (text) ? dv_parse_number (text, &query->address)
                                     : parse_bare_hex (text, &query->address);
}

/* A..B; as addresses if one of them is hexadecimal or `addresses`.  */
static bool
parse_interval (struct dv_query *query, const char *text, bool addresses,
                bool counts)
{
  uint64_t start, end;
  if (strstr (text, "..") == NULL || !dv_parse_interval (text, &start, &end))
    return false;
  const char *second = strstr (text, "..") + 2;
  if (!counts && (addresses || is_hex (text) || is_hex (second))) {
    query->has_addresses = true;
    query->address_start = start;
    query->address_end = end;
  } else {
    query->has_icounts = true;
    query->icount_start = start;
    query->icount_end = end;
  }
  return true;
}

/* ---- Queries --------------------------------------------------------- */

static void
parse_numbers (struct dv_query *query, const char *text)
{
  if (parse_interval (query, text, false, false))
    return;
  if (is_hex (text)) {
    parse_address (query, text);
    return;
  }
  if (looks_hex (text))
    parse_address (query, text);
  query->has_icount = dv_parse_number (text, &query->icount);
}

/* What stands before the colon; false if it is nothing of ours, such as the
   namespace of a function.  */
static bool
parse_prefixed (struct dv_query *query, const char *text)
{
  static const struct { const char *prefix; unsigned kinds; } names[] = {
    { "fn:", 1 << DV_NAME_FUNCTION },
    { "user:", 1 << DV_NAME_EVENT | 1 << DV_NAME_RANGE },
    { "thread:", 1 << DV_NAME_THREAD },
    { "dso:", 1 << DV_NAME_MODULE },
  };
  if (g_str_has_prefix (text, "i:") && text[2] != ':') {
    if (!parse_interval (query, text + 2, false, true))
      query->has_icount = dv_parse_number (text + 2, &query->icount);
    return true;
  }
  if (g_str_has_prefix (text, "a:") && text[2] != ':') {
    if (!parse_interval (query, text + 2, true, false))
      parse_address (query, text + 2);
    return true;
  }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    size_t n = strlen (names[i].prefix);
    if (strncmp (text, names[i].prefix, n) == 0 && text[n] != ':') {
      query->kinds = names[i].kinds;
      if (text[n] != '\0')
        query->name = dv_query_fold (text + n);
      return true;
    }
  }
  return false;
}

void
dv_query_parse (struct dv_query *query, const char *text)
{
  *query = (struct dv_query){ 0 };
  if (strlen (text) > MAX_TEXT)
    return;
  char *trimmed = g_strstrip (g_strdup (text));
  if (*trimmed != '\0' && !parse_prefixed (query, trimmed)) {
    parse_numbers (query, trimmed);
    /* Numbers that can be nothing else are not names.  */
    if (!query->has_icount && !query->has_icounts && !query->has_addresses
        && !is_hex (trimmed)) {
      query->kinds = (1 << DV_NAME_KINDS) - 1;
      query->name = dv_query_fold (trimmed);
    }
  }
  g_free (trimmed);
}

void
dv_query_clear (struct dv_query *query)
{
  g_free (query->name);
  *query = (struct dv_query){ 0 };
}

bool
dv_query_is_empty (const struct dv_query *query)
{
  return !query->has_address && !query->has_addresses && !query->has_icount
         && !query->has_icounts && query->name == NULL;
}

/* ---- Names ----------------------------------------------------------- */

char *
dv_query_fold (const char *name)
{
  char *valid = g_utf8_make_valid (name, -1);
  char *folded = g_utf8_casefold (valid, -1);
  g_free (valid);
  return folded;
}

static bool
is_letter (char c)
{
  return g_ascii_isalnum (c) || (unsigned char) c >= 0x80;
}

int
dv_query_rank (const char *name, const char *asked)
{
  size_t n = strlen (asked);
  int best = 0;
  for (const char *at = strstr (name, asked); at != NULL;
       at = strstr (at + 1, asked)) {
    int rank = at == name ? 3 : is_letter (at[-1]) ? 1 : 2;
    /* All of the name, or of what stands behind the last "::".  */
    bool begins = at == name
                  || (at >= name + 2 && at[-1] == ':' && at[-2] == ':');
    if (begins && (at[n] == '\0' || at[n] == '('))
      rank = 4;
    best = MAX (best, rank);
    if (best == 4)
      break;
  }
  return best;
}
