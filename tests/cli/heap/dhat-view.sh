# dhat-view.sh: what `dg heap --dhat-out` writes, in the page that DHAT's own
# files are read with, in a browser without a window.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# A block whose bytes are accessed more often than the page can count, one that
# is accessed just as often as it can, and one that is not.
{
  echo 'process 42 1 7 8 4096 64 4 30 "1" "3.19.0" "amd64" "/p" "/" ["p"]'
  echo 'bbdef [0x400100+4] [W4@0]'
  echo 'context 0 [0x400100 0x400300]'
  for block in 1 2 3; do
    echo "malloc_block 0x${block}0000 4 [0x400900 0x40${block}000 0x400300]"
  done
  # More than DHAT counts of a block, in blocks of one place.
  echo 'free_block 0x10000'
  echo 'malloc_block 0x10000 4 [0x400900 0x401000 0x400300]'
  for i in $(seq 1 700); do
    for k in $(seq 1 100); do
      echo 'bbrun 0 1 [0x10000]'
    done
  done
  for i in $(seq 1 65535); do
    echo 'bbrun 0 1 [0x20000]'
  done
  echo 'end why=0 exit_code=0'
} > text
assemble log < text
run dg heap --dhat-out=out.dhat log
status 0
grep -h '"acc"' out.dhat | sort -u > acc
printf '  ,"acc":[-4,0]\n  ,"acc":[-4,65535]\n' | diff - acc > difference
report 'counts end at 65535' difference

page=
for folder in "${VALGRIND_TREE:-none}/dhat" /usr/libexec/valgrind \
    /usr/lib/*/valgrind; do
  [ -r "$folder/dh_view.js" ] && page=$folder && break
done
browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$page" ]; then
  skip 'dh_view reads it: there is no dh_view.js'
elif [ -z "$browser" ]; then
  skip 'dh_view reads it: there is no Chromium'
else
  # The page, with the file chosen.
  python3 - "$page" << 'END' > view.html
import json, sys
text = open('out.dhat').read()
print('<!DOCTYPE html><html><head><meta charset="UTF-8"><script>'
      + open(sys.argv[1] + '/dh_view.js').read()
      + '</script></head><body><script>onLoad(); gFilename = "out.dhat";'
      + 'tryFunc(() => { gData = JSON.parse('
      + json.dumps(text).replace('<', '\\u003c')
      + '); buildTree(); displayTree(0, 0, 0); });</script></body></html>')
END
  timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-quic \
    --no-first-run --disable-background-networking --disable-sync \
    --disable-component-update --user-data-dir="$work/browser" --dump-dom \
    "file://$work/view.html" > dom 2> browser.log < /dev/null
  title='dh_view in Chromium'
  if [ $? = 0 ] && ! grep -q '</html>' dom; then
    skip "dh_view reads it: Chromium does not start here"
  else
    python3 - << 'END' > difference 2>&1
import html, re
text = open('dom').read()
text = text[text.rindex('</script>'):]
seen = html.unescape(re.sub(r'<[^>]*>', ' ', text))
for wanted in ('Total:', '16 bytes', '4 blocks', '542,140'):
    if wanted not in seen:
        print('no', wanted)
if 'class="error"' in text or 'too-large' in seen:
    print('an error')
if '∞' not in seen:
    print('no byte has too many accesses to count')
END
    [ ! -s difference ]
    report 'has our totals and no error' difference
  fi
fi
finish
