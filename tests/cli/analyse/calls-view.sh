# calls-view.sh: what `dg calls` writes for speedscope and for Chrome's viewer,
# which speedscope reads, too, opened there in a browser without a window.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$browser" ]; then
  echo '1..0 # SKIP no Chromium'
  exit 0
fi
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# build-aux/test-needs gets speedscope.
speedscope=${DATAGRIND_NEEDS:-/nowhere}/speedscope
if [ ! -e "$speedscope/.stamp" ]; then
  echo "1..0 # SKIP no speedscope: $(cat "$speedscope.failed" 2> /dev/null ||
    echo './bootstrap check gets it')"
  exit 0
fi

calls_one_by_one log
run dg calls --json --chrome=trace --speedscope=scope log
status 0

# view FILE: what speedscope shows of it, in seen.json.  The page gets the file.
# Its table of functions is text; one profile after the other is looked at,
# with the key that goes to the next.
view ()
{
python3 - "$speedscope" "$1" << 'END' > view.html
import base64, glob, os, sys
script, = glob.glob(sys.argv[1] + '/speedscope-*.js')
trace = base64.b64encode(open(sys.argv[2], 'rb').read()).decode()
print('''<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body><script>
location.hash = "localProfilePath=data:text/javascript,&view=sandwich";
</script><script src="/%s"></script><script>
const seen = [];
let is_open = false, last = null;
function look ()
{
  const text = document.body.innerText;
  const number = / \\((\\d+)\\/(\\d+)\\)/.exec (text);

  if (!is_open && window.speedscope) {
    is_open = true;
    window.speedscope.loadFileFromBase64 ("trace.json", "%s");
  }
  // The rows come some frames after the head of the table.
  if (number && number[1] == seen.length + 1 && text == last
      && / \\(\\d+(\\.\\d+)?%%\\)/.test (text)) {
    seen.push (text);
    window.dispatchEvent (new KeyboardEvent ("keypress", { key: "n" }));
  }
  last = text;
  if (number && number[2] == seen.length)
    fetch ("/told", { method: "POST", body: JSON.stringify (seen) });
  else
    setTimeout (look, 50);
}
look ();
</script></body></html>''' % (os.path.basename(script), trace))
END
python3 "$abs_top_srcdir/tests/browser.py" "$browser" view.html "$speedscope" \
  > seen.json 2> browser.log
}

# compare FILE: what it shows is what dg counted.
compare ()
{
python3 - "$1" << 'END' > difference 2>&1
import json, re, sys
told, events = json.load(open('stdout')), json.load(open('trace'))
pages = json.load(open('seen.json'))
# An instruction stands as a microsecond, or as a nanosecond.
units = {'ns': 0.001, 'µs': 1, 'ms': 1000, 's': 1000000}
if sys.argv[1] == 'scope':
    units = {unit: 1000 * value for unit, value in units.items()}
profiles, sums, slack = [], {}, {}
for page in pages:
    profiles.append(re.search(r'\n([^\n]*) \(\d+/\d+\)', page)[1])
    for row in re.findall(r'([\d.]+)(ns|µs|ms|s) \([^)]*\)\s+([\d.]+)'
                          r'(ns|µs|ms|s) \([^)]*\)\s+(\S+)', page):
        name = row[4]
        for i in 0, 1:
            unit = units[row[2 * i + 1]]
            key = name, i
            sums[key] = sums.get(key, 0) + float(row[2 * i]) * unit
            # Two digits are shown.
            slack[key] = slack.get(key, 0.01) + 0.005 * unit
wanted = sorted(e['args']['name'] for e in events['traceEvents']
                if e['name'] == 'thread_name')
shown = sorted(profiles)
if sys.argv[1] == 'trace':
    shown = [re.search(r', (.*) \(tid', p)[1] for p in shown]
if len(wanted) != 3 or shown != wanted:
    print('profiles', profiles, wanted)
rows = {r['function']: r for r in told['rows']}
for name in sorted(rows):
    for i, key in enumerate(('inclusive_instructions', 'self_instructions')):
        shown = sums.pop((name, i), 0)
        if abs(shown - rows[name][key]) > slack.get((name, i), 0.01):
            print(name, key, shown, 'not', rows[name][key])
if len(rows) < 5 or sums:
    print('functions', list(rows), sums)
END
[ ! -s difference ]
report "$1 has the threads, and the instructions of functions" difference
}

title='speedscope in Chromium'
view trace
if [ $? = 3 ]; then
  skip 'speedscope reads it: Chromium does not start here'
  finish
  exit
fi
compare trace
view scope
compare scope
finish
