/* symbols_walk.c: asks libdw all that the names of a log could need of files.

   The same functions of it that the readers of this folder call, once for
   everything in the file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_walk.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Deeper nesting the readers do not follow either.  */
#define MAX_DEPTH 200
#define MOST_LOCATIONS 100
#define REGISTERS 32

/* What is walked.  */
struct walk {
  bool is_whole;           /* not only what is about code */
  Dwfl_Module *module;     /* NULL: none */
  Dwarf_CFI *frames[2];
  Dwarf_Addr bias[2];      /* of these */
  const char *furthest;    /* DIE of a unit: none is visited twice, wherever
                              a damaged file leads */
};

/* ---- ELF ---------------------------------------------------------------- */

static void
walk_relocations (Elf_Data *data, const GElf_Shdr *header)
{
  GElf_Rela rela;
  GElf_Rel rel;

  for (int i = 0; header->sh_type == SHT_RELA
                  && gelf_getrela (data, i, &rela) != NULL;
       i++)
    ;
  for (int i = 0;
       header->sh_type == SHT_REL && gelf_getrel (data, i, &rel) != NULL; i++)
    ;
}

static void
walk_sections (Elf *elf)
{
  Elf_Scn *section = NULL;
  const void *id;
  size_t names;

  if (elf == NULL || elf_getshdrstrndx (elf, &names) < 0)
    return;
  dwelf_elf_gnu_build_id (elf, &id);
  while ((section = elf_nextscn (elf, section)) != NULL) {
    Elf_Data *data;
    GElf_Shdr header;
    GElf_Sym symbol;

    if (gelf_getshdr (section, &header) == NULL)
      continue;
    elf_strptr (elf, names, header.sh_name);
    elf_rawdata (section, NULL);
    if ((header.sh_flags & SHF_COMPRESSED) != 0)
      elf_compress (section, 0, 0);
    data = elf_getdata (section, NULL);
    if (data == NULL)
      continue;
    walk_relocations (data, &header);
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
      continue;
    for (int i = 0; gelf_getsym (data, i, &symbol) != NULL; i++)
      elf_strptr (elf, header.sh_link, symbol.st_name);
  }
}

/* Another handle than that of libdw, as for an image of the file.  */
static void
walk_file (int fd)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);

  walk_sections (elf);
  elf_end (elf);
}

static void
walk_symbols (Dwfl_Module *module)
{
  int n = dwfl_module_getsymtab (module);

  for (int i = 0; i < n; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    Elf *elf;
    Dwarf_Addr bias;

    dwfl_module_getsym_info (module, i, &symbol, &address, &section, &elf,
                             &bias);
  }
}

/* ---- Units -------------------------------------------------------------- */

static void
walk_lines (Dwarf_Die *unit)
{
  Dwarf_Lines *lines;
  Dwarf_Files *files;
  size_t n;

  if (dwarf_getsrcfiles (unit, &files, &n) == 0)
    for (size_t i = 0; i < n; i++)
      dwarf_filesrc (files, i, NULL, NULL);
  if (dwarf_getsrclines (unit, &lines, &n) != 0)
    return;
  for (size_t i = 0; i < n; i++) {
    Dwarf_Line *line = dwarf_onesrcline (lines, i);
    Dwarf_Addr address;
    bool is_end;
    int number;

    dwarf_linesrc (line, NULL, NULL);
    dwarf_lineno (line, &number);
    dwarf_linecol (line, &number);
    dwarf_lineaddr (line, &address);
    dwarf_lineendsequence (line, &is_end);
  }
}

static void
walk_location (Dwarf_Attribute *attribute)
{
  Dwarf_Addr base, start, end;
  Dwarf_Attribute other;
  Dwarf_Op *ops;
  size_t n;
  ptrdiff_t at = 0;

  dwarf_getlocation (attribute, &ops, &n);
  for (unsigned i = 0; i < MOST_LOCATIONS; i++) {
    at = dwarf_getlocations (attribute, at, &base, &start, &end, &ops, &n);
    if (at <= 0)
      return;
    for (size_t k = 0; k < n; k++)
      dwarf_getlocation_attr (attribute, &ops[k], &other);
  }
}

static bool
has_location (const Dwarf_Attribute *attribute)
{
  switch (attribute->code) {
  case DW_AT_location:
  case DW_AT_frame_base:
  case DW_AT_data_member_location:
  case DW_AT_vtable_elem_location:
  case DW_AT_call_value:
  case DW_AT_GNU_call_site_value:
  case DW_AT_count:
  case DW_AT_upper_bound:
    return true;
  default:
    return false;
  }
}

/* libdw refuses forms of another kind by themselves.  */
static int
walk_attribute (Dwarf_Attribute *attribute, void *user)
{
  const struct walk *walk = user;
  Dwarf_Die die;
  Dwarf_Addr address;
  Dwarf_Block block;
  Dwarf_Word word;
  Dwarf_Sword sword;
  bool flag;

  if (dwarf_formudata (attribute, &word) == 0) {
    dwarf_formsdata (attribute, &sword);
  } else if (dwarf_formref_die (attribute, &die) != NULL) {
    dwarf_tag (&die);
    dwarf_diename (&die);
  } else if (dwarf_formstring (attribute) == NULL
             && dwarf_formaddr (attribute, &address) != 0
             && dwarf_formflag (attribute, &flag) != 0) {
    dwarf_formblock (attribute, &block);
  }
  if (walk->is_whole && has_location (attribute))
    walk_location (attribute);
  return DWARF_CB_OK;
}

static void
walk_frame (Dwarf_CFI *frames, Dwarf_Addr address)
{
  Dwarf_Frame *frame;
  Dwarf_Op memory[3], *ops;
  size_t n;

  if (frames == NULL || dwarf_cfi_addrframe (frames, address, &frame) != 0)
    return;
  dwarf_frame_cfa (frame, &ops, &n);
  for (int i = 0; i < REGISTERS; i++)
    dwarf_frame_register (frame, i, memory, &ops, &n);
  free (frame);
}

/* At its last byte all that call frame information has for it is executed.  */
static void
walk_code (struct walk *walk, Dwarf_Die *die)
{
  Dwarf_Addr base, low, high;
  ptrdiff_t at = 0;
  Dwarf_Die unit;

  dwarf_entrypc (die, &low);
  while ((at = dwarf_ranges (die, at, &base, &low, &high)) > 0) {
    if (dwarf_tag (die) != DW_TAG_subprogram)
      continue;
    for (unsigned i = 0; walk->is_whole && i < 2; i++)
      walk_frame (walk->frames[i], high - 1 - walk->bias[i]);
    if (dwarf_diecu (die, &unit, NULL, NULL) != NULL)
      dwarf_getsrc_die (&unit, low);
  }
}

/* Whether code stands there, or below.  */
static void
walk_die (struct walk *walk, Dwarf_Die *die, bool *has_code, bool *has_below)
{
  switch (dwarf_tag (die)) {
  case DW_TAG_compile_unit:
  case DW_TAG_partial_unit:
  case DW_TAG_subprogram:
  case DW_TAG_inlined_subroutine:
  case DW_TAG_lexical_block:
  case DW_TAG_try_block:
  case DW_TAG_catch_block:
  case DW_TAG_entry_point:
    *has_code = *has_below = true;
    walk_code (walk, die);
    break;
  case DW_TAG_namespace:
  case DW_TAG_module:
  case DW_TAG_class_type:
  case DW_TAG_structure_type:
  case DW_TAG_union_type:
  case DW_TAG_interface_type:
  case DW_TAG_enumeration_type:
    *has_code = false;
    *has_below = true;
    break;
  default:
    *has_code = *has_below = false;
    break;
  }
}

static void
walk_tree (struct walk *walk, Dwarf_Die *die, unsigned depth)
{
  bool has_code, has_below;
  Dwarf_Attribute attribute;
  Dwarf_Die child;

  if ((const char *) die->addr <= walk->furthest)
    return;
  walk->furthest = die->addr;
  walk_die (walk, die, &has_code, &has_below);
  if (has_code || walk->is_whole)
    dwarf_getattrs (die, walk_attribute, walk, 0);
  if (has_code) {
    dwarf_attr_integrate (die, DW_AT_name, &attribute);
    dwarf_attr_integrate (die, DW_AT_type, &attribute);
  }
  if ((!has_below && !walk->is_whole) || depth == MAX_DEPTH
      || dwarf_child (die, &child) != 0)
    return;
  do
    walk_tree (walk, &child, depth + 1);
  while (dwarf_siblingof (&child, &child) == 0
         && (const char *) child.addr > walk->furthest);
}

static void
walk_all_units (struct walk *walk, Dwarf *dwarf)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die;
  uint8_t type;

  /* Without its other half, which libdw would open.  */
  while (dwarf_get_units (dwarf, unit, &unit, NULL, &type, &die, NULL) == 0) {
    Dwarf_Half version;
    uint8_t address_size, offset_size;
    uint64_t id;

    dwarf_cu_info (unit, &version, NULL, NULL, NULL, &id, &address_size,
                   &offset_size);
    dwarf_srclang (&die);
    walk_lines (&die);
    walk->furthest = NULL;
    walk_tree (walk, &die, 0);
  }
}

/* ---- Modules ------------------------------------------------------------ */

struct given {
  int debug, shared;       /* each is given once */
};

static int
find_given (Dwfl_Module *module, void **user, const char *module_name,
            Dwarf_Addr base, const char *file, const char *link,
            GElf_Word crc, char **name)
{
  struct given *given = *user;
  int fd = given->debug >= 0 ? given->debug : given->shared;

  (void) module;
  (void) module_name;
  (void) base;
  (void) file;
  (void) link;
  (void) crc;
  if (given->debug >= 0)
    given->debug = -1;
  else
    given->shared = -1;
  *name = fd >= 0 ? strdup ("given") : NULL;
  return fd;
}

static const char *const nowhere = "/nonexistent";

static const Dwfl_Callbacks callbacks = {
  .find_elf = dwfl_build_id_find_elf,
  .find_debuginfo = find_given,
  .section_address = dwfl_offline_section_address,
  .debuginfo_path = (char **) &nowhere};

static void
walk_opened (struct walk *walk)
{
  Dwarf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (walk->module, &bias);

  walk_symbols (walk->module);
  if (walk->is_whole) {
    walk->frames[0] = dwfl_module_eh_cfi (walk->module, &walk->bias[0]);
    walk->frames[1] = dwfl_module_dwarf_cfi (walk->module, &walk->bias[1]);
  }
  walk_sections (dwfl_module_getelf (walk->module, &bias));
  if (dwarf == NULL)
    return;
  dwfl_module_addrdie (walk->module, bias, &bias);
  walk_all_units (walk, dwarf);
  dwarf = walk->is_whole ? dwarf_getalt (dwarf) : NULL;
  if (dwarf != NULL)
    walk_all_units (walk, dwarf);
}

void
dg_symbols_walk_module (int module, int debug, int shared, bool is_whole)
{
  struct given given = {debug, shared};
  struct walk walk = {.is_whole = is_whole};
  Dwfl *dwfl;
  void **user;

  elf_version (EV_CURRENT);
  walk_file (module);
  if (debug >= 0)
    walk_file (debug);
  if (shared >= 0)
    walk_file (shared);
  dwfl = dwfl_begin (&callbacks);
  if (dwfl == NULL)
    return;
  dwfl_report_begin (dwfl);
  walk.module = dwfl_report_elf (dwfl, "given", "given", module, 0, true);
  dwfl_report_end (dwfl, NULL, NULL);
  if (walk.module != NULL) {
    dwfl_module_info (walk.module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
    *user = &given;
    walk_opened (&walk);
  }
  dwfl_end (dwfl);
}

void
dg_symbols_walk_units (int fd)
{
  struct walk walk = {.is_whole = true};
  Dwarf *dwarf;

  elf_version (EV_CURRENT);
  walk_file (fd);
  dwarf = dwarf_begin (fd, DWARF_C_READ);
  if (dwarf != NULL)
    walk_all_units (&walk, dwarf);
  dwarf_end (dwarf);
  close (fd);
}
