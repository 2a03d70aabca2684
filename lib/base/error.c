/* error.c: codes and messages.  Nothing is printed here or anywhere else in
   the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *
dg_code_name (int code)
{
  switch (code) {
  case DG_OK: return "ok";
  case DG_ERR_IO: return "input";
  case DG_ERR_NOMEM: return "not enough memory";
  case DG_ERR_NOT_A_LOG: return "not a log";
  case DG_ERR_VERSION: return "version";
  case DG_ERR_TRUNCATED: return "truncated";
  case DG_ERR_DAMAGED: return "damaged";
  case DG_ERR_CANCELLED: return "cancelled";
  case DG_ERR_FILTER: return "filter";
  case DG_ERR_INVALID: return "invalid";
  case DG_ERR_LIMIT:
    return "limit";
  default: return "unknown";
  }
}

int
dg_error_set (struct dg_error *err, int code, const char *format, ...)
{
  va_list args;

  if (err) {
    err->code = code;
    err->offset = 0;
    va_start (args, format);
    vsnprintf (err->message, sizeof err->message, format, args);
    va_end (args);
  }
  return code;
}

int
dg_error_at (struct dg_error *err, int code, uint64_t offset,
             const char *format, ...)
{
  va_list args;
  int n;

  if (err) {
    err->code = code;
    err->offset = offset;
    n = snprintf (err->message, sizeof err->message,
                  "offset 0x%" PRIx64 ": ", offset);
    va_start (args, format);
    vsnprintf (err->message + n, sizeof err->message - n, format, args);
    va_end (args);
  }
  return code;
}

int
dg_error_nomem (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_NOMEM, "not enough memory");
}

int
dg_error_place (struct dg_error *err, uint64_t offset)
{
  static const char prefix[] = "offset 0x";
  struct dg_error old = *err;
  const char *text = old.message;

  if (old.code != DG_ERR_TRUNCATED && old.code != DG_ERR_DAMAGED)
    return old.code;
  if (strncmp (text, prefix, sizeof prefix - 1) == 0 && strstr (text, ": "))
    text = strstr (text, ": ") + 2;
  return dg_error_at (err, old.code, offset, "%s", text);
}

int
dg_error_copy (struct dg_error *to, const struct dg_error *from)
{
  if (to)
    *to = *from;
  return from->code;
}
