/* filter_world.c: writes random logs for the test of filters: nested events,
   ranges over each other and over blocks, places of memory that are used
   again, realloc, accesses over the ends of blocks, ranges and pages, code of
   two modules with inlined calls.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_world.h"

#include <stdlib.h>
#include <string.h>

#include "asm.h"
#include "symbols_test.h"

/* Commas and backslashes have to be escaped in conditions; one label is the
   beginning of another.  */
const char *const world_labels[WORLD_LABELS] = {
  "a", "ab", "b,c", "back\\slash", "d e", "ends\\"
};

/* ---- Code ------------------------------------------------------------ */

static const char program_text[]
  = "namespace ns {\n"
    "struct Pair { int a, b; };\n"
    "extern volatile int sink;\n"
    "volatile int sink;\n"
    "inline __attribute__ ((always_inline)) int inner (int x, long y)\n"
    "{ sink += x; sink -= 3; return sink + (int) y; }\n"
    "inline __attribute__ ((always_inline)) int middle (Pair *p)\n"
    "{ sink = p->a; return inner (p->b, 3) * 2; }\n"
    "__attribute__ ((noinline)) int work (int x, char const *s)\n"
    "{ Pair p = { x, s[0] }; return middle (&p) + x; }\n"
    "__attribute__ ((noinline)) int work (double d)\n"
    "{ sink = (int) d; return sink + inner (4, 5); }\n"
    "struct F { int operator() (int x) const; };\n"
    "__attribute__ ((noinline)) int F::operator() (int x) const\n"
    "{ sink = x; return x + sink; }\n"
    "}\n"
    "extern \"C\" int plain (int x)\n"
    "{ return ns::work (x, \"x\") + ns::F () (3); }\n"
    "int main (int argc, char **)\n"
    "{ return plain (argc) + ns::work (2.5); }\n";
static const char library_text[]
  = "volatile int lib_sink;\n"
    "int plain_too (int x) { lib_sink = x; return lib_sink * 2; }\n"
    "int other (int x) { return plain_too (x) + lib_sink; }\n";

#define N_MODULES 2
static const struct {
  const char *name, *source, *flags;
  uint64_t bias;
} modules[N_MODULES] = {
  { "worldprog", "world.cc", "-O1 -g -no-pie -fno-pie", 0 },
  { "libworld.so.6", "helper.c", "-O1 -g -shared -fPIC", 0x20000000 },
};

static char *
known_or_null (const char *text)
{
  return strncmp (text, "??", 2) == 0 ? NULL : g_strdup (text);
}

/* "/dir/file.c:12 (discriminator 3)" without the line.  */
static char *
file_of (const char *place)
{
  char *file = known_or_null (place);
  char *colon = file != NULL ? strrchr (file, ':') : NULL;
  if (colon != NULL)
    *colon = '\0';
  return file;
}

static void
free_site (struct world_site *site)
{
  for (unsigned k = 0; k < site->n; k++) {
    g_free (site->function[k]);
    g_free (site->file[k]);
  }
}

/* What addr2line says of a module's code.  */
static void
read_sites (GArray *sites, unsigned m)
{
  char *path = in_dir (modules[m].name);
  char *text = shell (
    "objdump -d -j .text %s | sed -n 's/^ *\\([0-9a-f]*\\):\\t.*/\\1/p' >l;"
    "addr2line -Cafie %s <l", modules[m].name, modules[m].name);
  char **lines = g_strsplit (text != NULL ? text : "", "\n", 0);
  for (char **line = lines; *line != NULL && **line != '\0';) {
    struct world_site site = { 0 };
    site.address = g_ascii_strtoull (*line++, NULL, 16) + modules[m].bias;
    site.module = g_intern_string (path);
    while (*line != NULL && **line != '\0' && strncmp (*line, "0x", 2) != 0) {
      if (site.n < WORLD_FRAMES) {
        site.function[site.n] = known_or_null (line[0]);
        site.file[site.n++] = file_of (line[1]);
      }
      line += 2;
    }
    /* Code of the compiler's own is named in too many ways; of ours, each
       function has a mangled name or is C.  */
    if (site.n > 0 && site.file[site.n - 1] != NULL
        && (strstr (site.file[0], "world.cc") != NULL
            || strstr (site.file[0], "helper.c") != NULL))
      g_array_append_val (sites, site);
    else
      free_site (&site);
  }
  g_strfreev (lines);
  g_free (text);
  g_free (path);
}

GArray *
world_sites_new (void)
{
  GArray *sites = g_array_new (FALSE, TRUE, sizeof (struct world_site));
  const char *texts[] = { program_text, library_text };
  for (unsigned m = 0; m < N_MODULES; m++) {
    if (!compile_text (modules[m].source, texts[m], modules[m].name,
                       modules[m].flags))
      break;
    read_sites (sites, m);
  }
  if (sites->len > 20)
    return sites;
  world_sites_free (sites);
  return NULL;
}

void
world_sites_free (GArray *sites)
{
  for (guint i = 0; i < sites->len; i++)
    free_site (&g_array_index (sites, struct world_site, i));
  g_array_unref (sites);
}

/* ---- The log --------------------------------------------------------- */

#define N_CONTEXTS 24
#define MAX_INSTRS 4
#define MAX_SLOTS 4
/* Three pages, and one far away.  */
#define MEMORY 0x10000
#define FAR    0x7000f00
#define HEAP_PLACES 8
#define PLACE_SIZE  0x180
#define MAX_OPEN 12

struct slot { unsigned size, kind, iseq; };
struct context {
  struct world_stack stack;       /* without the block's own */
  unsigned n_instrs, n_slots;
  const struct world_site *instrs[MAX_INSTRS];
  struct slot slots[MAX_SLOTS];
};

struct writing {
  const GArray *sites;
  struct world *world;
  GString *text;
  struct context contexts[N_CONTEXTS];
  int live[HEAP_PLACES];          /* index in memory, -1: none */
  GArray *open;                   /* int: ranges, indices in memory */
  unsigned active[WORLD_LABELS];
};

static unsigned
to (unsigned n)
{
  return (unsigned) g_test_rand_int_range (0, (gint32) n);
}

static const struct world_site *
random_site (const struct writing *w)
{
  return &g_array_index (w->sites, struct world_site, to (w->sites->len));
}

static void
random_stack (const struct writing *w, struct world_stack *stack, unsigned n)
{
  stack->n = n;
  for (unsigned i = 0; i < n; i++)
    stack->sites[i] = random_site (w);
}

static void
append_stack (GString *text, const struct world_stack *stack)
{
  for (unsigned i = 0; i < stack->n; i++)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x ",
                            stack->sites[i]->address);
}

static void
append_string (GString *text, const char *string)
{
  g_string_append_c (text, '"');
  for (; *string != '\0'; string++)
    g_string_append_printf (text, *string == '\\' ? "\\%c" : "%c", *string);
  g_string_append_c (text, '"');
}

static void
write_context (struct writing *w, unsigned number)
{
  static const unsigned sizes[] = { 1, 2, 4, 8, 16, 100 };
  struct context *c = &w->contexts[number];
  c->n_instrs = 1 + to (MAX_INSTRS);
  c->n_slots = to (MAX_SLOTS + 1);
  random_stack (w, &c->stack, to (WORLD_STACK - 1));
  g_string_append (w->text, "bbdef [");
  for (unsigned i = 0; i < c->n_instrs; i++) {
    c->instrs[i] = random_site (w);
    g_string_append_printf (w->text, "0x%" G_GINT64_MODIFIER "x+2 ",
                            c->instrs[i]->address);
  }
  g_string_append (w->text, "] [");
  unsigned iseq = 0;
  for (unsigned i = 0; i < c->n_slots; i++) {
    iseq += to (3);
    iseq = MIN (iseq, c->n_instrs - 1);
    c->slots[i] = (struct slot){ sizes[to (G_N_ELEMENTS (sizes))], to (2),
                                 iseq };
    g_string_append_printf (w->text, "%c%u@%u ", c->slots[i].kind ? 'W' : 'R',
                            c->slots[i].size, iseq);
  }
  g_string_append_printf (w->text, "]\ncontext %u [0x%" G_GINT64_MODIFIER
                          "x ", number, c->instrs[0]->address);
  append_stack (w->text, &c->stack);
  g_string_append (w->text, "]\n");
}

/* Often where something begins or ends.  */
static uint64_t
random_address (const struct writing *w)
{
  const GArray *memory = w->world->memory;
  if (to (12) == 0)
    return 0;
  if (to (10) == 0)
    return FAR + to (0x200);
  if (memory->len > 0 && to (2) == 0) {
    const struct world_memory *m
      = &g_array_index (memory, struct world_memory, to (memory->len));
    uint64_t at = to (2) == 0 ? m->address : m->address + m->size;
    return at + to (24) - 12;
  }
  return MEMORY + to (0x3000);
}

static void
write_run (struct writing *w)
{
  unsigned number = to (N_CONTEXTS);
  const struct context *c = &w->contexts[number];
  unsigned n = 1 + to (c->n_instrs);
  g_string_append_printf (w->text, "bbrun %u %u [", number, n);
  for (unsigned i = 0; i < c->n_slots && c->slots[i].iseq < n; i++) {
    const struct slot *slot = &c->slots[i];
    struct world_access access = {
      .icount = w->world->icount + slot->iseq,
      .address = random_address (w), .size = slot->size, .kind = slot->kind,
      .stack = c->stack,
    };
    g_string_append_printf (w->text, "0x%" G_GINT64_MODIFIER "x ",
                            access.address);
    if (access.address == 0)
      continue;
    access.stack.sites[access.stack.n++] = c->instrs[slot->iseq];
    for (unsigned k = 0; k < WORLD_LABELS; k++)
      access.active[k] = w->active[k] > 0;
    g_array_append_val (w->world->accesses, access);
  }
  g_string_append (w->text, "]\n");
  w->world->icount += n;
}

static void
end_block (struct writing *w, unsigned place)
{
  struct world_memory *m = &g_array_index (w->world->memory,
                                           struct world_memory,
                                           w->live[place]);
  m->end = w->world->icount;
  w->live[place] = -1;
  g_string_append_printf (w->text, "free_block 0x%" G_GINT64_MODIFIER "x\n",
                          m->address);
}

/* Allocates, frees, or moves a block to where it is, as realloc may.  */
static void
write_heap (struct writing *w)
{
  unsigned place = to (HEAP_PLACES);
  if (w->live[place] >= 0) {
    end_block (w, place);
    if (to (2) == 0)
      return;
  }
  struct world_memory m = { .address = MEMORY + place * PLACE_SIZE * 3 / 2,
                            .size = 1 + to (PLACE_SIZE),
                            .start = w->world->icount, .end = UINT64_MAX,
                            .label = -1 };
  random_stack (w, &m.stack, to (WORLD_STACK));
  g_string_append_printf (w->text, "malloc_block 0x%" G_GINT64_MODIFIER
                          "x %u [", m.address, (unsigned) m.size);
  append_stack (w->text, &m.stack);
  g_string_append (w->text, "]\n");
  w->live[place] = (int) w->world->memory->len;
  g_array_append_val (w->world->memory, m);
}

static void
write_range (struct writing *w)
{
  if (w->open->len > 0 && (to (3) == 0 || w->open->len == MAX_OPEN)) {
    guint i = to (w->open->len);
    struct world_memory *m = &g_array_index (w->world->memory,
                                             struct world_memory,
                                             g_array_index (w->open, int, i));
    /* The latest of those that are the same is the one that ends.  */
    for (guint k = i + 1; k < w->open->len; k++) {
      struct world_memory *other
        = &g_array_index (w->world->memory, struct world_memory,
                          g_array_index (w->open, int, k));
      if (other->address == m->address && other->size == m->size) {
        m = other;
        i = k;
      }
    }
    m->end = w->world->icount;
    g_array_remove_index (w->open, i);
    g_string_append_printf (w->text, "untrack_range 0x%" G_GINT64_MODIFIER
                            "x %u\n", m->address, (unsigned) m->size);
    return;
  }
  struct world_memory m = { .address = MEMORY + to (0x30) * 0x100,
                            .size = 1 + to (3) * 0x80,
                            .start = w->world->icount, .end = UINT64_MAX,
                            .label = (int) to (WORLD_LABELS) };
  int index = (int) w->world->memory->len;
  g_array_append_val (w->open, index);
  g_array_append_val (w->world->memory, m);
  g_string_append_printf (w->text, "track_range 0x%" G_GINT64_MODIFIER
                          "x %u \"int\" ", m.address, (unsigned) m.size);
  append_string (w->text, world_labels[m.label]);
  g_string_append_c (w->text, '\n');
}

static void
write_event (struct writing *w)
{
  unsigned label = to (WORLD_LABELS);
  bool starts = to (2) == 0;
  if (starts)
    w->active[label]++;
  else if (w->active[label] > 0)
    w->active[label]--;
  g_string_append (w->text, starts ? "start_event " : "end_event ");
  append_string (w->text, world_labels[label]);
  g_string_append_c (w->text, '\n');
}

static void
write_head (struct writing *w)
{
  g_string_append (w->text, "process 1 0 0 0 4096 64 0 8 \"t\" \"v\" \"a\" "
                            "\"worldprog\" \"/\" [\"worldprog\"]\n");
  for (unsigned m = 0; m < N_MODULES; m++) {
    char *path = in_dir (modules[m].name);
    uint64_t text = 0x1000, size = 0x1000;
    find_section (modules[m].name, ".text", &text, &size);
    text += modules[m].bias;
    g_string_append_printf (w->text, "text_avma 0x%" G_GINT64_MODIFIER
                            "x \"%s\"\nmodule 0x%" G_GINT64_MODIFIER "x 0x%"
                            G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER
                            "x [] \"\"\n", text, path, text, size,
                            modules[m].bias);
    g_free (path);
  }
  for (unsigned i = 0; i < N_CONTEXTS; i++)
    write_context (w, i);
}

static void
write_file (struct writing *w, unsigned word_size, bool big_endian)
{
  struct dg_asm as;
  char *message = NULL;
  dg_asm_init (&as);
  as.word_size = word_size;
  as.big_endian = big_endian;
  if (!dg_asm_text (&as, w->text->str, &message))
    g_error ("%s", message);
  w->world->path = in_dir ("world.dg");
  g_assert_true (g_file_set_contents (w->world->path,
                                      (const char *) as.bytes->data,
                                      (gssize) as.bytes->len, NULL));
  dg_asm_fini (&as);
}

struct world *
world_new (const GArray *sites, unsigned word_size, bool big_endian,
           unsigned n_steps)
{
  struct writing w = { .sites = sites, .text = g_string_new (NULL),
                       .world = g_new0 (struct world, 1) };
  w.world->accesses = g_array_new (FALSE, FALSE,
                                   sizeof (struct world_access));
  w.world->memory = g_array_new (FALSE, FALSE, sizeof (struct world_memory));
  w.open = g_array_new (FALSE, FALSE, sizeof (int));
  for (unsigned i = 0; i < HEAP_PLACES; i++)
    w.live[i] = -1;
  write_head (&w);
  for (unsigned i = 0; i < n_steps; i++) {
    unsigned what = to (20);
    if (what == 0)
      write_heap (&w);
    else if (what == 1)
      write_range (&w);
    else if (what == 2)
      write_event (&w);
    else if (what == 3 && to (10) == 0)
      g_string_append (w.text, "chunk\n");
    else
      write_run (&w);
  }
  g_string_append (w.text, "end\n");
  write_file (&w, word_size, big_endian);
  g_string_free (w.text, TRUE);
  g_array_unref (w.open);
  return w.world;
}

void
world_free (struct world *world)
{
  g_free (world->path);
  g_array_unref (world->accesses);
  g_array_unref (world->memory);
  g_free (world);
}
