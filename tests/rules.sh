#!/bin/bash
# The rules of docs/coding.md that a script can check.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

cd "$abs_top_srcdir" || exit 99
. tests/rule.sh

sources ()
{
  find "$@" -type f -name '*.[ch]' 2>/dev/null | sort
}

# includes FOLDER PATTERN: the #include lines of a folder, "file:name", but
# those of headers that stand in the folder itself and those that match.
includes ()
{
  # Names of what stands in the folder come first, without a file.
  {
    find "$1" -type f -name '*.h' | sed "s,.*/,:,"
    find "$1" -type f | sed "s,^$1/,:,"
    sources "$1" | xargs -r grep -HE '^ *# *include *["<]' |
      sed 's/: *# *include *["<]\([^">]*\)[">].*/:\1/'
  } | PATTERN="^($2)\$" awk -F: '
    $1 == "" { own[$2] = 1; next }
    $2 ~ ENVIRON["PATTERN"] || $2 in own { next }
    { folder = $1
      sub (/\/[^\/]*$/, "", folder)
      if ((getline line < (folder "/" $2)) < 0) print $1 ": " $2
      close (folder "/" $2) }'
}

# Headers of the C library, POSIX and the compiler.
system='(assert|ctype|dlfcn|errno|fcntl|float|fnmatch|inttypes|langinfo|limits|locale|malloc|math|poll'
system="$system|setjmp|signal|spawn|stdarg|stdbool|stddef|stdint|stdio|stdlib"
system="$system|stdatomic|string|strings|termios|time|unistd|sys/[a-z]+|endian|elf"
system="$system|link|linux/(audit|filter|magic|seccomp)|byteswap|pthread|getopt|immintrin|emmintrin)\\.h"
glib='glib(/[a-z]+)?\.h|glib-unix\.h|gio/[a-z]+\.h|glib-object\.h'

# A rule that looks at nothing is always kept.
for folder in lib chart tools dg_view dg_view/model dg_view/plot datagrind python \
              tests bench include demo; do
  [ -n "$(sources $folder)" ] || echo $folder
done | rule "there are sources to look at"

# ---- Arrows -----------------------------------------------------------------

includes include "$system|valgrind\\.h|valgrind/valgrind\\.h" |
  rule "headers in include/ need the C library only"
grep -nE '# *include' include/dg_record.h include/dg_ring.h |
  grep -v '<stdint.h>' | rule "dg_record.h and dg_ring.h include stdint.h only"
includes datagrind '(pub_tool_|libvex)[a-z_0-9]*\.h|valgrind\.h|elf\.h|config\.h|dg_(record|ring|order)\.h|datagrind\.h' |
  grep -vE '^datagrind/dg_core.c: coregrind/(pub_core_|m_debuginfo/priv_image\.h)' |
  rule "datagrind/ sees Valgrind and the three shared headers, the core in one file"
includes lib "$system|$glib|config\\.h|libdatagrind\\.h|dg_(analysis|traffic)\\.h|dg_(record|ring)\\.h|zstd(_errors)?\\.h|xxhash\\.h|dwarf\\.h|gelf\\.h|libelf\\.h|elfutils/[a-z]+\\.h|libiberty/demangle\\.h|capstone/capstone\\.h" |
  rule "lib/ sees the log's header and its own"
charts=$(find chart -name '*.h' | sed 's,.*/,,; s/\./\\./' | paste -sd '|')
includes chart "$system|$glib|config\\.h|libdatagrind\\.h|glib/gi18n\\.h|cairo[a-z-]*\\.h|pango/[a-z]+\\.h" |
  rule "chart/ sees libdatagrind.h, cairo and Pango"
includes tools "$system|$glib|config\\.h|libdatagrind\\.h|dg_(analysis|traffic)\\.h|dg_record\\.h|$charts" |
  rule "tools/ see the public headers and their own"
includes dg_view "$system|$glib|config\\.h|libdatagrind\\.h|dg_analysis\\.h|dg_record\\.h|gtk/gtk\\.h|gtksourceview/gtksource\\.h|glib/gi18n\\.h|gdk/[a-z]+\\.h|cairo[a-z-]*\\.h|pango/[a-z]+\\.h|$charts" |
  rule "dg_view/ sees the public headers and its own"
includes python "$system|Python\\.h|libdatagrind\\.h|dg_(arrow|record)\\.h" |
  rule "python/ sees Python, the public headers and its own"
sources lib | xargs grep -lE '# *include *<(elfutils/|dwarf|gelf|libelf)' |
  grep -v '^lib/symbols/' | rule "only lib/symbols/ knows elfutils"
sources lib | xargs grep -lE '# *include *<(zstd|xxhash)' |
  grep -v '^lib/archive/' |
  rule "only lib/archive/ knows zstd and xxhash"
sources lib tools | xargs grep -lE '# *include *<capstone/' |
  grep -v '^lib/insn/' | rule "only lib/insn/ knows capstone"
{ grep -rHE '# *include *<(gtk|gdk|gtksourceview)/' dg_view/model dg_view/plot
  grep -rHE '# *include *<(cairo|pango)' dg_view/model
} |
  rule "dg_view/model knows neither drawing nor GTK, dg_view/plot no GTK"

# Which folder uses which: docs/houses, by check_houses.py.

# ---- The library is silent and has no state of its own ----------------------

sources lib | xargs grep -nE \
  '(^|[^a-z_])(printf|puts|putchar|perror|vprintf|g_print|g_printerr|g_error|g_warning|g_message|g_critical) \(' |
  grep -v 'format (' | rule "lib/ prints nothing"
sources lib | xargs grep -nE '(^|[^a-z_])(exit|_exit|abort) \(' |
  rule "lib/ never exits"
# A child that could not become another program leaves by _exit.
sources tools | xargs grep -nE '(^|[^a-z_.])(exit|abort) \(' |
  rule "commands hand errors up, and end by returning"
case " $CFLAGS " in
*sanitize*) ;;
*)
  if command -v objdump >/dev/null; then
    find "$abs_top_builddir"/{lib,chart,tools,dg_view} -name '*.o' 2>/dev/null |
      sort | while read -r object; do
        objdump -t "$object" | awk -v o="${object##*/}" '
          # Type numbers and class pointers of GObject are set once.
          $NF ~ /(parent_class|private_offset|(type_id|once)(__)?(\.[0-9]+)*)$/ { next }
          # A process has one handler of a signal, and it needs a table.
          o == "mapped.o" && $NF == "guard" { next }
          NF > 3 && $(NF-2) ~ /^\.(data|bss)(\..*)?$/ && $(NF-2) !~ /^\.data\.rel\.ro/ &&
          $NF !~ /^\./ { print o ": " $NF }'
      done | rule "no mutable file-scope state in lib, chart, tools, dg_view"
  fi ;;
esac

# What comes from a log is a key of tables whose hashes have a seed.  Who needs the
# hash of a text for something else, such as a colour, calls it.
sources lib chart tools dg_view | xargs grep -nE \
  'g_(int|int64|double)_hash|g_str_hash(,|$)' |
  rule "tables of GLib have dg_hash_uint64 and dg_hash_text"

# ---- Names and sizes --------------------------------------------------------

# The programs that tests record are not the system.  Analyses are named
# after their commands, as panels are after their titles.
sources lib chart tools dg_view datagrind python tests include demo |
  grep -v '^tests/record/guests/' |
  sed 's,^lib/analyses/[a-z]*/\([a-z]*\.c\)$,analysis \1,; s,.*/,,' | sort |
  uniq -d | rule "base names are unique"
{ sources lib chart tools dg_view datagrind python tests bench include demo
  find python -name '*.py'
} | xargs wc -l | awk '$2 != "total" && $1 > 800 { print $2 ": " $1 " lines" }' |
  rule "no file above 800 lines"
sources lib chart tools dg_view python | xargs awk '
  FNR == 1 { start = 0 }
  /^{/ { start = FNR }
  /^}/ { if (start && FNR - start > 100)
           print FILENAME ":" start ": " FNR - start - 1 " lines"
         start = 0 }' | rule "no function above 100 lines"
sources lib chart tools dg_view python include demo tests | xargs awk '
  length ($0) > 79 { print FILENAME ":" FNR ": " length ($0) " columns" }
  /\t/ { print FILENAME ":" FNR ": tab" }
  /[ ]$/ { print FILENAME ":" FNR ": space at the end" }' |
  rule "lines of C have at most 79 columns, no tabs, no space at the end"

# ---- Numbers ----------------------------------------------------------------

# Files of other programs, and what mdd and ms_print write, are theirs.
grep -rnE '%[-+ 0]*[0-9*]*(\.([1-9*][0-9]*)?[feg]|[eg]\b)' lib tools dg_view \
  --include='*.[ch]' | grep -v 'g_ascii_formatd' | grep -v '/\*' |
  grep -vE '^(lib/base/number_text|tools/heap/heap_print(_graph)?)\.c:' |
  rule "people read reals by number_text.c, programs by g_ascii_formatd"

grep -rn 'dg_symbols_variable (' dg_view tools lib --include='*.c' |
  grep -v '^lib/symbols' |
  rule "variables have the names of the source: dg_symbols_data"

# ---- Heads ------------------------------------------------------------------

{ sources lib chart tools dg_view datagrind python tests bench include demo
  find tests bench demo python docs/manual \
    \( -name '*.sh' -o -name '*.py' -o -name '*.pl' -o -name '*.mk' \)
  echo docs/manual/build
  for script in build-tool check debian-check debian-source release \
                tap-count test-needs versions; do
    echo build-aux/$script
  done
  echo bootstrap; echo configure.ac
  find . -path ./build -prune -o -name Makefile.am -print
} | sort -u | grep -v '^include/datagrind.h$' | xargs awk '
  FNR > 60 { nextfile }
  /SPDX-License-Identifier: GPL-2.0-or-later/ { spdx[FILENAME] = 1 }
  /Copyright \(C\) 2026 the Datagrind developers/ { owner[FILENAME] = 1 }
  END { for (i = 1; i < ARGC; i++)
          if (!(ARGV[i] in spdx && ARGV[i] in owner)) print ARGV[i] }' |
  rule "every source names its licence"
sources lib chart tools dg_view python | xargs awk '
  FNR == 1 { name = FILENAME
             sub (/.*\//, "", name)
             if (index ($0, "/* " name ": ") == 1) begins[FILENAME] = 1
             nextfile }
  END { for (i = 1; i < ARGC; i++)
          if (!(ARGV[i] in begins)) print ARGV[i] }' |
  rule "every source of lib, chart, tools, dg_view, python begins with its name and purpose"
grep -rnE '\b(TODO|FIXME|XXX)\b' include datagrind lib chart tools dg_view python tests \
  bench demo docs bootstrap build-aux/build-tool --include='*' \
  --exclude=rules.sh 2>/dev/null | grep -vE 'XXXX+' | rule "no unfinished business"
grep -rnE '(^|[^a-z.])/(home|work|root|Users)/[a-z]' include datagrind lib \
  chart tools dg_view python tests bench demo docs README.md bootstrap \
  --include='*.[ch]' --include='*.md' --include='*.sh' --include='*.py' \
  --include='*.am' --include='*.mk' --include='*.[0-9]' \
  --exclude=rules.sh 2>/dev/null |
  rule "no folder of anybody's machine"

# ---- Words ------------------------------------------------------------------

python3 tests/words.py docs/banned-words |
  rule "texts for people have no phrase of docs/banned-words"
python3 tests/references.py 2>&1 |
  rule "files and names in documents exist"

# ---- Lists ------------------------------------------------------------------

for folder in lib chart tools dg_view datagrind python; do
  sources $folder | sed "s,^$folder/,," | sort |
    comm -23 - <(tr -s ' \t' '\n' <$folder/Makefile.am | sort -u) |
    sed "s,^,$folder/,"
done | rule "every source is in its Makefile.am"
(cd python && ls datagrind/*.py*) | while read -r file; do
  grep -qE "^[[:space:]]$file( |\$)" python/Makefile.am || echo "$file"
done | rule "every file of the Python module is in its Makefile.am"
# Automake runs NAME.py where it is to run NAME.sh, and both have one log.
find tests -name '*.sh' | while read -r test; do
  [ ! -e "${test%.sh}.py" ] || echo "$test"
done | rule "no script has the name of a window drive"
find tests/{unit,cli,view,chart,logs} -name 'test-*.c' | while read -r test; do
  name=${test#tests/}
  grep -qE "(^|[[:space:]])${name%.c}([[:space:]]|\$)" \
    "tests/${name%%/*}/tests.mk" || echo "$test"
done | rule "every unit test is run"

build-aux/versions 2>&1 >/dev/null |
  rule "all files have the version of configure.ac"

# ---- Manual -----------------------------------------------------------------

commands=$(sources tools | grep '/dg_[^/]*$' |
  xargs sed -n 's/^  *[={ ]*\.name = "\([a-z-]*\)".*/\1/p')
{ [ -n "$commands" ] || echo "no commands are found"
  for command in $commands; do
    grep -qE "^\\.S[SHY].*\\b$command\\b" docs/man/dg.1 || echo "dg $command"
  done
} | rule "every command of dg has its section in dg(1)"

# ---- Tests ------------------------------------------------------------------

{ grep -rnE 'g_test_skip \((NULL|"")\)' tests --include='*.c'
  grep -rniE '# skip *("|$)' tests --include='*.sh' --include='*.py'
} | grep -v '^tests/rules.sh' | rule "nothing is skipped without a reason"

echo "1..$n"
