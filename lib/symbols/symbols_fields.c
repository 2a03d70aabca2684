/* symbols_fields.c: finds the member or element at a byte of a variable.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"
#include "symbols_fields.h"
#include "symbols_place.h"

#include <inttypes.h>
#include <string.h>

/* Members that one question looks at: unions in unions are tried out, and
   damaged ones could hold themselves.  */
#define BUDGET 20000
#define MAX_PATH 4000
#define MAX_ALSO 200

/* Where a search stands: something of `type`, at `start` of the whole, whose
   byte `at` is asked for.  */
struct finding {
  struct dg_object *object;
  Dwarf_Die type;
  bool has_type;           /* else it is a pointer that was only named */
  uint64_t start, at;
  uint64_t size;           /* 0: unknown */
  uint64_t limit;          /* bytes from its start to the end of the whole */
  uint64_t named_start;    /* of what the path names: */
  uint64_t named_size;     /* its bytes */
  uint64_t bits;           /* of a bit-field, else 0 */
  uint32_t wanted;         /* size of the access; 0: any */
  Dwarf_Die holder;
  bool has_holder, is_padding;
  bool is_shared;          /* with other members, which are chosen among */
  const char *member;
  GString *path, *also;    /* NULL: nobody wants to know */
  unsigned *budget;
};

/* ---- Members ---------------------------------------------------------- */

struct member {
  Dwarf_Die die, type;
  uint64_t start, size;    /* bytes, of the bytes that have a bit of it */
  uint64_t bits;           /* of a bit-field, else 0 */
  bool is_base;
};

/* The constant offset of a member; false if it has none, such as virtual base
   classes.  */
static bool
member_location (Dwarf_Die *die, uint64_t *offset)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  Dwarf_Word word;
  size_t n;

  *offset = 0;
  if (dg_place_expression (die, DW_AT_data_member_location, true, &attribute)
      == NULL)
    return true;
  if (dwarf_whatform (&attribute) != DW_FORM_exprloc
      && dwarf_formudata (&attribute, &word) == 0) {
    *offset = word;
    return true;
  }
  if (dwarf_getlocation (&attribute, &ops, &n) != 0 || n != 1
      || (ops[0].atom != DW_OP_plus_uconst && ops[0].atom != DW_OP_constu))
    return false;
  *offset = ops[0].number;
  return true;
}

/* A bit-field: the bytes in which it has bits.  */
static bool
bit_location (struct dg_object *object, struct member *m)
{
  uint64_t first, storage;

  if (m->bits == 0 || m->bits > 1u << 16)
    return false;
  if (!dg_die_number (&m->die, DW_AT_data_bit_offset, &first)) {
    uint64_t from_high = 0;

    if (!dg_die_number (&m->die, DW_AT_bit_offset, &from_high))
      return true;
    if (!dg_die_number (&m->die, DW_AT_byte_size, &storage)
        && !dg_die_size (object, &m->type, &storage))
      return false;
    if (m->start > 1u << 30 || storage > 1u << 16
        || from_high + m->bits > storage * 8)
      return false;
    first = m->start * 8
            + (object->is_big_endian ? from_high
                                     : storage * 8 - from_high - m->bits);
  }
  if (first > INT64_MAX - m->bits)
    return false;
  m->start = first / 8;
  m->size = (first + m->bits + 7) / 8 - m->start;
  return true;
}

/* Whether objects of the type have no bytes of their own: empty classes.  */
static bool
is_empty (struct finding *f, const Dwarf_Die *given, int depth)
{
  Dwarf_Die type = *given, die, base;
  int tag = dg_die_peel (f->object, &type);

  if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type)
    return false;
  if (!dg_die_child (&type, &die))
    return true;
  do {
    if (*f->budget == 0 || --*f->budget == 0)
      return false;
    tag = dwarf_tag (&die);
    if (tag == DW_TAG_member && !dwarf_hasattr (&die, DW_AT_external))
      return false;
    if (tag == DW_TAG_variant_part
        || (tag == DW_TAG_inheritance
            && (depth > DG_DIE_DEPTH
                || !dg_die_follow (&die, DW_AT_type, &base)
                || !is_empty (f, &base, depth + 1))))
      return false;
  } while (dg_die_next (&die));
  return true;
}

/* Reads a child of a struct or union; false if it is not a member that has
   bytes.  */
static bool
read_member (struct finding *f, Dwarf_Die *die, struct member *m)
{
  int tag = dwarf_tag (die);

  memset (m, 0, sizeof *m);
  m->die = *die;
  m->is_base = tag == DW_TAG_inheritance;
  if ((tag != DW_TAG_member && !m->is_base)
      || dwarf_hasattr (die, DW_AT_external)
      || !dg_die_follow (die, DW_AT_type, &m->type)
      || !member_location (die, &m->start))
    return false;
  if (dg_die_number (die, DW_AT_bit_size, &m->bits))
    return bit_location (f->object, m);
  if (!dg_die_size (f->object, &m->type, &m->size)) {
    Dwarf_Die type = m->type;

    /* A flexible array has what is left.  */
    if (dg_die_peel (f->object, &type) != DW_TAG_array_type
        || m->start >= f->limit)
      return false;
    m->size = f->limit - m->start;
  }
  return true;
}

/* ---- Choosing among members that share bytes -------------------------- */

static void descend (struct finding *f);

/* How well a member fits the access: the field that it leads to begins with
   it and has its size; it is not padding.  */
static int
rate (const struct finding *f, const struct member *m)
{
  struct finding trial = *f;
  int rating = 0;

  trial.path = trial.also = NULL;
  trial.type = m->type;
  trial.at = f->at - m->start;
  trial.start = f->start + m->start;
  trial.size = m->size;
  trial.limit = f->limit - m->start;
  trial.bits = m->bits;
  trial.is_padding = false;
  if (m->bits == 0)
    descend (&trial);
  if (!trial.is_padding)
    rating += 4;
  if (trial.at == 0)
    rating += 2;
  if (trial.at == 0 && f->wanted != 0 && trial.size == f->wanted)
    rating += 1;
  return rating;
}

static void
add_also (struct finding *f, Dwarf_Die *die)
{
  const char *name = dwarf_diename (die);

  if (f->also == NULL || name == NULL || f->also->len > MAX_ALSO)
    return;
  g_string_append_printf (f->also, "%s%s", f->also->len > 0 ? ", " : "",
                          name);
}

/* Rust's enums have their members in variants.  */
static void
consider_variants (struct finding *f, Dwarf_Die *part, GArray *members)
{
  Dwarf_Die variant, die;

  if (!dg_die_child (part, &variant))
    return;
  do {
    if (dwarf_tag (&variant) != DW_TAG_variant
        || !dg_die_child (&variant, &die))
      continue;
    do {
      struct member m;

      if (*f->budget == 0 || --*f->budget == 0)
        return;
      if (read_member (f, &die, &m) && f->at >= m.start
          && f->at - m.start < m.size)
        g_array_append_val (members, m);
    } while (dg_die_next (&die));
  } while (dg_die_next (&variant));
}

/* All members over the byte.  */
static GArray *
members_at (struct finding *f)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (struct member));
  Dwarf_Die die;

  if (!dg_die_child (&f->type, &die))
    return members;
  do {
    struct member m;

    if (*f->budget == 0 || --*f->budget == 0)
      break;
    if (dwarf_tag (&die) == DW_TAG_variant_part)
      consider_variants (f, &die, members);
    else if (read_member (f, &die, &m) && f->at >= m.start
             && f->at - m.start < m.size)
      g_array_append_val (members, m);
  } while (dg_die_next (&die));
  return members;
}

/* The best of them; false if there is none.  */
static bool
choose_member (struct finding *f, struct member *best)
{
  GArray *members = members_at (f);
  bool found = members->len > 0;
  guint chosen = 0;
  int most = -1;

  for (guint i = 0; members->len > 1 && i < members->len; i++) {
    const struct member *m = &g_array_index (members, struct member, i);
    int rating = is_empty (f, &m->type, 0) ? 0 : rate (f, m);

    if (rating > most) {
      most = rating;
      chosen = i;
    }
  }
  if (found) {
    *best = g_array_index (members, struct member, chosen);
    if (f->also != NULL && members->len > 1)
      g_string_truncate (f->also, 0);
    for (guint i = 0; i < members->len; i++) {
      struct member *m = &g_array_index (members, struct member, i);

      if (i == chosen)
        continue;
      f->is_shared = f->is_shared || !is_empty (f, &m->type, 0);
      if (!m->is_base)
        add_also (f, &m->die);
    }
  }
  g_array_unref (members);
  return found;
}

/* ---- Going in --------------------------------------------------------- */

/* Names that C and C++ reserve for their libraries: "_M_impl", "__data".  */
static bool
is_reserved (const char *name)
{
  return name[0] == '_' && (name[1] == '_' || g_ascii_isupper (name[1]));
}

/* What a library's class is made of is not what the source calls it: members
   that are all of an object, as the "_M_i" of std::atomic, and base classes.
   But elements of tuples differ in their base only.  Members of unions are one
   of several, which locks of C are known by.  */
static bool
is_inside (struct finding *f, const struct member *m, const char *name)
{
  Dwarf_Die holder = f->type;

  if (!is_reserved (name) || dwarf_tag (&holder) == DW_TAG_union_type)
    return false;
  return (f->start + m->start == f->named_start && m->size == f->named_size)
         || (m->is_base && !g_str_has_prefix (name, "_Head_base<"));
}

static void
append_member (struct finding *f, struct member *m)
{
  const char *name = dwarf_diename (&m->die);
  Dwarf_Die base = m->type;

  if (m->is_base) {
    dg_die_define (f->object, &base);
    name = dwarf_diename (&base);
  }
  /* Anonymous structs and unions do not show.  */
  if (name == NULL)
    return;
  if (!m->is_base) {
    f->holder = f->type;
    f->has_holder = true;
    f->member = name;
  }
  if (f->path == NULL || is_inside (f, m, name))
    return;
  if (!m->is_base) {
    f->named_start = f->start + m->start;
    f->named_size = m->size;
  }
  if (!g_str_has_suffix (f->path->str, "::"))
    g_string_append_c (f->path, '.');
  g_string_append_printf (f->path, "%s%s", name, m->is_base ? "::" : "");
}

/* False where there is nothing to go into.  */
static bool
enter_struct (struct finding *f)
{
  struct member m;
  Dwarf_Die child;

  if (!choose_member (f, &m)) {
    f->is_padding = dg_die_child (&f->type, &child);
    return false;
  }
  append_member (f, &m);
  f->type = m.type;
  f->start += m.start;
  f->at -= m.start;
  f->limit -= MIN (f->limit, m.start);
  f->size = m.size;
  f->bits = m.bits;
  return m.bits == 0;
}

static void
append_index (struct finding *f, int64_t lower, uint64_t index)
{
  if (f->path != NULL)
    g_string_append_printf (f->path, "[%" PRId64 "]",
                            (int64_t) ((uint64_t) lower + index));
}

/* `flat` counts elements; the first bound is not looked at, unless it is the
   one that varies fastest.  */
static void
append_indices (struct finding *f, unsigned n, const uint64_t *count,
                const int64_t *lower, bool column_major, uint64_t flat)
{
  uint64_t index[DG_TYPE_DIMS] = {0};

  for (unsigned k = 0; k < n; k++) {
    unsigned i = column_major ? k : n - 1 - k;

    if (k + 1 == n || count[i] == 0) {
      index[i] = flat;
      flat = 0;
    } else {
      index[i] = flat % count[i];
      flat /= count[i];
    }
  }
  for (unsigned i = 0; i < n; i++)
    append_index (f, lower != NULL ? lower[i] : 0, index[i]);
}

static bool
enter_array (struct finding *f)
{
  struct dg_array array;
  uint64_t flat;

  if (!dg_die_array (f->object, &f->type, &array))
    return false;
  flat = f->at / array.stride;
  append_indices (f, array.n, array.count, array.lower, array.column_major,
                  flat);
  f->type = array.element;
  f->start += flat * array.stride;
  f->at -= flat * array.stride;
  f->limit -= MIN (f->limit, flat * array.stride);
  f->size = array.stride;
  f->named_start = f->start;
  f->named_size = f->size;
  return true;
}

static void
descend (struct finding *f)
{
  for (int depth = 0; depth < DG_DIE_DEPTH && *f->budget > 0; depth++) {
    Dwarf_Die type = f->type;
    int tag = dg_die_peel (f->object, &type);
    bool more = false;

    if (f->path != NULL && f->path->len > MAX_PATH)
      return;
    switch (tag) {
    case DW_TAG_array_type:
      f->type = type;
      more = enter_array (f);
      break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
      if (!f->is_padding) {
        Dwarf_Die named = f->type;

        f->type = type;
        more = enter_struct (f);
        /* The name that the source has for it.  */
        if (!more && f->bits == 0)
          f->type = named;
      }
      break;
    default:
      break;
    }
    if (!more)
      return;
  }
}

/* ---- Answers ---------------------------------------------------------- */

static const char *
type_text (struct finding *f, struct dg_names *names, const Dwarf_Die *type,
           uint64_t bits)
{
  GString *text = g_string_new (NULL);
  const char *result;

  dg_die_append_type (f->object, text, type);
  if (bits > 0)
    g_string_append_printf (text, " : %" PRIu64, bits);
  result = dg_names_intern (names, text->str);
  g_string_free (text, TRUE);
  return result;
}

static void
fill (struct finding *f, struct dg_names *names, const char *pointer,
      struct dg_field *out)
{
  memset (out, 0, sizeof *out);
  if (g_str_has_suffix (f->path->str, "::"))
    g_string_truncate (f->path, f->path->len - 2);
  out->path = dg_names_intern (names, f->path->str);
  out->type =
    f->has_type ? type_text (f, names, &f->type, f->bits) : pointer;
  if (f->also->len > 0)
    out->also = dg_names_intern (names, f->also->str);
  if (f->has_holder) {
    out->holder = type_text (f, names, &f->holder, 0);
    out->member = dg_names_intern (names, f->member);
  }
  out->offset = f->start;
  out->size = f->size;
  out->within = f->at;
  out->is_padding = f->is_padding;
}

bool
dg_field_find_in (struct dg_object *object, struct dg_names *names,
                  const Dwarf_Die *type, const char *pointer, uint64_t element,
                  const struct dg_bounds *bounds, uint64_t total,
                  uint64_t offset, uint32_t access_size, struct dg_field *out)
{
  unsigned budget = BUDGET;
  struct finding f = {.object = object,
                      .has_type = type != NULL,
                      .at = offset,
                      .size = element,
                      .limit = total,
                      .wanted = access_size,
                      .path = g_string_new (NULL),
                      .also = g_string_new (NULL),
                      .budget = &budget};

  if (type != NULL)
    f.type = *type;
  if (bounds != NULL && bounds->n > 0 && element > 0) {
    uint64_t flat = offset / element;

    append_indices (&f, bounds->n, bounds->count, NULL, false, flat);
    f.start = flat * element;
    f.at = offset % element;
    f.limit = total > f.start ? total - f.start : 0;
  }
  f.named_start = f.start;
  f.named_size = element;
  if (type != NULL)
    descend (&f);
  fill (&f, names, pointer, out);
  g_string_free (f.path, TRUE);
  g_string_free (f.also, TRUE);
  return true;
}

bool
dg_field_find (struct dg_object *object, struct dg_names *names,
               const Dwarf_Die *type, uint64_t total, uint64_t offset,
               uint32_t access_size, struct dg_field *out)
{
  uint64_t size = 0;

  if (!dg_die_size (object, type, &size) && total == 0)
    return false;
  if (total == 0)
    total = size;
  if (offset >= total)
    return false;
  return dg_field_find_in (object, names, type, NULL,
                           size > 0 ? size : total, NULL, total, offset,
                           access_size, out);
}

bool
dg_field_type (struct dg_object *object, const Dwarf_Die *type,
               uint64_t total, uint64_t offset, Dwarf_Die *out)
{
  unsigned budget = BUDGET;
  struct finding f = {.object = object,
                      .type = *type,
                      .has_type = true,
                      .at = offset,
                      .size = total,
                      .limit = total,
                      .budget = &budget};

  if (offset >= total)
    return false;
  descend (&f);
  *out = f.type;
  return f.at == 0 && f.bits == 0 && !f.is_padding && !f.is_shared;
}
