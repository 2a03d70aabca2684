/* massif_sites.c: call stacks that ask for memory, and which of their frames
   Massif shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "dg_record.h"
#include "symbols/symbols_valgrind.h"

#include <string.h>

/* Frames that Massif looks at beyond those that it shows.  */
#define MORE_FRAMES 50

/* Of the function at an address.  */
enum {
  HAS_NAME = 1,
  IS_ALLOC = 2,
  IS_IGNORED = 4,
  IS_MAIN = 8,
  IS_BELOW_MAIN = 16,
  IS_KNOWN = 128
};

struct dg_massif_slot {
  const uint64_t *sites;
  uint32_t n;
  uint32_t site;           /* plus 1; 0: free */
  bool is_allocator;
};

/* ---- Functions -------------------------------------------------------- */

static bool
is_one_of (const char *name, const char *const *names, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

static bool
is_alloc_fn (const struct dg_massif_options *options, const char *name)
{
  static const char *const known[] = {
    "malloc", "__builtin_new", "operator new(unsigned)",
    "operator new(unsigned long)", "__builtin_vec_new",
    "operator new[](unsigned)", "operator new[](unsigned long)", "calloc",
    "realloc", "memalign", "posix_memalign", "valloc",
    "operator new(unsigned, std::nothrow_t const&)",
    "operator new[](unsigned, std::nothrow_t const&)",
    "operator new(unsigned long, std::nothrow_t const&)",
    "operator new[](unsigned long, std::nothrow_t const&)"};

  return is_one_of (name, known, G_N_ELEMENTS (known))
         || is_one_of (name, options->alloc_fns, options->n_alloc_fns);
}

static bool
is_below_main (const char *name)
{
  static const char *const below[] = {"__libc_start_main",
                                      "__libc_start_call_main",
                                      "generic_start_main", "_start"};

  return is_one_of (name, below, G_N_ELEMENTS (below))
         || g_str_has_prefix (name, "__libc_start_main.")
         || g_str_has_prefix (name, "generic_start_main.");
}

static guint
kind_of (const struct dg_massif_options *options, const char *name)
{
  guint kind = IS_KNOWN | HAS_NAME;

  if (name == NULL)
    return IS_KNOWN;
  if (strcmp (name, "main") == 0)
    kind |= IS_MAIN;
  if (strcmp (name, DG_MASSIF_BELOW_MAIN) == 0)
    kind |= IS_BELOW_MAIN;
  if (is_alloc_fn (options, name))
    kind |= IS_ALLOC;
  if (is_one_of (name, options->ignore_fns, options->n_ignore_fns))
    kind |= IS_IGNORED;
  return kind;
}

size_t
dg_massif_frames (struct dg_symbols *symbols, uint64_t address,
                  uint64_t icount, struct dg_frame *out)
{
  size_t n = 1;

  memset (&out[0], 0, sizeof out[0]);
  /* Massif knows nothing of scripts.  */
  if (symbols != NULL && DG_IS_SCRIPT (address))
    n = MAX (dg_symbols_frames (symbols, address, icount, out,
                                DG_MASSIF_MAX_FRAMES), 1);
  else if (symbols != NULL)
    n = dg_symbols_valgrind (symbols, address, icount, out,
                             DG_MASSIF_MAX_FRAMES);
  if (out[n - 1].function != NULL && is_below_main (out[n - 1].function))
    out[n - 1].function = DG_MASSIF_BELOW_MAIN;
  return n;
}

/* Of a function as it is, not of those that are inlined into it.  */
static guint
function_kind (struct dg_massif_sites *sites, uint64_t address,
               uint64_t icount)
{
  struct dg_frame frames[DG_MASSIF_MAX_FRAMES];
  uint64_t *key;
  size_t n;
  guint kind;

  if (sites->functions == NULL)
    sites->functions =
      g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, NULL);
  kind =
    GPOINTER_TO_UINT (g_hash_table_lookup (sites->functions, &address));
  if (kind != 0)
    return kind;
  n = dg_massif_frames (sites->symbols, address, icount, frames);
  kind = kind_of (sites->options, frames[n - 1].function);
  key = g_new (uint64_t, 1);
  *key = address;
  g_hash_table_insert (sites->functions, key, GUINT_TO_POINTER (kind));
  return kind;
}

/* ---- Frames that count ------------------------------------------------ */

/* The place of main or, if there is none, of the innermost function that is
   below it.  Massif begins to look where main was at most so far; a stack in
   which main calls itself may so be cut differently later on.  -1: none.  */
static int
find_main (struct dg_massif_sites *sites, const struct dg_massif_site *site)
{
  int n = (int) site->stack.n, found = -1;
  guint kind = 0;

  for (int i = n - 1 - (int) sites->deepest_main; i < n && found < 0; i++) {
    if (i < 0)
      continue;
    kind = function_kind (sites, site->stack.sites[i], site->icount)
           & (IS_MAIN | IS_BELOW_MAIN);
    if (kind != 0)
      found = i;
  }
  for (int i = (found < 0 ? n - 1 : found) - 1; i >= 0 && kind != IS_MAIN;
       i--) {
    guint here = function_kind (sites, site->stack.sites[i], site->icount)
                 & (IS_MAIN | IS_BELOW_MAIN);
    if (here != 0) {
      found = i;
      kind = here;
    }
  }
  if (kind == IS_MAIN)
    sites->deepest_main =
      MAX (sites->deepest_main, (uint32_t) (n - 1 - found));
  return found;
}

/* Leaves out allocation functions at the top, everything if the first named
   function is to be ignored, what is below main, and what is too deep.  */
static void
choose_frames (struct dg_massif_sites *sites, struct dg_massif_site *site)
{
  const uint64_t *at = site->stack.sites;
  int n = (int) site->stack.n, top = 0, main;
  guint kind = 0;

  for (; top < n; top++) {
    kind = function_kind (sites, at[top], site->icount);
    if ((kind & IS_ALLOC) == 0)
      break;
  }
  site->top = (uint16_t) top;
  site->n = 0;
  if (top == n)
    return;
  if (sites->options->n_ignore_fns > 0) {
    for (int i = top; i < n && (kind & HAS_NAME) == 0; i++)
      kind = function_kind (sites, at[i], site->icount);
    if ((kind & IS_IGNORED) != 0)
      return;
  }
  main = find_main (sites, site);
  if (main < 0)
    main = n - 1;
  /* main itself may be an allocation function.  */
  n = main < top ? 1 : main - top + 1;
  site->n = (uint16_t) MIN (n, (int) sites->options->depth);
}

/* ---- Interning -------------------------------------------------------- */

static size_t
hash (const uint64_t *sites, bool is_allocator)
{
  uint64_t x = (uint64_t) (uintptr_t) sites / 8 * 2 + is_allocator;

  x *= UINT64_C (0x9e3779b97f4a7c15);
  return (size_t) (x >> 20);
}

static int
grow_slots (struct dg_massif_sites *sites)
{
  size_t n = sites->slots != NULL ? (sites->mask + 1) * 2 : 1024;
  struct dg_massif_slot *slots = g_try_new0 (struct dg_massif_slot, n);

  if (slots == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; sites->slots != NULL && i <= sites->mask; i++) {
    const struct dg_massif_slot *old = &sites->slots[i];
    size_t at = hash (old->sites, old->is_allocator) & (n - 1);

    if (old->site == 0)
      continue;
    while (slots[at].site != 0)
      at = (at + 1) & (n - 1);
    slots[at] = *old;
  }
  g_free (sites->slots);
  sites->slots = slots;
  sites->mask = n - 1;
  return 0;
}

/* Stacks are interned by the log, so their memory distinguishes them.  */
static struct dg_massif_slot *
find_slot (const struct dg_massif_sites *sites, const struct dg_stack *stack,
           bool is_allocator)
{
  size_t at = hash (stack->sites, is_allocator) & sites->mask;
  struct dg_massif_slot *slot = &sites->slots[at];

  while (slot->site != 0
         && (slot->sites != stack->sites || slot->n != stack->n
             || slot->is_allocator != is_allocator)) {
    at = (at + 1) & sites->mask;
    slot = &sites->slots[at];
  }
  return slot;
}

static int
add_site (struct dg_massif_sites *sites, const struct dg_stack *stack,
          bool is_allocator, uint64_t icount)
{
  static const uint64_t nowhere = 0;
  struct dg_massif_site *site =
    dg_table_add (&sites->sites, sizeof *site);
  uint32_t most = sites->options->depth + MORE_FRAMES;

  if (site == NULL)
    return DG_ERR_NOMEM;
  site->stack = *stack;
  site->icount = icount;
  site->stack.n = MIN (stack->n, most);
  if (is_allocator && site->stack.n > 0) {
    site->stack.n--;
    site->stack.sites++;
  }
  if (site->stack.n == 0)
    site->stack = (struct dg_stack){1, &nowhere};
  choose_frames (sites, site);
  return 0;
}

int
dg_massif_site (struct dg_massif_sites *sites, const struct dg_stack *stack,
                bool is_allocator, uint64_t icount, uint32_t *site)
{
  struct dg_massif_slot *slot;

  if ((sites->slots == NULL || sites->sites.n * 2 > sites->mask)
      && grow_slots (sites) < 0)
    return DG_ERR_NOMEM;
  slot = find_slot (sites, stack, is_allocator);
  if (slot->site == 0) {
    if (sites->sites.n >= DG_NONE - 1
        || add_site (sites, stack, is_allocator, icount) < 0)
      return DG_ERR_NOMEM;
    *slot = (struct dg_massif_slot){stack->sites, stack->n,
                                    (uint32_t) sites->sites.n, is_allocator};
  }
  *site = slot->site - 1;
  return 0;
}

void
dg_massif_sites_fini (struct dg_massif_sites *sites)
{
  dg_table_fini (&sites->sites);
  if (sites->functions != NULL)
    g_hash_table_unref (sites->functions);
  g_free (sites->slots);
}
