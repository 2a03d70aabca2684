/* time_settings.c: figures of a processor by their names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_settings.h"

#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

#define OF_KIND(name, member, least, most, kind)                       \
  {                                                                    \
    name, offsetof (struct dg_time_machine, member), least, most,      \
      DG_TIME_SETTING_##kind                                           \
  }
#define WORD(name, member, least, most) \
  OF_KIND (name, member, least, most, WORD)
#define LATENCY(name, work) \
  OF_KIND (name "-latency", latency[DG_INSN_##work], 1, UINT8_MAX, BYTE)

static const struct dg_time_setting settings[] = {
  OF_KIND ("mhz", ghz, 1, 100000, MHZ),
  WORD ("width", width, 1, 64),
  WORD ("window", window, 8, DG_TIME_WINDOW),
  WORD ("stores", stores, 4, DG_TIME_STORES),
  WORD ("taken", taken, 1, 8),
  WORD ("mispredicted", mispredicted, 0, 1000),
  WORD ("memory", memory, 1, 100000),
  WORD ("nodes", nodes, 1, DG_TIME_NODES),
  WORD ("remote", remote, 0, 100000),
  WORD ("l2-gap", l2_gap, 0, 10000),
  WORD ("l3-gap", l3_gap, 0, 10000),
  WORD ("memory-gap", memory_gap, 0, 10000),
  WORD ("misses", misses, 1, DG_TIME_MISSES),
  WORD ("set-gap", set_gap, 0, 10000),
  WORD ("bank-gap", bank_gap, 0, 10000),
  WORD ("refill", refill, 0, 10000),
  WORD ("walk", walk, 0, 10000),
  WORD ("walkers", walkers, 1, DG_TIME_WALKERS),
  WORD ("forward", forward, 3, 1000),
  WORD ("forward-fails", forward_fails, 0, 1000),
  WORD ("alias", alias, 0, 1000),
  OF_KIND ("renames-memory", renames_memory, 0, 1, FLAG),
  WORD ("locked", locked, 0, 255),
  WORD ("repeat-start", repeat_start, 0, 1000),
  WORD ("repeat-bytes", repeat_bytes, 1, 1024),
  WORD ("page", page, 0, 10000000),
  WORD ("l1-latency", l1.latency, 1, 1000),
  WORD ("l2-latency", l2.latency, 1, 1000),
  WORD ("l3-latency", l3.latency, 1, 10000),
  WORD ("l1-ways", l1.ways, 1, 64),
  WORD ("l2-ways", l2.ways, 1, 64),
  WORD ("l3-ways", l3.ways, 1, 64),
  WORD ("code-ways", code.ways, 1, 64),
  WORD ("code-lines", code.entries, 1, 1u << 24),
  WORD ("l1-lines", l1.entries, 1, 1u << 24),
  WORD ("l2-lines", l2.entries, 1, 1u << 24),
  WORD ("l3-lines", l3.entries, 1, 1u << 24),
  WORD ("tlb-pages", tlb.entries, 1, 1u << 24),
  WORD ("tlb2-pages", tlb2.entries, 1, 1u << 24),
  WORD ("tlb2-latency", tlb2.latency, 0, 1000),
  LATENCY ("multiply", MULTIPLY),
  LATENCY ("divide", DIVIDE),
  LATENCY ("float-add", FLOAT_ADD),
  LATENCY ("float-multiply", FLOAT_MULTIPLY),
  LATENCY ("float-divide", FLOAT_DIVIDE),
  LATENCY ("root", FLOAT_ROOT),
};

static const struct dg_time_setting *
find (const char *name, size_t n)
{
  for (size_t i = 0; i < G_N_ELEMENTS (settings); i++)
    if (strlen (settings[i].name) == n
        && strncmp (settings[i].name, name, n) == 0)
      return &settings[i];
  return NULL;
}

const struct dg_time_setting *
dg_time_setting_find (const char *name)
{
  return find (name, strlen (name));
}

uint32_t
dg_time_setting_get (const struct dg_time_setting *setting,
                     const struct dg_time_machine *machine)
{
  const void *at = (const char *) machine + setting->offset;

  switch (setting->kind) {
  case DG_TIME_SETTING_BYTE:
    return *(const uint8_t *) at;
  case DG_TIME_SETTING_FLAG:
    return *(const bool *) at;
  case DG_TIME_SETTING_MHZ:
    return (uint32_t) (*(const double *) at * 1000 + 0.5);
  default:
    return *(const uint32_t *) at;
  }
}

void
dg_time_setting_put (const struct dg_time_setting *setting,
                     struct dg_time_machine *machine, uint32_t value)
{
  void *at = (char *) machine + setting->offset;

  g_assert (value >= setting->least && value <= setting->most);
  switch (setting->kind) {
  case DG_TIME_SETTING_BYTE:
    *(uint8_t *) at = (uint8_t) value;
    break;
  case DG_TIME_SETTING_FLAG:
    *(bool *) at = value != 0;
    break;
  case DG_TIME_SETTING_MHZ:
    *(double *) at = value / 1000.0;
    break;
  default:
    *(uint32_t *) at = value;
  }
}

int
dg_time_settings_take (const char *text, const char *where,
                       struct dg_time_machine *machine, struct dg_error *err)
{
  const char *equals = strchr (text, '='),
             *at = equals != NULL ? equals + 1 : NULL;
  size_t n = equals != NULL ? (size_t) (equals - text) : strlen (text);
  const struct dg_time_setting *setting = find (text, n);
  uint64_t value;

  if (setting == NULL)
    return dg_error_set (err, DG_ERR_INVALID, "%s: there is no figure '%.*s'",
                         where, (int) MIN (n, 40), text);
  if (equals == NULL
      || !dg_number_take (&at, "", DG_QUANTITY_COUNT, &value) || *at != '\0'
      || value < setting->least || value > setting->most)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: %s must be a number from %u to %u", where,
                         setting->name, setting->least, setting->most);
  dg_time_setting_put (setting, machine, (uint32_t) value);
  return 0;
}
