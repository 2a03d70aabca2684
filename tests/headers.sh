#!/bin/bash
# The public headers are good C and C++ of all versions, alone and together,
# and what packages are built with finds nothing in our sources.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
include=${abs_top_srcdir:?}/include
headers=$(sed -n '/^include_HEADERS/,/[^\\]$/p' "$abs_top_srcdir/Makefile.am" |
  grep -o 'dg_[a-z]*\.h\|libdatagrind\.h')

# good TITLE COMMAND...: nothing is said.
good ()
{
  title=$1
  shift
  "$@" > out 2>&1 && [ ! -s out ]
  report 'compiles without a word' out
}

warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'
for header in $headers dg_ring.h all; do
  if [ $header = all ]; then
    printf '#include <%s>\n' $headers > use.c
  else
    printf '#include <%s>\n' $header > use.c
  fi
  echo 'int used;' >> use.c
  cp use.c use.cc
  for version in c99 c11 c17; do
    good "$header as $version" ${CC:-cc} -std=$version $warnings \
      -I"$include" use.c
  done
  for version in c++11 c++17 c++20; do
    good "$header as $version" ${CXX:-c++} -std=$version $warnings \
      -I"$include" use.cc
  done
done

# ---- An analysis in C++ ----

cat > stores.cc << 'END'
#include <dg_analysis.h>
#include <dg_record.h>

namespace {

struct stores {
  uint64_t n;
};

void *create (struct dg_setup *, struct dg_error *)
{
  return new stores ();
}

int plan (void *, struct dg_plan *plan, struct dg_error *)
{
  plan->shard = DG_SHARD_WHOLE;
  plan->view = DG_VIEW_ACCESSES;
  return 0;
}

void *shard_new (void *self, const struct dg_feed *, void *,
                 struct dg_error *)
{
  return self;
}

int feed (void *, void *shard, const struct dg_feed *,
          const struct dg_batch *batch, struct dg_error *)
{
  stores *sums = static_cast<stores *> (shard);

  for (size_t i = 0; i < batch->n_accesses; i++)
    sums->n += batch->accesses[i].kind == DG_ACC_WRITE;
  return 0;
}

int report (void *self, struct dg_report *report, struct dg_error *)
{
  static const struct dg_column columns[] = {
    {"what", "what", DG_UNIT_TEXT, 0}, {"n", "n", DG_UNIT_COUNT, 0}
  };
  struct dg_rows *rows = dg_report_table (report, "rows", "Rows", columns, 2);
  const struct dg_cell row[] = {
    DG_CELL_TEXT ("stores"),
    DG_CELL_NUMBER (static_cast<stores *> (self)->n)
  };

  dg_rows_add (rows, row);
  return 0;
}

void release (void *self)
{
  delete static_cast<stores *> (self);
}

struct dg_analysis make ()
{
  struct dg_analysis analysis = dg_analysis ();

  analysis.version = DG_ANALYSIS_VERSION;
  analysis.size = sizeof analysis;
  analysis.name = "stores";
  analysis.summary = "Counts stores";
  analysis.create = create;
  analysis.plan = plan;
  analysis.shard_new = shard_new;
  analysis.shard_feed = feed;
  analysis.report = report;
  analysis.free = release;
  return analysis;
}

const struct dg_analysis stores_analysis = make ();

}

DG_PLUGIN (&stores_analysis);
END
good 'an analysis in C++' ${CXX:-c++} ${CFLAGS-} -std=c++11 -Wall -Wextra \
  -pedantic -shared -fPIC -I"$include" -o stores.so stores.cc
assemble log << 'END'
bbdef [0x400000+4] [R4@0 W4@0]
context 0 [0x400000]
bbrun 0 1 [0x1000 0x1000]
bbrun 0 1 [0x1000 0x1000]
end why=0 exit_code=0
END
run dg stores --plugin=./stores.so --json log
status 0
python3 -c 'import json
assert json.load(open("stdout"))["rows"] == [{"what": "stores", "n": 2}]'
report 'counts' stdout stderr

# ---- The example of libdatagrind(3) ----

sed -n '/^\.EX/,/^\.EE/{/^\.E[XE]/d; s/\\-/-/g; s/\\e/\\/g; p}' \
  "$abs_top_srcdir/docs/man/libdatagrind.3" > example.c
good 'the example of libdatagrind(3)' ${CC:-cc} ${CFLAGS-} -std=c99 -Wall \
  -Wextra -pedantic -I"$include" -o example example.c \
  -L"$abs_top_builddir/lib/.libs" -ldatagrind \
  -Wl,-rpath,"$abs_top_builddir/lib/.libs"
run ./example log
status 0
out << 'END'
thread 1 wrote 8 bytes
END
finish
