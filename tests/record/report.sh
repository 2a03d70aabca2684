#!/bin/bash
# dg report: the page of a program with a known flaw, and of its repair; read
# by a parser and by a browser without a network.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > compile || skip_all 'no python3'

source=$(dirname "$guests")/advise/sparse-walk-structs.c
for variant in '' -DREPAIRED; do
  # shellcheck disable=SC2086
  $CC -g -O1 -w $variant "$source" -o "structs$variant" 2> compile \
    || skip_all "the compiler cannot make it: $(cat compile)"
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o "log$variant.dgz" \
    "./structs$variant" > out 2> err
done
"$DG" report -o one.html log.dgz 2> err
is 'a page of one log' "$? $(cat err)" '0 '
"$DG" report -o two.html log.dgz log-DREPAIRED.dgz 2> err
is 'a page of two logs' "$? $(cat err)" '0 '
"$DG" advise --json log.dgz > advise.json
"$DG" cache --json log.dgz > cache.json
"$DG" counts --json log.dgz > counts.json

cat > judge.py <<'PYTHON'
"""What a parser of HTML finds in a page."""
import html.parser, json, re, sys

VOID = {"meta", "link", "img", "source", "input", "br", "rect"}

class Page (html.parser.HTMLParser):
    def __init__ (self):
        super ().__init__ ()
        self.open, self.wrong, self.links, self.ids = [], [], [], set ()
        self.texts, self.figures, self.label, self.data = [], {}, "", []

    def handle_starttag (self, tag, attrs):
        attrs = dict (attrs)
        if tag not in VOID:
            self.open.append (tag)
        self.ids.add (attrs.get ("id"))
        for name in ("src", "href", "srcset", "action", "data"):
            if name in attrs:
                self.links.append (attrs[name])
        if tag == "data" and "dd" in self.open:
            self.figures[self.label] = int (attrs["value"])
        if tag == "img" and not attrs.get ("alt"):
            self.wrong.append ("a picture without words")
        if tag == "p" and attrs.get ("class") == "text":
            self.texts.append ("")

    def handle_startendtag (self, tag, attrs):
        self.handle_starttag (tag, attrs)
        if tag not in VOID:
            self.open.pop ()

    def handle_endtag (self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop () != tag:
            self.wrong.append ("</%s>" % tag)

    def handle_data (self, text):
        if self.open and self.open[-1] == "dt":
            self.label = text
        elif self.open and self.open[-1] == "p" and self.texts \
                and self.texts[-1] == "":
            self.texts[-1] = text

def read (name):
    page = Page ()
    with open (name, encoding = "utf-8") as file:
        page.text = file.read ()
    page.feed (page.text)
    return page

def say (what, good, more = ""):
    print ("ok" if good else "not ok", what, "" if good else more)

def load (name):
    with open (name) as file:
        return json.load (file)

for name in ("one.html", "two.html"):
    page = read (name)
    away = [link[:60] for link in page.links
            if not link.startswith (("data:", "#"))]
    say (name + ": elements are closed", not page.open and not page.wrong,
         "%s %s" % (page.open, page.wrong))
    say (name + ": nothing is elsewhere", not away, away)
    say (name + ": links have a target",
         not [link for link in page.links
              if link[0] == "#" and link[1:] not in page.ids])
    say (name + ": at most 3 MB", len (page.text) <= 3 << 20)
page, advise = read ("one.html"), load ("advise.json")
cache, counts = load ("cache.json"), load ("counts.json")
say ("figures are those of --json", page.figures == {
    "Instructions": counts["instructions"],
    "Accesses": cache["Dr"] + cache["Dw"],
    "D1 misses": cache["D1mr"] + cache["D1mw"],
    "LL misses": cache["DLmr"] + cache["DLmw"],
    "Estimated cycles": advise["estimated_cycles"],
    "Heap, allocated in all": advise["allocated_bytes"],
    "Heap, peak": page.figures.get ("Heap, peak"), "Threads": 1},
    page.figures)
say ("findings are those of dg advise",
     [text.split ("  Also line")[0] for text in page.texts]
     == [f["text"] for f in advise["findings"]], page.texts)
say ("the line of source is shown",
     re.search (r"<mark>.*sum \+= points.*</mark>", page.text))
say ("the picture is there", page.text.count ("data:image/png") == 4,
     page.text.count ("data:image/png"))
say ("what is repaired is gone", "Gone:</span> A walk" in read ("two.html").text)
PYTHON
python3 judge.py > judged 2> err || cat err
while read -r line; do
  case $line in
  'not ok '*) is "${line#not ok }" wrong right ;;
  'ok '*) is "${line#ok }" right right ;;
  esac
done < judged
is 'the parser came to its end' "$(grep -c 'is gone' judged)" 1

# Names in a log cannot become markup.
mkdir '<b onload=x>&"'
cp log.dgz '<b onload=x>&"/a.dgz'
"$DG" report --no-picture --title='<script>alert (1)</script>' -o markup.html \
  '<b onload=x>&"/a.dgz' 2> err
is 'names are text' "$(grep -c -e '<b onload' -e '<script>alert' markup.html)" 0

# Where there is no viewer, the rest is there.
DG_VIEW=/nonexistent "$DG" report -o without.html log.dgz 2> err
is 'without dg_view, the page says so' \
  "$? $(grep -c 'There is no picture' without.html)" '0 1'

"$DG" report -o out.html --json log.dgz 2> err
is 'there is no --json' "$?" 2
mkdir there
(cd there && "$DG" report --no-picture ../log.dgz) > out 2> err
is 'without -o, the page is named after the log, here' \
  "$? $(cat out) $(ls there)" '0 Wrote log.dgz.html. log.dgz.html'
"$DG" report -o log.dgz log.dgz 2> err
is 'the log is not replaced' "$?" 1
head -c 60000 log.dgz > short.dgz
"$DG" report --no-picture -o short.html short.dgz 2> err
is 'a damaged log is shown as far as it goes' \
  "$? $(grep -c 'class="caution"' short.html)" '1 1'

# ---- A browser -------------------------------------------------------------

browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$browser" ]; then
  echo '# no Chromium: what a browser makes of it is not looked at'
  done_testing
  exit
fi

# Zoom and search, as somebody uses them; the answers become the title.
{
  sed '/<\/body>/,$d' one.html
  cat << 'END'
<script>
var flame = document.querySelector ('.flame'), said = [];
var frames = Array.from (flame.querySelectorAll ('g[role]'));
var main = frames.find (function (g) { return g.dataset.name === 'main'; });
function shown () {
  return frames.filter (function (g) { return g.style.display !== 'none'; })
    .length;
}
var all = shown ();
main.dispatchEvent (new MouseEvent ('click'));
said.push (Math.round (main.querySelector ('rect').getBBox ().width) >= 1199
           && shown () < all ? 'zoomed' : 'not zoomed');
main.dispatchEvent (new KeyboardEvent ('keydown', { key: 'Escape' }));
said.push (shown () === all ? 'all' : 'not all');
var search = flame.querySelector ('input');
search.value = 'main';
search.dispatchEvent (new Event ('input'));
said.push (main.classList.contains ('found') ? 'found' : 'not found');
var first = frames[0];
first.focus ();
first.dispatchEvent (new KeyboardEvent ('keydown', { key: 'ArrowUp' }));
said.push (document.activeElement !== first
           && document.activeElement.getAttribute ('role') === 'button'
           ? 'moved' : 'not moved');
said.push (Array.from (document.images).every (function (image) {
  return image.complete && image.naturalWidth > 0; }) ? 'drawn' : 'not drawn');
document.documentElement.setAttribute ('data-said', said.join (' '));
</script></body></html>
END
} > driven.html
browse ()
{
  HOME=$PWD timeout 600 "$browser" --headless --no-sandbox --disable-gpu \
    --disable-background-networking --disable-component-update \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --v=0 \
    --user-data-dir="$PWD/profile" --log-net-log="$PWD/net.json" "$@" 2> log
}
browse --dump-dom "file://$PWD/driven.html" > dom
if ! grep -q 'data-said' dom; then
  skip 'the page in a browser' "Chromium did not start: $(head -n 1 log)"
  done_testing
  exit
fi
is 'zoom, search and keys' \
  "$(sed -n 's/.*data-said="\([^"]*\)".*/\1/p' dom | head -n 1)" \
  'zoomed all found moved drawn'
is 'no message on the console' "$(grep -c CONSOLE log)" 0
is 'no request leaves the page' "$(python3 -c '
import json, re
text = open ("net.json").read ()
found = set (re.findall (r"\"url\":\"https?://([^/\"]*)", text))
# What the browser itself asks for.
own = (".google.com", ".googleapis.com", ".gstatic.com", ".gvt1.com",
       "google.com")
print (sorted (host for host in found if not host.endswith (own)))')" '[]'
for page in ${DG_TEST_LONG:+one} two; do
  browse --screenshot="$PWD/$page.png" --window-size=1000,2000 \
    --blink-settings=scriptEnabled=false "file://$PWD/$page.html" > dom
  # White paper would have some hundred bytes.
  is "$page: readable without scripts" \
    "$(($(wc -c < "$page.png") > 30000))" 1
done

done_testing
