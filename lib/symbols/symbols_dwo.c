/* symbols_dwo.c: split debug information, a file for each unit, as libdw reads
   it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dwo.h"

#include <gelf.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols_dwo_parts.h"
#include "symbols_image.h"

/* ---- Writing ---------------------------------------------------------- */

struct dg_dwo_file *
dg_dwo_file_new (Elf *like)
{
  struct dg_dwo_file *file = g_new0 (struct dg_dwo_file, 1);

  for (unsigned i = 0; i < DG_DWO_SECTIONS; i++)
    file->sections[i] = g_byte_array_new ();
  gelf_getehdr (like, &file->header);
  return file;
}

void
dg_dwo_file_free (struct dg_dwo_file *file)
{
  for (unsigned i = 0; i < DG_DWO_SECTIONS; i++)
    g_byte_array_unref (file->sections[i]);
  g_free (file);
}

const char *const dg_dwo_names[DG_DWO_SECTIONS] = {
  [DG_DWO_INFO] = ".debug_info.dwo",
  [DG_DWO_TYPES] = ".debug_types.dwo",
  [DG_DWO_ABBREV] = ".debug_abbrev.dwo",
  [DG_DWO_LINE] = ".debug_line.dwo",
  [DG_DWO_LOC] = ".debug_loc.dwo",
  [DG_DWO_LOCLISTS] = ".debug_loclists.dwo",
  [DG_DWO_RNGLISTS] = ".debug_rnglists.dwo",
  [DG_DWO_STR_OFFSETS] = ".debug_str_offsets.dwo",
  [DG_DWO_STR] = ".debug_str.dwo"
};

static bool
add_section (Elf *elf, const void *bytes, size_t size, GElf_Word type,
             GElf_Word name)
{
  Elf_Scn *section = elf_newscn (elf);
  Elf_Data *data = section != NULL ? elf_newdata (section) : NULL;
  GElf_Shdr header;

  if (data == NULL || gelf_getshdr (section, &header) == NULL)
    return false;
  data->d_buf = (void *) bytes;
  data->d_size = size;
  data->d_align = 1;
  data->d_type = ELF_T_BYTE;
  data->d_version = EV_CURRENT;
  header.sh_type = type;
  header.sh_name = name;
  return gelf_update_shdr (section, &header) != 0;
}

static bool
write_elf (const struct dg_dwo_file *file, Elf *elf, GString *names)
{
  GElf_Ehdr header;
  GElf_Word offset;

  if (gelf_newehdr (elf, file->header.e_ident[EI_CLASS]) == NULL
      || gelf_getehdr (elf, &header) == NULL)
    return false;
  header.e_ident[EI_DATA] = file->header.e_ident[EI_DATA];
  header.e_type = ET_REL;
  header.e_machine = file->header.e_machine;
  header.e_version = EV_CURRENT;
  header.e_shstrndx = 1;
  for (unsigned i = 0; i < DG_DWO_SECTIONS; i++)
    if (file->sections[i]->len > 0)
      header.e_shstrndx++;
  if (gelf_update_ehdr (elf, &header) == 0)
    return false;
  g_string_append_c (names, '\0');
  for (unsigned i = 0; i < DG_DWO_SECTIONS; i++) {
    offset = (GElf_Word) names->len;
    if (file->sections[i]->len == 0)
      continue;
    if (!add_section (elf, file->sections[i]->data, file->sections[i]->len,
                      SHT_PROGBITS, offset))
      return false;
    g_string_append_len (names, dg_dwo_names[i],
                         (gssize) strlen (dg_dwo_names[i]) + 1);
  }
  offset = (GElf_Word) names->len;
  g_string_append_len (names, ".shstrtab", sizeof ".shstrtab");
  return add_section (elf, names->str, names->len, SHT_STRTAB, offset)
         && elf_update (elf, ELF_C_WRITE) > 0;
}

int
dg_dwo_file_write (const struct dg_dwo_file *file)
{
  GString *names = g_string_new (NULL);
  int fd = memfd_create ("datagrind-dwo", MFD_CLOEXEC);
  Elf *elf = fd >= 0 ? elf_begin (fd, ELF_C_WRITE, NULL) : NULL;
  bool is_good = elf != NULL && write_elf (file, elf, names);

  elf_end (elf);
  g_string_free (names, TRUE);
  if (!is_good && fd >= 0) {
    close (fd);
    fd = -1;
  }
  return fd;
}

/* ---- Reading ---------------------------------------------------------- */

/* The kind of a section; DG_DWO_SECTIONS: any other.  */
static unsigned
kind_of (const char *name)
{
  unsigned kind = 0;

  while (kind < DG_DWO_SECTIONS && strcmp (name, dg_dwo_names[kind]) != 0)
    kind++;
  return kind;
}

bool
dg_dwo_sections (Elf *elf,
                 bool (*each) (void *user, const char *name, unsigned kind,
                               Elf_Scn *section),
                 void *user)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf_getshdrstrndx (elf, &names) < 0)
    return false;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name;

    if (gelf_getshdr (section, &header) == NULL
        || (name = elf_strptr (elf, names, header.sh_name)) == NULL)
      return false;
    if (!each (user, name, kind_of (name), section))
      return false;
  }
  return true;
}

const Elf_Data *
dg_dwo_data (Elf_Scn *section)
{
  const Elf_Data *data;

  if (!dg_symbols_expand (section))
    return NULL;
  data = elf_rawdata (section, NULL);
  return data != NULL && data->d_buf != NULL ? data : NULL;
}

/* ---- Files of one unit -------------------------------------------------- */

static bool
count (void *user, const char *name, unsigned kind, Elf_Scn *section)
{
  unsigned *n = user;

  (void) name;
  (void) section;
  return kind == DG_DWO_SECTIONS || ++n[kind] == 1;
}

bool
dg_dwo_is_plain (int fd)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  unsigned n[DG_DWO_SECTIONS] = {0};
  bool is_plain = elf != NULL && dg_dwo_sections (elf, count, n);

  elf_end (elf);
  return is_plain;
}

/* Types stand in sections of their own, so that a linker could leave out what
   is there twice; offsets are from the begin of each unit.  */
static bool
append (void *user, const char *name, unsigned kind, Elf_Scn *section)
{
  struct dg_dwo_file *file = user;
  const Elf_Data *data;

  (void) name;
  if (kind == DG_DWO_SECTIONS)
    return true;
  data = dg_dwo_data (section);
  if (data == NULL || data->d_size > DG_DWO_LARGEST
      || file->sections[kind]->len > DG_DWO_LARGEST)
    return false;
  g_byte_array_append (file->sections[kind], data->d_buf,
                       (guint) data->d_size);
  return true;
}

int
dg_dwo_make_plain (int fd)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  struct dg_dwo_file *file;
  int made = -1;

  if (elf == NULL || elf_kind (elf) != ELF_K_ELF) {
    elf_end (elf);
    return -1;
  }
  file = dg_dwo_file_new (elf);
  if (dg_dwo_sections (elf, append, file))
    made = dg_dwo_file_write (file);
  dg_dwo_file_free (file);
  elf_end (elf);
  return made;
}
