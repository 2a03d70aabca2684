/* symbols_type_name.c: one spelling for the names of types, and the names
   that users give taken apart.  Knows no debug information.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_type_name.h"

#include <glib.h>
#include <string.h>

/* Longer names, and deeper template arguments, are taken as they are.  */
#define MAX_LENGTH 16384
#define MAX_DEPTH 100

/* ---- One spelling ----------------------------------------------------- */

struct token {
  const char *text;
  size_t n;
};

struct spelling {
  const char *at;
  GString *out;
  int depth;
  bool failed;
};

static bool
is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

static bool
next_token (struct spelling *s, struct token *token)
{
  while (g_ascii_isspace (*s->at))
    s->at++;
  token->text = s->at;
  if (*s->at == '\0')
    return false;
  if (is_word_char (*s->at))
    while (is_word_char (*s->at))
      s->at++;
  else if (s->at[0] == ':' && s->at[1] == ':')
    s->at += 2;
  else
    s->at++;
  token->n = (size_t) (s->at - token->text);
  return true;
}

static bool
is (const struct token *token, const char *word)
{
  return strlen (word) == token->n
         && memcmp (token->text, word, token->n) == 0;
}

/* The words of base types, which come in any order.  */
struct base {
  unsigned n_long, n_short, n_int, n_signed, n_unsigned;
  const char *kind; /* "char", "double"...; NULL: int */
  unsigned n;
};

static bool
take_base_word (struct base *base, const struct token *token)
{
  static const char *const kinds[] = {"char", "double", "float"};

  if (is (token, "long"))
    base->n_long++;
  else if (is (token, "short"))
    base->n_short++;
  else if (is (token, "int"))
    base->n_int++;
  else if (is (token, "signed"))
    base->n_signed++;
  else if (is (token, "unsigned"))
    base->n_unsigned++;
  else {
    size_t i = 0;

    while (i < G_N_ELEMENTS (kinds) && !is (token, kinds[i]))
      i++;
    if (i == G_N_ELEMENTS (kinds))
      return false;
    base->kind = kinds[i];
  }
  base->n++;
  return true;
}

static void
add_word (GString *out, const char *text, size_t n)
{
  if (out->len > 0 && is_word_char (out->str[out->len - 1])
      && is_word_char (text[0]))
    g_string_append_c (out, ' ');
  g_string_append_len (out, text, (gssize) n);
}

static void
add_text (GString *out, const char *text)
{
  add_word (out, text, strlen (text));
}

static void
add_base (GString *out, const struct base *base)
{
  if (base->n_unsigned > 0)
    add_text (out, "unsigned");
  else if (base->n_signed > 0 && base->kind != NULL)
    add_text (out, "signed");
  for (unsigned i = 0; i < MIN (base->n_long, 2u); i++)
    add_text (out, "long");
  if (base->n_short > 0)
    add_text (out, "short");
  if (base->kind != NULL)
    add_text (out, base->kind);
  else if (base->n_long == 0 && base->n_short == 0)
    add_text (out, "int");
}

/* What a type is made of until its end: const and volatile are put behind
   what they stand before or behind.  */
struct piece {
  struct base base;
  bool is_const, is_volatile, has_name;
};

static void
end_piece (GString *out, struct piece *piece)
{
  if (piece->base.n > 0)
    add_base (out, &piece->base);
  if (piece->is_const)
    add_text (out, "const");
  if (piece->is_volatile)
    add_text (out, "volatile");
  memset (piece, 0, sizeof *piece);
}

static void
take_word (struct spelling *s, struct piece *piece, const struct token *token)
{
  static const char *const keywords[] = {"struct", "class", "union", "enum",
                                         "typename"};

  if (is (token, "const")) {
    piece->is_const = true;
  } else if (is (token, "volatile")) {
    piece->is_volatile = true;
  } else if (g_ascii_isdigit (token->text[0])) {
    size_t n = token->n;

    /* Not of 0xffu, but of 12ul.  */
    while (n > 1 && strchr ("uUlL", token->text[n - 1]) != NULL)
      n--;
    add_word (s->out, token->text, n);
  } else if (piece->has_name || !take_base_word (&piece->base, token)) {
    for (size_t i = 0; i < G_N_ELEMENTS (keywords); i++)
      if (!piece->has_name && is (token, keywords[i]))
        return;
    add_word (s->out, token->text, token->n);
    piece->has_name = true;
  }
}

/* Types and values between commas, up to the closing bracket.  */
static void
spell (struct spelling *s, char closing)
{
  struct piece piece = {0};
  struct token token;

  if (++s->depth > MAX_DEPTH) {
    s->failed = true;
    return;
  }
  while (!s->failed && next_token (s, &token)) {
    char c = token.text[0];

    if (is_word_char (c)) {
      take_word (s, &piece, &token);
      continue;
    }
    if (c == ':' && token.n == 2) {
      if (s->out->len > 0 || piece.has_name)
        g_string_append (s->out, "::");
      piece.has_name = true;
      continue;
    }
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      char other = c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}';

      if (c != '<' && c != '{')
        end_piece (s->out, &piece);
      g_string_append_c (s->out, c);
      spell (s, other);
      continue;
    }
    end_piece (s->out, &piece);
    g_string_append_c (s->out, c);
    if (c == closing) {
      s->depth--;
      return;
    }
    if (strchr (">)]}", c) != NULL)
      s->failed = true;
  }
  end_piece (s->out, &piece);
  if (closing != '\0')
    s->failed = true;
  s->depth--;
}

char *
dg_type_name_canonical (const char *text)
{
  struct spelling s = {.at = text};

  if (strlen (text) > MAX_LENGTH)
    return g_strdup (text);
  s.out = g_string_new (NULL);
  spell (&s, '\0');
  if (s.failed || s.out->len == 0)
    g_string_assign (s.out, text);
  return g_string_free (s.out, FALSE);
}

/* ---- Users' names ----------------------------------------------------- */

/* The bound between brackets; an empty one is 0.  */
static bool
read_bound (const char *text, size_t n, uint64_t *bound)
{
  char *copy = g_strstrip (g_strndup (text, n)), *end = copy;
  bool good = copy[0] == '\0' || g_ascii_isdigit (copy[0]);

  *bound = good ? g_ascii_strtoull (copy, &end, 0) : 0;
  good = good && end[strspn (end, "uUlL")] == '\0'
         && (copy[0] == '\0' || *bound > 0);
  g_free (copy);
  return good;
}

static void
add_dim (struct dg_type_name *out, uint64_t bound)
{
  memmove (out->dims + 1, out->dims, out->n_dims * sizeof *out->dims);
  out->dims[0] = bound;
  out->n_dims++;
}

/* Takes "[3]" and "[]" off the end.  */
static bool
take_dims (GString *text, struct dg_type_name *out)
{
  while (text->len > 0 && text->str[text->len - 1] == ']') {
    const char *open = strrchr (text->str, '[');
    uint64_t bound;

    if (open == NULL || out->n_dims == DG_TYPE_DIMS
        || !read_bound (
          open + 1, (size_t) (text->str + text->len - 2 - open), &bound))
      return false;
    add_dim (out, bound);
    g_string_truncate (text, (gsize) (open - text->str));
    g_strchomp (text->str);
    g_string_set_size (text, strlen (text->str));
  }
  /* Only the first bound can be left open.  */
  for (unsigned i = 1; i < out->n_dims; i++)
    if (out->dims[i] == 0)
      return false;
  return true;
}

/* "[T; 4]", as Rust has it; a piece of it is "[T]".  */
static bool
take_rust_array (GString *text, struct dg_type_name *out)
{
  char *semicolon;

  while (text->str[0] == '[' && text->str[text->len - 1] == ']') {
    uint64_t bound;

    semicolon = strrchr (text->str, ';');
    if (semicolon == NULL || out->n_dims == DG_TYPE_DIMS
        || !read_bound (
          semicolon + 1,
          (size_t) (text->str + text->len - 2 - semicolon), &bound)
        || bound == 0)
      return false;
    out->dims[out->n_dims++] = bound;
    g_string_truncate (text, (gsize) (semicolon - text->str));
    g_string_erase (text, 0, 1);
    g_strstrip (text->str);
    g_string_set_size (text, strlen (text->str));
  }
  return text->len > 0;
}

/* "RESULT (*[4]) (ARGUMENTS)" is a pointer, or four.  */
static bool
take_function (GString *text, struct dg_type_name *out)
{
  const char *open = strstr (text->str, "(*"), *close;

  if (open == NULL)
    return false;
  close = strchr (open, ')');
  if (close != NULL) {
    GString *inner = g_string_new_len (open + 2, close - open - 2);

    take_dims (inner, out);
    g_string_free (inner, TRUE);
  }
  out->is_pointer = true;
  g_string_assign (text, "void");
  return true;
}

static bool
ends_with_word (GString *text, const char *word)
{
  size_t n = strlen (word);

  return text->len > n && g_str_has_suffix (text->str, word)
         && !is_word_char (text->str[text->len - n - 1]);
}

/* Takes "*", "&" and "const" off the end.  */
static void
take_pointers (GString *text, struct dg_type_name *out)
{
  static const char *const words[] = {"const", "volatile", "restrict",
                                      "__restrict"};

  for (;;) {
    size_t take = 0;

    if (text->len > 0 && strchr ("*&", text->str[text->len - 1]) != NULL) {
      out->is_pointer = true;
      take = 1;
    }
    for (size_t i = 0; take == 0 && i < G_N_ELEMENTS (words); i++)
      if (ends_with_word (text, words[i]))
        take = strlen (words[i]);
    if (take == 0)
      return;
    g_string_truncate (text, text->len - take);
    g_strchomp (text->str);
    g_string_set_size (text, strlen (text->str));
  }
}

static void
take_words (GString *text, struct dg_type_name *out)
{
  static const struct {
    const char *text;
    enum dg_type_word word;
  } words[] = {{"const", DG_TYPE_ANY},     {"volatile", DG_TYPE_ANY},
               {"typename", DG_TYPE_ANY},  {"struct", DG_TYPE_STRUCT},
               {"class", DG_TYPE_STRUCT},  {"union", DG_TYPE_UNION},
               {"enum", DG_TYPE_ENUM}};
  size_t i = 0;

  while (i < G_N_ELEMENTS (words)) {
    size_t n = strlen (words[i].text);

    if (strncmp (text->str, words[i].text, n) == 0
        && g_ascii_isspace (text->str[n])) {
      g_string_erase (text, 0, (gssize) n);
      g_strchug (text->str);
      g_string_set_size (text, strlen (text->str));
      if (words[i].word != DG_TYPE_ANY)
        out->word = words[i].word;
      i = 0;
    } else {
      i++;
    }
  }
}

bool
dg_type_name_parse (const char *given, struct dg_type_name *out)
{
  GString *text;
  bool good;

  memset (out, 0, sizeof *out);
  if (strlen (given) > MAX_LENGTH)
    return false;
  text = g_string_new (given);
  g_strstrip (text->str);
  g_string_set_size (text, strlen (text->str));
  good = text->len > 0;
  if (good && text->str[0] == '[')
    good = take_rust_array (text, out);
  else if (good && !take_function (text, out))
    good = take_dims (text, out);
  if (good) {
    /* Rust's pointers are in front.  */
    if (text->str[0] == '*' || text->str[0] == '&') {
      out->is_pointer = true;
      g_string_assign (text, "void");
    }
    take_pointers (text, out);
    take_words (text, out);
    take_pointers (text, out);
    good = text->len > 0
           && (is_word_char (text->str[text->len - 1])
               || strchr (">)}", text->str[text->len - 1]) != NULL);
  }
  if (good)
    out->base = dg_type_name_canonical (text->str);
  g_string_free (text, TRUE);
  return good;
}

void
dg_type_name_fini (struct dg_type_name *name)
{
  g_free (name->base);
}
