/* symbols_image.c: as much of an executable or library as names need.

   Sections stay where they are, and what is not needed becomes 0, so that the
   image is as good as the file for libelf.  Those that are
   compressed are expanded behind all others: a bundle compresses better.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_image.h"

#include <errno.h>
#include <gelf.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* ---- Which sections ---------------------------------------------------- */

static bool
begins_with_any (const char *name, const char *const *prefixes)
{
  for (; *prefixes != NULL; prefixes++)
    if (g_str_has_prefix (name, *prefixes))
      return true;
  return false;
}

/* Of those that hold what the program put there.  */
static bool
is_needed (const char *name, const GElf_Shdr *header)
{
  /* Stubs of functions and their tables; what tells of frames.  */
  static const char *const loaded[] = {
    ".plt", ".got", ".eh_frame", ".note", ".gnu.version", ".interp", ".opd",
    ".iplt", NULL};
  static const char *const other[] = {
    ".debug_info", ".debug_abbrev", ".debug_line", ".debug_str",
    ".debug_loc", ".debug_ranges", ".debug_rnglists", ".debug_addr",
    ".debug_types", ".debug_aranges", ".debug_frame", ".debug_cu_index",
    ".debug_tu_index", ".zdebug_", ".gnu_debug", NULL};

  if (header->sh_type != SHT_PROGBITS)
    return true;
  if ((header->sh_flags & SHF_ALLOC) == 0)
    return begins_with_any (name, other);
  return (header->sh_flags & SHF_EXECINSTR) != 0
         || begins_with_any (name, loaded);
}

/* ---- Making it --------------------------------------------------------- */

void
dg_symbols_image_fini (struct dg_symbols_image *image)
{
  if (image->bytes != NULL)
    munmap (image->bytes, image->room);
  image->bytes = NULL;
}

/* Room for as much; what is not used takes no memory.  */
static int
reserve (struct dg_symbols_image *image, uint64_t room, struct dg_error *err)
{
  void *bytes = room <= SIZE_MAX / 2
                  ? mmap (NULL, (size_t) room, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                  : MAP_FAILED;

  if (bytes == MAP_FAILED)
    return dg_error_nomem (err);
  image->bytes = bytes;
  image->room = room;
  return 0;
}

static int
read_all (struct dg_symbols_image *image, int fd, struct dg_error *err)
{
  uint64_t at = 0;

  while (at < image->size) {
    ssize_t got = pread (fd, image->bytes + at, image->size - at, (off_t) at);

    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    if (got == 0)
      return dg_error_set (err, DG_ERR_IO, "it has become shorter");
    at += (uint64_t) got;
  }
  return 0;
}

/* What a byte of deflate can become at most; what is written for debuggers
   stays far below, whatever compressed it.  */
#define LARGEST_RATIO 1032

bool
dg_symbols_expand (Elf_Scn *section)
{
  GElf_Chdr expanded;
  GElf_Shdr header;

  return gelf_getshdr (section, &header) != NULL
         && ((header.sh_flags & SHF_COMPRESSED) == 0
             || (gelf_getchdr (section, &expanded) != NULL
                 && expanded.ch_size / LARGEST_RATIO <= header.sh_size
                 && elf_compress (section, 0, 0) >= 0));
}

/* How much room the sections take that are compressed.  */
static uint64_t
expanded_size (Elf *elf)
{
  Elf_Scn *section = NULL;
  uint64_t sum = 0;

  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Chdr header;

    if (gelf_getchdr (section, &header) != NULL
        && header.ch_size <= UINT32_MAX)
      sum += header.ch_size + 64;
  }
  return sum;
}

/* Sets a section's place and size in the headers of the image, which has the
   byte order of this machine.  */
static void
move_header (struct dg_symbols_image *image, const GElf_Ehdr *ehdr,
             size_t index, uint64_t offset, uint64_t size, uint64_t align)
{
  uint8_t *at = image->bytes + ehdr->e_shoff + index * ehdr->e_shentsize;

  if (ehdr->e_ident[EI_CLASS] == ELFCLASS64) {
    Elf64_Shdr header;

    memcpy (&header, at, sizeof header);
    header.sh_offset = offset;
    header.sh_size = size;
    header.sh_addralign = align;
    header.sh_flags &= ~(uint64_t) SHF_COMPRESSED;
    memcpy (at, &header, sizeof header);
  } else {
    Elf32_Shdr header;

    memcpy (&header, at, sizeof header);
    header.sh_offset = (Elf32_Off) offset;
    header.sh_size = (Elf32_Word) size;
    header.sh_addralign = (Elf32_Word) align;
    header.sh_flags &= ~(Elf32_Word) SHF_COMPRESSED;
    memcpy (at, &header, sizeof header);
  }
}

static void
clear (struct dg_symbols_image *image, const GElf_Shdr *header)
{
  if (header->sh_type != SHT_NOBITS && header->sh_offset <= image->size
      && header->sh_size <= image->size - header->sh_offset)
    memset (image->bytes + header->sh_offset, 0, (size_t) header->sh_size);
}

/* Whether the headers of sections are where they should be.  */
static bool
has_headers (const struct dg_symbols_image *image, const GElf_Ehdr *ehdr,
             size_t index)
{
  size_t size = ehdr->e_ident[EI_CLASS] == ELFCLASS64 ? sizeof (Elf64_Shdr)
                                                      : sizeof (Elf32_Shdr);

  return ehdr->e_shentsize == size && ehdr->e_shoff < image->size
         && (index + 1) * size <= image->size - ehdr->e_shoff;
}

/* Expands it behind everything.  What cannot be is left as it is.  */
static void
expand (struct dg_symbols_image *image, const GElf_Ehdr *ehdr,
        Elf_Scn *section, const GElf_Shdr *header)
{
  bool is_ours = ehdr->e_ident[EI_DATA]
                 == (G_BYTE_ORDER == G_BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB);
  uint64_t offset = (image->size + 15) & ~(uint64_t) 15;
  uint64_t end = ehdr->e_ident[EI_CLASS] == ELFCLASS64 ? image->room
                                                       : UINT32_MAX;
  GElf_Chdr compressed;
  Elf_Data *data;

  if (!is_ours || !has_headers (image, ehdr, elf_ndxscn (section))
      || gelf_getchdr (section, &compressed) == NULL
      || !dg_symbols_expand (section))
    return;
  data = elf_rawdata (section, NULL);
  if (data == NULL || data->d_buf == NULL || offset > MIN (end, image->room)
      || data->d_size > MIN (end, image->room) - offset)
    return;
  clear (image, header);
  memcpy (image->bytes + offset, data->d_buf, data->d_size);
  image->size = offset + data->d_size;
  move_header (image, ehdr, elf_ndxscn (section), offset, data->d_size,
               compressed.ch_addralign);
}

/* elf: of a copy of the file, since the image changes.  */
static void
take_sections (struct dg_symbols_image *image, Elf *elf)
{
  Elf_Scn *section = NULL;
  GElf_Ehdr ehdr;
  size_t names;

  if (gelf_getehdr (elf, &ehdr) == NULL || elf_getshdrstrndx (elf, &names) < 0)
    return;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    GElf_Shdr header;
    const char *name;

    if (gelf_getshdr (section, &header) == NULL
        || (name = elf_strptr (elf, names, header.sh_name)) == NULL)
      continue;
    if (!is_needed (name, &header))
      clear (image, &header);
    else if ((header.sh_flags & SHF_COMPRESSED) != 0)
      expand (image, &ehdr, section, &header);
  }
}

/* Room for sections that are moved, too.  */
static int
make_from (struct dg_symbols_image *image, int fd, struct dg_error *err)
{
  struct stat status;
  Elf *elf;
  int code;

  if (fstat (fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  image->size = (uint64_t) status.st_size;
  code = reserve (
    image, 2 * image->size + 4096 + 2 * (elf ? expanded_size (elf) : 0), err);
  if (code == 0)
    code = read_all (image, fd, err);
  if (code == 0 && elf != NULL)
    take_sections (image, elf);
  elf_end (elf);
  return code;
}

int
dg_symbols_image_read (struct dg_symbols_image *image, int fd,
                       struct dg_error *err)
{
  int code;

  memset (image, 0, sizeof *image);
  code = make_from (image, fd, err);
  if (code < 0)
    dg_symbols_image_fini (image);
  return code;
}

/* ---- Changing it -------------------------------------------------------- */

static Elf_Scn *
find_section (Elf *elf, const char *wanted, GElf_Shdr *header)
{
  Elf_Scn *section = NULL;
  size_t names;

  if (elf == NULL || elf_getshdrstrndx (elf, &names) < 0)
    return NULL;
  while ((section = elf_nextscn (elf, section)) != NULL) {
    const char *name;

    if (gelf_getshdr (section, header) != NULL
        && (name = elf_strptr (elf, names, header->sh_name)) != NULL
        && strcmp (name, wanted) == 0)
      return section;
  }
  return NULL;
}

static bool
is_within (const struct dg_symbols_image *image, const GElf_Shdr *header)
{
  return header->sh_type != SHT_NOBITS
         && (header->sh_flags & SHF_COMPRESSED) == 0
         && header->sh_offset <= image->size
         && header->sh_size <= image->size - header->sh_offset;
}

bool
dg_symbols_image_section (const struct dg_symbols_image *image,
                          const char *name, uint64_t *offset, uint64_t *size)
{
  Elf *elf = elf_memory ((char *) image->bytes, (size_t) image->size);
  GElf_Shdr header;
  bool found = find_section (elf, name, &header) != NULL
               && is_within (image, &header);

  if (found) {
    *offset = header.sh_offset;
    *size = header.sh_size;
  }
  elf_end (elf);
  return found;
}

bool
dg_symbols_image_extend (struct dg_symbols_image *image, const char *name,
                         const void *bytes, size_t n, uint64_t *at)
{
  Elf *elf = elf_memory ((char *) image->bytes, (size_t) image->size);
  uint64_t offset = (image->size + 15) & ~(uint64_t) 15;
  GElf_Shdr header;
  GElf_Ehdr ehdr;
  Elf_Scn *section = find_section (elf, name, &header);
  bool can = section != NULL && is_within (image, &header)
             && gelf_getehdr (elf, &ehdr) != NULL
             && has_headers (image, &ehdr, elf_ndxscn (section))
             && offset <= image->room
             && header.sh_size <= image->room - offset
             && n <= image->room - offset - header.sh_size;
  size_t index = can ? elf_ndxscn (section) : 0;

  elf_end (elf);
  if (!can)
    return false;
  memcpy (image->bytes + offset, image->bytes + header.sh_offset,
          (size_t) header.sh_size);
  memcpy (image->bytes + offset + header.sh_size, bytes, n);
  *at = header.sh_size;
  image->size = offset + header.sh_size + n;
  move_header (image, &ehdr, index, offset, header.sh_size + n,
               header.sh_addralign);
  return true;
}
