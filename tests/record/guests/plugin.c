/* plugin.c: a library that memory-map.c loads and unloads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

volatile int plugin_data[64];

int plugin_work (int n);

int
plugin_work (int n)
{
  for (int i = 0; i < n; i++)
    plugin_data[i % 64] = i;
  return n;
}
