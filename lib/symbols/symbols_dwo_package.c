/* symbols_dwo_package.c: units of a package (.dwp), each as a file.

   A package has an index of its units: hash tables by their 64-bit numbers,
   and where the parts of each are in the sections that all share, in version 2
   (for DWARF 4, by GNU) and 5.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dwo.h"

#include <string.h>
#include <unistd.h>

#include "symbols_dwo_parts.h"
#include "symbols_number.h"
#include "symbols_private.h"

#define MOST_COLUMNS 16

/* A table of the package.  */
struct index {
  const uint8_t *bytes;    /* NULL: there is none */
  uint32_t version, n_columns, n_units, n_slots;
  const uint8_t *ids, *rows, *offsets, *sizes;
  unsigned kinds[MOST_COLUMNS];
};

struct dg_dwo_package {
  int fd;
  Elf *elf;
  bool is_big_endian;
  const Elf_Data *data[DG_DWO_SECTIONS];
  const Elf_Data *cu_data, *tu_data;
  struct index cus, tus;
  GArray *types;           /* struct type_row, in order; NULL until asked */
};

/* A row of the types, and by what it is known to be of a unit's file.  */
struct type_row {
  const uint8_t *abbrev, *str_offsets;
  uint32_t row;
};

/* ---- Numbers ---------------------------------------------------------- */

static uint32_t
read_u32 (const struct dg_dwo_package *package, const uint8_t *at)
{
  return (uint32_t) dg_symbols_number (at, 4, package->is_big_endian);
}

static void
write_u32 (const struct dg_dwo_package *package, uint8_t *at, uint32_t number)
{
  number = package->is_big_endian ? GUINT32_TO_BE (number)
                                  : GUINT32_TO_LE (number);
  memcpy (at, &number, sizeof number);
}

/* ---- The index --------------------------------------------------------- */

/* What a column of the index is for.  */
static unsigned
kind_of_column (uint32_t version, uint32_t number)
{
  switch (number) {
  case 1:
    return DG_DWO_INFO;
  case 2:
    return version == 2 ? DG_DWO_TYPES : DG_DWO_SECTIONS;
  case 3:
    return DG_DWO_ABBREV;
  case 4:
    return DG_DWO_LINE;
  case 5:
    return version == 2 ? DG_DWO_LOC : DG_DWO_LOCLISTS;
  case 6:
    return DG_DWO_STR_OFFSETS;
  case 8:
    return version == 2 ? DG_DWO_SECTIONS : DG_DWO_RNGLISTS;
  default:
    return DG_DWO_SECTIONS;
  }
}

static void
read_index (const struct dg_dwo_package *package, const Elf_Data *data,
            struct index *index)
{
  const uint8_t *bytes = data != NULL ? data->d_buf : NULL;
  uint64_t size = data != NULL ? data->d_size : 0, cells;

  if (size < 16)
    return;
  index->version =
    read_u32 (package, bytes) == 2
      ? 2
      : (uint16_t) dg_symbols_number (bytes, 2, package->is_big_endian);
  index->n_columns = read_u32 (package, bytes + 4);
  index->n_units = read_u32 (package, bytes + 8);
  index->n_slots = read_u32 (package, bytes + 12);
  cells = (uint64_t) index->n_columns * index->n_units;
  if ((index->version != 2 && index->version != 5)
      || index->n_columns > MOST_COLUMNS || index->n_slots == 0
      || index->n_units > index->n_slots
      || (index->n_slots & (index->n_slots - 1)) != 0
      || size - 16 < (uint64_t) index->n_slots * 12 + index->n_columns * 4
      || (size - 16 - (uint64_t) index->n_slots * 12 - index->n_columns * 4)
             / 8
           < cells)
    return;
  index->ids = bytes + 16;
  index->rows = index->ids + (size_t) index->n_slots * 8;
  index->offsets = index->rows + (size_t) index->n_slots * 4
                   + (size_t) index->n_columns * 4;
  index->sizes = index->offsets + cells * 4;
  for (uint32_t i = 0; i < index->n_columns; i++)
    index->kinds[i] = kind_of_column (
      index->version,
      read_u32 (package, index->offsets - (index->n_columns - i) * 4));
  index->bytes = bytes;
}

/* The row of a unit, from 0; UINT32_MAX: it is not there.  */
static uint32_t
find_row (const struct dg_dwo_package *package, const struct index *index,
          uint64_t id)
{
  uint32_t mask = index->n_slots - 1, slot = (uint32_t) id & mask;
  uint32_t step = ((uint32_t) (id >> 32) & mask) | 1;

  if (index->bytes == NULL)
    return UINT32_MAX;
  for (uint32_t tries = 0; tries < index->n_slots; tries++) {
    uint32_t row = read_u32 (package, index->rows + (size_t) slot * 4);

    if (row == 0)
      return UINT32_MAX;
    if (dg_symbols_number (index->ids + (size_t) slot * 8, 8,
                           package->is_big_endian)
        == id)
      return row <= index->n_units ? row - 1 : UINT32_MAX;
    slot = (slot + step) & mask;
  }
  return UINT32_MAX;
}

/* A part of a section.  */
struct slice {
  const uint8_t *bytes;
  uint32_t offset, size;
};

/* False: it is not within its section.  */
static bool
slice_of (const struct dg_dwo_package *package, const struct index *index,
          uint32_t row, uint32_t column, struct slice *slice)
{
  const Elf_Data *data = package->data[index->kinds[column]];
  size_t cell = ((size_t) row * index->n_columns + column) * 4;

  slice->offset = read_u32 (package, index->offsets + cell);
  slice->size = read_u32 (package, index->sizes + cell);
  if (slice->size == 0)
    return true;
  if (data == NULL || slice->offset > data->d_size
      || slice->size > data->d_size - slice->offset
      || slice->size > DG_DWO_LARGEST)
    return false;
  slice->bytes = (const uint8_t *) data->d_buf + slice->offset;
  return true;
}

/* ---- Opening ----------------------------------------------------------- */

static bool
take_section (void *user, const char *name, unsigned kind, Elf_Scn *section)
{
  struct dg_dwo_package *package = user;

  if (kind < DG_DWO_SECTIONS)
    package->data[kind] = dg_dwo_data (section);
  else if (strcmp (name, ".debug_cu_index") == 0)
    package->cu_data = dg_dwo_data (section);
  else if (strcmp (name, ".debug_tu_index") == 0)
    package->tu_data = dg_dwo_data (section);
  return true;
}

struct dg_dwo_package *
dg_dwo_package_open (int fd)
{
  struct dg_dwo_package *package = g_new0 (struct dg_dwo_package, 1);
  GElf_Ehdr header;

  package->fd = fd;
  package->elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  if (package->elf != NULL && gelf_getehdr (package->elf, &header) != NULL) {
    package->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    dg_dwo_sections (package->elf, take_section, package);
    read_index (package, package->cu_data, &package->cus);
    read_index (package, package->tu_data, &package->tus);
  }
  if (package->cus.bytes != NULL)
    return package;
  dg_dwo_package_free (package);
  return NULL;
}

void
dg_dwo_package_free (struct dg_dwo_package *package)
{
  if (package == NULL)
    return;
  if (package->types != NULL)
    g_array_unref (package->types);
  elf_end (package->elf);
  close (package->fd);
  g_free (package);
}

bool
dg_dwo_package_has (const struct dg_dwo_package *package, uint64_t id)
{
  return find_row (package, &package->cus, id) != UINT32_MAX;
}

/* ---- One unit ----------------------------------------------------------- */

/* A unit that is made a file.  */
struct making {
  const struct dg_dwo_package *package;
  struct dg_dwo_file *file;
  struct slice slices[DG_DWO_SECTIONS];
};

static bool
take_slices (struct making *making, const struct index *index, uint32_t row)
{
  for (uint32_t i = 0; i < index->n_columns; i++)
    if (index->kinds[i] < DG_DWO_SECTIONS
        && !slice_of (making->package, index, row, i,
                      &making->slices[index->kinds[i]]))
      return false;
  return true;
}

static void
append (GByteArray *out, const struct slice *slice)
{
  if (slice->size > 0)
    g_byte_array_append (out, slice->bytes, slice->size);
}

static int
compare_keys (const struct type_row *x, const struct type_row *y)
{
  if (x->abbrev != y->abbrev)
    return (uintptr_t) x->abbrev < (uintptr_t) y->abbrev ? -1 : 1;
  if (x->str_offsets != y->str_offsets)
    return (uintptr_t) x->str_offsets < (uintptr_t) y->str_offsets ? -1 : 1;
  return 0;
}

/* Rows of one file stay in their order.  */
static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  const struct type_row *x = a, *y = b;

  return compare_keys (x, y) ?: (x->row > y->row) - (x->row < y->row);
}

/* All rows of types by their files, once: a package may have as many of them
   as it has units that ask.  */
static void
sort_types (struct dg_dwo_package *package)
{
  const struct index *index = &package->tus;

  package->types = g_array_new (FALSE, FALSE, sizeof (struct type_row));
  for (uint32_t row = 0; index->bytes != NULL && row < index->n_units; row++) {
    struct making other = {.package = package};

    if (take_slices (&other, index, row)) {
      const struct type_row of = {other.slices[DG_DWO_ABBREV].bytes,
                                  other.slices[DG_DWO_STR_OFFSETS].bytes, row};

      g_array_append_val (package->types, of);
    }
  }
  g_array_sort (package->types, compare_rows);
}

/* The first row that is not before the key.  */
static guint
first_type (const struct dg_dwo_package *package, const struct type_row *key)
{
  guint low = 0, high = package->types->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (compare_keys (&g_array_index (package->types, struct type_row, middle),
                      key)
        < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Types of the same file: abbreviations and names are its own.  Of types that
   several files have, a package keeps that of one.  Together they are not
   larger than the section that they are in, unless they overlap.  */
static void
append_types (struct making *making)
{
  const struct dg_dwo_package *package = making->package;
  const struct index *index = &package->tus;
  const struct type_row key = {making->slices[DG_DWO_ABBREV].bytes,
                               making->slices[DG_DWO_STR_OFFSETS].bytes, 0};
  unsigned kind = index->version == 2 ? DG_DWO_TYPES : DG_DWO_INFO;
  size_t most = package->data[kind] != NULL ? package->data[kind]->d_size : 0;
  GByteArray *out = making->file->sections[kind];

  for (guint i = first_type (package, &key); i < package->types->len; i++) {
    const struct type_row *type =
      &g_array_index (package->types, struct type_row, i);
    struct making other = {.package = package};

    if (compare_keys (type, &key) != 0)
      break;
    if (take_slices (&other, index, type->row)
        && out->len <= DG_DWO_LARGEST && out->len <= most
        && other.slices[kind].size <= most - out->len)
      append (out, &other.slices[kind]);
  }
}

/* Only the texts that the unit has, since the package's are those of all
   units: its table of offsets is made to lead to a copy of them.  */
static bool
take_texts (struct making *making)
{
  const struct dg_dwo_package *package = making->package;
  const Elf_Data *texts = package->data[DG_DWO_STR];
  GByteArray *offsets = making->file->sections[DG_DWO_STR_OFFSETS];
  GByteArray *out = making->file->sections[DG_DWO_STR];
  guint head = package->cus.version == 5 ? 8 : 0;

  if (texts == NULL)
    return offsets->len == 0;
  /* The 64-bit form, which nobody writes for split units.  */
  if (head > 0 && offsets->len >= head
      && read_u32 (package, offsets->data) == UINT32_MAX)
    return false;
  for (guint at = head; at + 4 <= offsets->len; at += 4) {
    uint32_t offset = read_u32 (package, offsets->data + at);
    const char *text = (const char *) texts->d_buf + offset;
    size_t room = offset < texts->d_size ? texts->d_size - offset : 0;
    size_t n = room > 0 ? strnlen (text, room) : 0;

    if (n == room || out->len > DG_DWO_LARGEST || n > DG_DWO_LARGEST)
      return false;
    write_u32 (package, offsets->data + at, out->len);
    g_byte_array_append (out, (const uint8_t *) text, (guint) n + 1);
  }
  return true;
}

int
dg_dwo_package_unit (struct dg_dwo_package *package, uint64_t id)
{
  struct making making = {.package = package};
  uint32_t row = find_row (package, &package->cus, id);
  int fd = -1;

  if (row == UINT32_MAX || !take_slices (&making, &package->cus, row))
    return -1;
  if (package->types == NULL)
    sort_types (package);
  making.file = dg_dwo_file_new (package->elf);
  for (unsigned i = 0; i < DG_DWO_SECTIONS; i++)
    if (i != DG_DWO_STR && i != DG_DWO_TYPES)
      append (making.file->sections[i], &making.slices[i]);
  append_types (&making);
  if (take_texts (&making))
    fd = dg_dwo_file_write (making.file);
  if (fd >= 0 && dg_symbols_is_sealed (package->fd))
    fd = dg_symbols_sealed (fd);
  dg_dwo_file_free (making.file);
  return fd;
}
