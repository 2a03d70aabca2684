# dg-advise-format.sh: findings for editors and code hosts: lines as compilers
# write them, SARIF, GitLab's report; and the examples of docs/ci.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
command -v python3 > /dev/null || {
  echo '1..0 # SKIP no python3'
  exit 0
}

# ---- A program whose findings have lines --------------------------------------

# program FOLDER EMPTY-LINES: FOLDER/src/a walk.s, which a log `log` of the same
# run is about.  Code stays where it is when lines move.
program ()
{
  mkdir -p "$1/src"
  {
    for ((i = 0; i < $2; i++)); do echo; done
    cat << 'END'
.globl main; .type main, @function
main:
  nop # walk
  nop # sum
  nop # site one
  nop # site two
.size main, . - main
END
  } > "$1/src/a walk.s"
  (cd "$1" && ${CC:-cc} -m64 -g -nostdlib -static -no-pie -Wl,-e,main \
    -Wl,--build-id=none -o prog 'src/a walk.s' 2> /dev/null) || {
    echo '1..0 # SKIP no assembler for x86'
    exit 0
  }
  text=$(nm "$1/prog" | awk '$3 == "main" { print "0x" $1 }')
  at=$((text))
  {
    echo 'process 42 1 7 8 4096 64 0 30 "1" "3.19.0" "amd64" "prog" "/" ["p"]'
    echo "text_avma $text \"$1/prog\""
    echo "module $text 0x10 0 [] \"\""
    echo "bbdef [$at+1] [R8@0]"
    echo "bbdef [$((at + 1))+1] [R8@0 W8@0]"
    echo "context 0 [$at]"
    echo "context 1 [$((at + 1))]"
    for ((i = 0; i < 12; i++)); do
      echo "malloc_block $((0x100000 + 0x1000 * i)) 0x800 [$((at + 2 + i % 2))]"
      echo "heap_alloc $((i + 1)) 1 1 2048 0 0"
    done
    for ((i = 0; i < 40000; i++)); do
      echo "bbrun 0 1 [$((0x10000000 + 320 * (i % 1000)))]"
      echo "bbrun 1 1 [0x50000 0x50000]"
    done
    [ "$3" = short ] || echo 'end why=0 exit_code=0'
  } > log.text
  assemble "$1/log" < log.text
}

mkdir one && cd one || exit 99
program "$PWD" 0
program "$PWD/two" 5
run dg advise --json log
status 0
cp stdout findings.json
python3 -c '
import json
found = json.load(open("findings.json"))["findings"]
print(len(found), *sorted({f["rule"] for f in found}))' > rules
[ "$(cat rules)" = '3 column-walk untouched' ]
report 'there are findings' rules
n_findings=$(cut -d' ' -f1 < rules)

# ---- Lines of a compiler -------------------------------------------------------

run dg advise --format=gcc log
status 0
no_err
grep -c -E '^src/a walk\.s:[0-9]+: (warning|note): .* \[[a-z-]+\]$' \
  stdout > count
[ "$(cat count)" = "$(wc -l < stdout)" ] &&
  [ "$(grep -vc 'a part of the finding' stdout)" = "$n_findings" ]
report 'each finding is a line with its place' stdout
line=$(grep -n '# walk' 'src/a walk.s' | cut -d: -f1)
out_has "src/a walk.s:$line: warning: "
run dg advise --format=gcc --root=src log
out_has "a walk.s:$line: warning: "
run dg advise --format=gcc --root=/nowhere log
out_has "$PWD/src/a walk.s:$line: warning: "
run dg advise --format=gcc --source-map="$PWD=/checkout" --root=/checkout log
out_has "src/a walk.s:$line: warning: "
# A folder that is reached through a link.
ln -s "$PWD" ../link
(cd ../link && "$DG" advise --format=gcc --root=../link log) > stdout
out_has "src/a walk.s:$line: warning: "
run dg advise --format=gcc --top=1 log
[ "$(grep -vc 'a part of the finding' stdout)" = 1 ]
report '--top keeps the first ones' stdout
run dg advise --format=text log
cp stdout as_text
run dg advise log
diff as_text stdout > difference
report '--format=text is what is written without it' difference
run dg advise --format=gcc -o lines log
status 0
[ -s lines ]
report '-o writes a file'

# ---- SARIF ---------------------------------------------------------------------

cat > sarif.py << 'END'
"""Rules of SARIF and of code hosts that a schema does not have."""
import json, sys

with open(sys.argv[1]) as file:
    log = json.load(file)
findings = json.load(open(sys.argv[2]))["findings"]
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
driver = run["tool"]["driver"]
rules = [rule["id"] for rule in driver["rules"]]
assert len(rules) == len(set(rules)) > 20
for rule in driver["rules"]:
    for text in "shortDescription", "fullDescription", "help":
        assert rule[text]["text"].endswith("."), rule
    assert "dg " in rule["help"]["text"]
root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
assert root.startswith("file:///") and root.endswith("/"), root
assert run["automationDetails"]["id"] == "datagrind/prog/"
assert run["invocations"][0]["executionSuccessful"] is True
assert len(run["results"]) == len(findings)
prints = set()
for result, finding in zip(run["results"], findings):
    assert result["ruleId"] == finding["rule"] == rules[result["ruleIndex"]]
    assert result["level"] == ("warning" if finding["share"] >= .2 else "note")
    assert abs(result["rank"] - 100 * finding["share"]) < 1e-9
    assert finding["text"] in result["message"]["text"]
    assert finding["action"] in result["message"]["text"]
    place, = result["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"] == {
        "uri": "src/a%20walk.s", "uriBaseId": "%SRCROOT%"}, physical
    assert physical["region"]["startLine"] == finding["line"]
    names = [name["fullyQualifiedName"] for name in place["logicalLocations"]]
    assert finding["function"] in names
    assert finding["memory"] is None or finding["memory"] in names
    others = [other["physicalLocation"]["region"]["startLine"]
              for other in result.get("relatedLocations", [])]
    assert others == finding["other_lines"], others
    prints.add(result["partialFingerprints"]["datagrindFinding/v1"])
assert len(prints) == len(findings), "fingerprints are not unique"
END

run dg advise --format=sarif log
status 0
no_err
cp stdout one.sarif
python3 sarif.py one.sarif findings.json > wrong 2>&1
report 'has rules, places and fingerprints' wrong

prints ()
{
  python3 -c '
import json, sys
for run in json.load(open(sys.argv[1]))["runs"]:
    for result in run["results"]:
        print(*result["partialFingerprints"].values(),
              *([result["locations"][0]["physicalLocation"]["region"]]
                if "lines" in sys.argv else []))' "$@" | sort
}

title='lines that move'
(cd two && "$DG" advise --format=sarif log) > two.sarif
prints one.sarif lines > old
prints two.sarif lines > new
! cmp -s old new
report 'are seen' old
prints one.sarif > old
prints two.sarif > new
diff old new > difference && [ -s old ]
report 'keep their fingerprints' difference

title='the official schema'
if ! schema_python; then
  skip "$schema_why"
else
  schema=$(echo "${DATAGRIND_NEEDS:-/nowhere}"/sarif/sarif-2.1.0-*.json)
  if [ ! -e "$schema" ]; then
    skip "no schema of SARIF: $(cat "$DATAGRIND_NEEDS/sarif.failed" 2> /dev/null ||
      echo './bootstrap check gets it')"
  else
    cat > valid.py << 'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)(schema)
for error in validator.iter_errors(json.load(open(sys.argv[2]))):
    print(error.json_path, error.message[:300])
END
    "$schema_python" valid.py "$schema" one.sarif > wrong 2>&1
    [ ! -s wrong ]
    report 'is met' wrong
    sed 's/"warning"/"grave"/' one.sarif > bad.sarif
    "$schema_python" valid.py "$schema" bad.sarif > wrong 2>&1
    grep -q grave wrong
    report 'finds what is wrong' wrong
  fi
fi

# A part of a run: caution is on standard error, where lines of a compiler have
# no place for it, and in SARIF.
program "$PWD/three" 0 short
run dg advise --format=sarif three/log
err_has 'Caution: this log does not cover the whole run'
out_has '"toolExecutionNotifications": [{"level": "warning"'
out_has '"uri": "three/src/a%20walk.s"'
assemble none << 'END'
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
repeat 5000
bbrun 0 1 [0x1000]
done
end why=0 exit_code=0
END
for format in sarif gitlab; do
  run dg advise --format=$format none
  status 0
  python3 -m json.tool stdout > json 2> wrong
  report 'is JSON without findings, too' wrong
done
run dg advise --format=gcc none
no_out

# ---- GitLab --------------------------------------------------------------------

run dg advise --format=gitlab log
status 0
python3 - > wrong 2>&1 << 'END'
import json
issues = json.load(open("stdout"))
findings = json.load(open("findings.json"))["findings"]
assert len(issues) == len(findings)
for issue, finding in zip(issues, findings):
    assert issue["check_name"] == finding["rule"]
    assert finding["text"] in issue["description"]
    assert issue["severity"] in ("minor", "major")
    assert issue["location"] == {"path": "src/a walk.s",
                                 "lines": {"begin": finding["line"]}}
assert len({issue["fingerprint"] for issue in issues}) == len(issues)
END
[ ! -s wrong ]
report 'is what GitLab reads' wrong

# ---- The command line ----------------------------------------------------------

run dg advise --format=srif log
status 2
err_has "there is no format 'srif'; did you mean 'sarif'?"
run dg advise --format=gcc --json log
status 2
err_has '--json has no effect with --format=gcc'
run dg advise --format=gcc --sort=share log
status 2
run dg advise --root=src log
status 2
err_has '--root has no effect without --format'

title='the manual page'
python3 - one.sarif "$abs_top_srcdir/docs/man/dg-advise.1" > wrong 2>&1 \
  << 'END'
import json, re, sys
rules = json.load(open(sys.argv[1]))["runs"][0]["tool"]["driver"]["rules"]
page = open(sys.argv[2]).read().split(".SH RULES")[1].split(".SH ")[0]
plain = re.sub(r"^\.B ", "", page.replace("\\-", "-"), flags=re.M)
told = {}
for part in plain.split(".TP\n")[1:]:
    name, text = part.split("\n", 1)
    told[name] = " ".join(text.split())
for rule in rules:
    if told.pop(rule["id"], None) != rule["fullDescription"]["text"]:
        print("differs:", rule["id"])
print(*told, sep="", end="")
END
[ ! -s wrong ]
report 'has the rules in the same words' wrong

# ---- The examples --------------------------------------------------------------

title='docs/ci'
if python3 -c 'import yaml' 2> /dev/null; then
  python3 - "$abs_top_srcdir/docs/ci" > commands 2> wrong << 'END'
import sys
import yaml
def read(name):
    with open(f"{sys.argv[1]}/{name}") as file:
        return yaml.safe_load(file)
github = read("github-actions.yml")
assert github[True] == ["push", "pull_request"]    # "on" is a truth of YAML
assert github["permissions"]["security-events"] == "write"
steps = github["jobs"]["advise"]["steps"]
upload, = [s for s in steps if "upload-sarif" in s.get("uses", "")]
runs = [s["run"] for s in steps if "run" in s]
assert any(upload["with"]["sarif_file"] in run for run in runs)
job = read("gitlab-ci.yml")["datagrind"]
report = job["artifacts"]["reports"]["codequality"]
assert any(report in line for line in job["script"])
for line in runs + job["script"]:
    if line.startswith("dg advise"):
        print(line)
END
  [ ! -s wrong ] && [ "$(wc -l < commands)" = 3 ]
  report 'are what the hosts read' wrong commands
  cp log run.dgz
  while read -r command; do
    title="docs/ci: $command"
    "$DG" ${command#dg } > stdout 2> stderr
    report 'works' stderr
  done < commands
  python3 sarif.py datagrind.sarif findings.json > wrong 2>&1
  report 'writes SARIF' wrong
  python3 -m json.tool gl-code-quality-report.json > json 2> wrong
  report 'writes a report of code quality' wrong
else
  skip 'no module yaml of Python'
fi
cd ..
finish
