# schema_table.awk: docs/schema/*.json -> schema_table.c, with their lines as
# strings.  A file has its title, and the value of "schema", in lines of their
# own.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# after KEY: the string that follows this key in the line.
function after (key)
{
  text = $0
  sub (".*\"" key "\": \"", "", text)
  sub ("\",?$", "", text)
  return text
}

BEGIN {
  print "#include \"base/schema.h\""
}

FNR == 1 {
  if (n > 0)
    print "  NULL};"
  name[++n] = FILENAME
  sub (".*/", "", name[n])
  sub ("\\.json$", "", name[n])
  print "static const char *const lines_" n "[] = {"
}

/^  "title": "/ { title[n] = after("title") }
/"const": "datagrind\// && id[n] == "" { id[n] = after("const") }

{
  gsub (/\\/, "&&")
  gsub (/"/, "\\\"")
  print "  \"" $0 "\\n\","
}

END {
  print "  NULL};"
  print "const struct schema *schema_table (size_t *n) {"
  print "  static const struct schema table[] = {"
  for (i = 1; i <= n; i++)
    printf "    {\"%s\", \"%s\", \"%s\", lines_%d},\n", name[i], id[i], \
      title[i], i
  print "  }; *n = sizeof table / sizeof table[0]; return table; }"
}
