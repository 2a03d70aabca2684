/* test-symbols-package.c: units of large packages of split debug information
   (.dwp): each gets the types of its own file, without a look at those of all
   others, which would take minutes here; and tables that are not true.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "symbols/symbols_dwo.h"
#include "unit_main.h"

#include <elf.h>
#include <gelf.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define N_UNITS 20000
#define N_SLOTS 32768
#define UNIT_BYTES 16      /* of a unit, and of a type */

enum { INFO, ABBREV, STR_OFFSETS, N_COLUMNS };
static const uint32_t column_numbers[N_COLUMNS] = {1, 3, 6};

/* ---- A package ---------------------------------------------------------- */

static void
put (GByteArray *bytes, uint64_t number, unsigned width)
{
  unsigned skipped = G_BYTE_ORDER == G_BIG_ENDIAN ? 8 - width : 0;

  g_byte_array_append (bytes, (const guint8 *) &number + skipped, width);
}

static uint64_t
id_of (uint32_t unit, bool is_type)
{
  return ((uint64_t) unit * 0x9e3779b1u << 20 ^ unit) + (is_type ? 1u << 31
                                                                 : 0);
}

/* Types are not in the order of their units.  */
static uint32_t
unit_of_row (uint32_t row, bool is_type)
{
  return is_type ? (uint32_t) ((uint64_t) row * 7919 % N_UNITS) : row;
}

static void
put_cell (GByteArray *index, uint32_t unit, bool is_type, unsigned column,
          bool is_size)
{
  static const uint32_t sizes[N_COLUMNS] = {UNIT_BYTES, 4, 12};
  uint32_t at = unit * (column == INFO ? 2 * UNIT_BYTES : sizes[column]);

  if (column == INFO && is_type)
    at += UNIT_BYTES;
  put (index, is_size ? sizes[column] : at, 4);
}

static GByteArray *
make_index (bool is_type)
{
  GByteArray *index = g_byte_array_new ();
  uint64_t *ids = g_new0 (uint64_t, N_SLOTS);
  uint32_t *rows = g_new0 (uint32_t, N_SLOTS);

  for (uint32_t row = 0; row < N_UNITS; row++) {
    uint64_t id = id_of (unit_of_row (row, is_type), is_type);
    uint32_t slot = (uint32_t) id & (N_SLOTS - 1);

    while (rows[slot] != 0)
      slot = (slot + (((uint32_t) (id >> 32) & (N_SLOTS - 1)) | 1))
             & (N_SLOTS - 1);
    ids[slot] = id;
    rows[slot] = row + 1;
  }
  put (index, 5, 4);
  put (index, N_COLUMNS, 4);
  put (index, N_UNITS, 4);
  put (index, N_SLOTS, 4);
  for (uint32_t i = 0; i < N_SLOTS; i++)
    put (index, ids[i], 8);
  for (uint32_t i = 0; i < N_SLOTS; i++)
    put (index, rows[i], 4);
  for (unsigned i = 0; i < N_COLUMNS; i++)
    put (index, column_numbers[i], 4);
  for (int is_size = 0; is_size < 2; is_size++)
    for (uint32_t row = 0; row < N_UNITS; row++)
      for (unsigned i = 0; i < N_COLUMNS; i++)
        put_cell (index, unit_of_row (row, is_type), is_type, i, is_size);
  g_free (rows);
  g_free (ids);
  return index;
}

/* What a unit or a type has in .debug_info.dwo.  */
static void
put_unit (GByteArray *info, uint32_t unit, bool is_type)
{
  put (info, is_type, 8);
  put (info, unit, 8);
}

struct sections {
  const char *names[8];
  GByteArray *bytes[8];
  unsigned n;
};

static void
add (struct sections *sections, const char *name, GByteArray *bytes)
{
  sections->names[sections->n] = name;
  sections->bytes[sections->n++] = bytes;
}

/* A descriptor of an ELF file with these sections, which it frees.  */
static int
write_elf (struct sections *sections)
{
  Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                   ELFCLASS64,
                                   G_BYTE_ORDER == G_BIG_ENDIAN ? ELFDATA2MSB
                                                                : ELFDATA2LSB,
                                   EV_CURRENT},
                       .e_type = ET_REL, .e_machine = EM_X86_64,
                       .e_version = EV_CURRENT,
                       .e_ehsize = sizeof header,
                       .e_shentsize = sizeof (Elf64_Shdr)};
  Elf64_Shdr headers[10] = {{0}};
  GByteArray *file = g_byte_array_new (), *texts = g_byte_array_new ();
  int fd = memfd_create ("package", MFD_CLOEXEC);

  put (texts, 0, 1);
  add (sections, ".shstrtab", texts);
  g_byte_array_set_size (file, sizeof header);
  for (unsigned i = 0; i < sections->n; i++) {
    headers[i + 1] = (Elf64_Shdr) {.sh_name = texts->len,
                                   .sh_type = SHT_PROGBITS,
                                   .sh_offset = file->len, .sh_addralign = 1};
    g_byte_array_append (texts, (const guint8 *) sections->names[i],
                         (guint) strlen (sections->names[i]) + 1);
    headers[i + 1].sh_size = sections->bytes[i]->len;
    g_byte_array_append (file, sections->bytes[i]->data,
                         sections->bytes[i]->len);
  }
  headers[sections->n].sh_type = SHT_STRTAB;
  header.e_shnum = (Elf64_Half) (sections->n + 1);
  header.e_shstrndx = (Elf64_Half) sections->n;
  g_byte_array_set_size (file, (file->len + 7) & ~7u);
  header.e_shoff = file->len;
  g_byte_array_append (file, (const guint8 *) headers,
                       header.e_shnum * (guint) sizeof headers[0]);
  memcpy (file->data, &header, sizeof header);
  g_assert_cmpint (write (fd, file->data, file->len), ==, file->len);
  for (unsigned i = 0; i < sections->n; i++)
    g_byte_array_unref (sections->bytes[i]);
  g_byte_array_unref (file);
  return fd;
}

/* text: where each unit's first text is in .debug_str.  */
static struct dg_dwo_package *
make_package_of (GByteArray *cus, GByteArray *tus, uint32_t text)
{
  GByteArray *info = g_byte_array_new (), *abbrev = g_byte_array_new ();
  GByteArray *offsets = g_byte_array_new (), *texts = g_byte_array_new ();
  struct sections sections = {.n = 0};

  for (uint32_t i = 0; i < N_UNITS; i++) {
    put_unit (info, i, false);
    put_unit (info, i, true);
    put (abbrev, i, 4);
    put (offsets, 8, 4);
    put (offsets, 5, 4);
    put (offsets, text, 4);
  }
  put (texts, 'x', 2);
  add (&sections, ".debug_info.dwo", info);
  add (&sections, ".debug_abbrev.dwo", abbrev);
  add (&sections, ".debug_str_offsets.dwo", offsets);
  add (&sections, ".debug_str.dwo", texts);
  add (&sections, ".debug_cu_index", cus);
  add (&sections, ".debug_tu_index", tus);
  return dg_dwo_package_open (write_elf (&sections));
}

static struct dg_dwo_package *
make_package (GByteArray *cus, GByteArray *tus)
{
  return make_package_of (cus, tus, 0);
}

/* ---- Tests -------------------------------------------------------------- */

/* The bytes of .debug_info.dwo of a file are those of the unit and its
   type.  */
static void
check_unit (int fd, uint32_t unit)
{
  GByteArray *wanted = g_byte_array_new ();
  Elf *elf = elf_begin (fd, ELF_C_READ, NULL);
  Elf_Scn *section = NULL;
  Elf_Data *data = NULL;
  size_t names;

  put_unit (wanted, unit, false);
  put_unit (wanted, unit, true);
  g_assert_cmpint (elf_getshdrstrndx (elf, &names), ==, 0);
  while (data == NULL && (section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;

    g_assert_nonnull (gelf_getshdr (section, &header));
    if (g_str_equal (elf_strptr (elf, names, header.sh_name),
                     ".debug_info.dwo"))
      data = elf_getdata (section, NULL);
  }
  g_assert_nonnull (data);
  g_assert_cmpmem (data->d_buf, data->d_size, wanted->data, wanted->len);
  elf_end (elf);
  g_byte_array_unref (wanted);
}

static void
test_units (void)
{
  struct dg_dwo_package *package =
    make_package (make_index (false), make_index (true));

  g_assert_nonnull (package);
  for (uint32_t i = 0; i < N_UNITS; i++) {
    int fd = dg_dwo_package_unit (package, id_of (i, false));

    g_assert_cmpint (fd, >=, 0);
    if (i % 97 == 0)
      check_unit (fd, i);
    close (fd);
  }
  g_assert_cmpint (dg_dwo_package_unit (package, 12345), ==, -1);
  dg_dwo_package_free (package);
}

/* More units than places for them, of which nothing is in the file.  */
static void
test_no_columns (void)
{
  GByteArray *tus = g_byte_array_new ();
  struct dg_dwo_package *package;
  int fd;

  put (tus, 5, 4);
  put (tus, 0, 4);
  put (tus, UINT32_MAX, 4);
  put (tus, 1, 4);
  put (tus, 0, 8);
  put (tus, 0, 4);
  package = make_package (make_index (false), tus);
  g_assert_nonnull (package);
  for (uint32_t i = 0; i < 300; i++) {
    fd = dg_dwo_package_unit (package, id_of (i, false));
    g_assert_cmpint (fd, >=, 0);
    close (fd);
  }
  dg_dwo_package_free (package);
}

/* Types that overlap are together no larger than where they are.  */
static void
test_overlap (void)
{
  GByteArray *tus = make_index (true);
  uint32_t *cells = (uint32_t *) (void *) (tus->data + 16 + N_SLOTS * 12
                                           + N_COLUMNS * 4);
  struct dg_dwo_package *package;
  off_t size;
  int fd;

  for (uint32_t row = 0; row < N_UNITS; row++) {
    cells[row * N_COLUMNS + INFO] = 0;
    cells[row * N_COLUMNS + ABBREV] = 0;
    cells[row * N_COLUMNS + STR_OFFSETS] = 0;
    cells[(N_UNITS + row) * N_COLUMNS + INFO] =
      N_UNITS * UNIT_BYTES;
  }
  package = make_package (make_index (false), tus);
  fd = dg_dwo_package_unit (package, id_of (0, false));
  g_assert_cmpint (fd, >=, 0);
  size = lseek (fd, 0, SEEK_END);
  g_assert_cmpint (size, <, 3 * N_UNITS * UNIT_BYTES);
  close (fd);
  dg_dwo_package_free (package);
}

/* A text that lies outside of the texts: there is no such unit, and what was
   made of it is freed, as LeakSanitizer sees.  */
static void
test_bad_texts (void)
{
  struct dg_dwo_package *package =
    make_package_of (make_index (false), make_index (true), 12345);

  g_assert_nonnull (package);
  for (uint32_t i = 0; i < 10; i++)
    g_assert_cmpint (dg_dwo_package_unit (package, id_of (i, false)), ==, -1);
  dg_dwo_package_free (package);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  elf_version (EV_CURRENT);
  g_test_add_func ("/symbols-package/units", test_units);
  g_test_add_func ("/symbols-package/no-columns", test_no_columns);
  g_test_add_func ("/symbols-package/overlap", test_overlap);
  g_test_add_func ("/symbols-package/bad-texts", test_bad_texts);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
