# dg-export.sh: what dg export asks for, and what it says is missing.  What it
# writes is tested in tests/python.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log

# A Python without the module, one without pyarrow, one that prints what it is
# to do.
printf '#!/bin/sh\nexit 3\n' > without
printf '#!/bin/sh\nexit 4\n' > half
cat > python << 'END'
#!/bin/sh
[ "$1" != -c ] || exit 0
printf '%s\n' "$@"
END
chmod +x without half python
here=$PWD

run dg export log
status 2
err_has 'one of --parquet and --arrow is needed'
run dg export --parquet=d --arrow=f log
status 2
err_has 'one of --parquet and --arrow is needed'
run dg export --arrow=f --instructions=1..x log
status 2
err_has "'1..x' is not a range of instructions"
run dg export --arrow=f --threads=x log
status 2
err_has "'x' is not a list of threads"
run dg export --parquet=d missing
status 1
err_has 'missing'
no_out

export DATAGRIND_PYTHON
unset VIRTUAL_ENV
DATAGRIND_PYTHON=$here/without
run dg export --parquet=d log
status 1
err_has 'it has no module datagrind; in the sources of Datagrind: pip install ./python'
DATAGRIND_PYTHON=$here/half
run dg export --parquet=d log
status 1
err_has 'it has no module pyarrow; pip install pyarrow'
mkdir -p active/bin
cp half active/bin/python
DATAGRIND_PYTHON='' VIRTUAL_ENV=$here/active run dg export --parquet=d log
status 1
err_has 'active/bin/python: it has no module pyarrow'
DATAGRIND_PYTHON=/nowhere/python
run dg export --parquet=d log
status 1
err_has '/nowhere/python: it cannot be run; set DATAGRIND_PYTHON to a Python 3'
[ ! -e d ]
report 'nothing was written'

DATAGRIND_PYTHON=$here/python
run dg export --arrow=- --table=counts --table=blocks --columns=a,b --signed \
  --threads=1,3 --instructions=5k.. --events=fn:f --ranges=malloc -j 2 log
status 0
no_err
out << 'END'
-m
datagrind
export
--arrow=-
--table=counts
--table=blocks
--columns=a,b
--signed
--threads=1,3
--instructions=5000..
--events=fn:f
--ranges=malloc
--jobs=2
--
log
END
run dg export --arrow=f --instructions=..1.5Ki log
status 0
out_has '--instructions=0..1536'
finish
