# exp-datagrind-man.sh: the manual page of the Valgrind tool tells of the
# same options as the tool's own help, and is good roff.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
page=${abs_top_srcdir:?}/docs/man/exp-datagrind.1
source=$abs_top_srcdir/datagrind/dg_options.c
header=$abs_top_srcdir/include/datagrind.h
title='exp-datagrind'

# section NAME: the lines of a .SH, without roff's escapes.
section ()
{
  awk -v name="$1" '/^\.SH / { on = ($0 == ".SH " name); next } on' "$page" |
    sed 's/\\f[A-Z]//g; s/\\-/-/g'
}

# tags: the lines that name what an entry is about.
tags ()
{
  awk '/^\.T[PQ]/ { tag = 1; next } tag { print; tag = 0 }'
}

# options: those in a text, with their = and in order.  One that stands there
# twice is shown twice.
options ()
{
  grep -o -E -- '--datagrind-[a-z-]+=?' | sort
}

# What the usage texts offer is what an entry of the page describes.
sed -n '/print_usage/,$p' "$source" | options > in_help
section OPTIONS | tags | options > in_page
[ "$(wc -l < in_help)" -ge 11 ] && diff in_help in_page > difference
report 'the page describes the options of the usage texts' difference

# And the tool takes just those.
sed -n '/process_cmd_line_option/,/^}/p' "$source" |
  grep -o -E -- '"--datagrind-[a-z-]+[="]' | tr -d '"=' | sort -u > in_code
sed 's/=$//' in_help | sort | diff - in_code > difference
report 'the usage texts offer the options that the tool takes' difference

# No other option is spoken of anywhere in the page.
sed 's/\\-/-/g' "$page" | options | sed 's/=$//' | sort -u > spoken
grep -v -x -F -f in_code spoken > difference
[ ! -s difference ] && [ -s spoken ]
report 'the page speaks of no others' difference

# yes or no, as the texts have them.
sed -n '/print_usage/,$p' "$source" | sed -n 's/.*--\(datagrind-[a-z-]*\)=no|yes.*/\1/p' |
  sort > in_help
section OPTIONS | tags | sed -n 's/.*--\(datagrind-[a-z-]*\)=no | yes$/\1/p' |
  sort > in_page
diff in_help in_page > difference && [ -s in_page ]
report 'the page has the same yes-or-no options' difference

# The requests of the header.
sed -n 's/^#define \(DATAGRIND_[A-Z_]*\).*/\1/p' "$header" | sort > in_header
section 'CLIENT REQUESTS' | tags | grep -o 'DATAGRIND_[A-Z_]*' | sort > in_page
diff in_header in_page > difference && [ -s in_page ]
report 'the page describes the requests of the header' difference

# The monitor's commands.
sed -n '/keyword_id)(/,/word,/p' "$abs_top_srcdir/datagrind/dg_clreq.c" |
  grep -o '"[a-z_ ]*"' | tr -d '"' | tr ' ' '\n' | grep . | sort > in_code
section 'MONITOR COMMANDS' | tags | sed 's/^\.BR\{0,1\} //; s/ .*//' |
  sort > in_page
diff in_code in_page > difference && [ -s in_page ]
report 'the page describes the monitor commands' difference

# The example is a program, with and without requests.
section 'CLIENT REQUESTS' | sed -n '/^\.EX/,/^\.EE/p' | grep -v '^\.' |
  sed 's/<valgrind\/datagrind.h>/"datagrind.h"/' > example.c
if printf '#include <valgrind/valgrind.h>\n' |
    ${CC:-cc} -E - > /dev/null 2> stderr; then
  for flag in -O -DNVALGRIND; do
    ${CC:-cc} -Wall -Wextra -Werror $flag -I "$abs_top_srcdir/include" \
      -o example example.c 2> stderr && ./example
    report "the example compiles and runs ($flag)" stderr
  done
else
  skip 'no valgrind.h for the example'
fi

if command -v groff > /dev/null; then
  groff -man -Tutf8 -ww "$page" 2> stderr > stdout
  [ ! -s stderr ] && [ -s stdout ]
  report 'the page is good roff' stderr
else
  skip 'no groff'
fi
finish
