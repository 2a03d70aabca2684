# build-aux/wheel: what pip installs from the wheel records and answers where nothing
# else of this project is, and no Valgrind: in a virtual environment, in an empty
# root in which the commands of build-aux/Containerfile are run, and in a container.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

skip_all ()
{
  echo "1..0 # SKIP $1"
  exit 0
}

needs=${DATAGRIND_NEEDS:-/nowhere}/wheel
[ -e "$needs/.stamp" ] || skip_all "no auditwheel: $(cat "$needs.failed" \
  2> /dev/null || echo './bootstrap check-all gets it')"
command -v dpkg-query > found || skip_all 'no dpkg, which knows the licences'
cp "${abs_top_srcdir:?}/docs/manual/tutorials/particles/particles.c" .
${CC:-cc} -g -O1 -o particles particles.c || skip_all 'no compiler'

# clean COMMAND...: where nothing of the build is found.
clean ()
{
  env -i HOME="$work" TMPDIR="$work" PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$@"
}

# ---- The wheel --------------------------------------------------------------

run "$abs_top_srcdir/build-aux/wheel" --build="${abs_top_builddir:?}" again
run "$abs_top_srcdir/build-aux/wheel" --build="$abs_top_builddir" wheels
title='build-aux/wheel'
status 0
diff -r again wheels > difference
report 'the same bytes each time' difference
wheel=$(cd wheels && echo datagrind-*.whl)
case $wheel in
"datagrind-$("$abs_top_srcdir/build-aux/versions")-cp39-abi3-manylinux_2_"*) ;;
*) false ;;
esac
report 'the name has the version and the C library' stdout
[ -e "wheels/$wheel" ] || {
  finish
  exit
}
echo "# $wheel: $(stat -c %s "wheels/$wheel") bytes"

# ---- A virtual environment --------------------------------------------------

# What a user types, in the folder v.
run clean "${PYTHON:-python3}" -m venv v
run clean v/bin/pip install --no-index --disable-pip-version-check "wheels/$wheel"
status 0
run clean v/bin/dg --version
status 0
out_has "dg (Datagrind) "
run clean v/bin/dg record -q -o run.dgz -- ./particles
status 0
no_err
run clean v/bin/dg dump run.dgz
grep -q "TEXT_AVMA.*$work/v/.*/installed/lib/datagrind/valgrind/" stdout
report "the recorder is the wheel's" stderr
run clean v/bin/dg advise run.dgz
status 0
out_has '(sparse-walk, '
out_has 'move (particles.c:35) walks struct particle'
# Programs that a program starts are recorded by the same Valgrind.
run clean v/bin/dg record -q --only=particles -o child.dgz -- \
  sh -c './particles; true'
status 0
run clean v/bin/dg counts --by=function child.dgz
out_has 'move'
run clean v/bin/valgrind-datagrind -q --datagrind-out-file=raw ./particles
status 0
run clean v/bin/dg check raw
status 0
run clean v/bin/python -c 'import datagrind, datagrind.methods, datagrind.tokens
log = datagrind.record (["./particles"])
print (sum (row["reads"] for row in log.counts (by="function")) > 100000)'
status 0
out_has True
run clean env PYTHONPATH=/nowhere v/bin/dg export --parquet=rows run.dgz
err_has "$work/v/bin/python"

# What belongs to the C library, and what any compiler needs, is the machine's.
find v -type f -size +3k -exec file -N {} + | sed -n 's/: *ELF 64.*//p' > programs
title='programs and libraries'
xargs -a programs ldd 2>&1 | grep -E ' => (not found|/)' |
  grep -vE "=> $work/v/|(libc|libm|libgcc_s|ld-linux-x86-64)\.so" > elsewhere
[ ! -s elsewhere ]
report 'need nothing that is not in the wheel' elsewhere
xargs -a programs objdump -T 2> /dev/null | grep -o 'GLIBC_2\.[0-9]*' |
  sort -u -V | tail -n 1 > newest
[ "$(cut -d . -f 2 newest)" -le "$(echo "$wheel" |
  sed 's/.*manylinux_2_\([0-9]*\)_.*/\1/')" ]
report "need no later C library than the name says" newest
xargs -a programs grep -lF "$abs_top_builddir" > named
[ ! -s named ]
report 'know nothing of the folder of the build' named
find v -path '*/licenses/libglib*' > licenses
[ -s licenses ]
report 'have the licences of their packages' licenses

run clean v/bin/pip uninstall -y datagrind
status 0
find v -iname '*datagrind*' -o -path v/bin/dg -o -path 'v/share/man/*.1' > left
[ ! -s left ]
report 'leaves nothing' left

# ---- An empty root ----------------------------------------------------------

# in_root COMMAND: by a shell; what is mounted goes away with its namespace.
in_root ()
{
  unshare --mount sh -c 'mount -t proc proc root/proc &&
    mount --rbind /dev root/dev && exec env -i HOME=/root PATH="$2" \
    DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+"http_proxy=$http_proxy"} \
    ${https_proxy:+"https_proxy=$https_proxy"} \
    /usr/sbin/chroot root sh -c "cd $3 && $1"' - "$1" "$root_path" "$root_folder"
}

# contain FILE: does what it says for a container, with wheels/ as the context.
contain ()
{
  local word rest
  sed -e ':a' -e '/\\$/N; s/\\\n//; ta' -e '/^#/d' "$1" |
    while read -r word rest; do
      case $word in
      ARG | FROM) continue ;;
      RUN) in_root "$rest" < /dev/null || return ;;
      COPY) cp wheels/${rest% *} "root${rest##* }" || return ;;
      ENV) echo "${rest#PATH=}" > root_path ;;
      WORKDIR) mkdir -p "root$rest" && echo "$rest" > root_folder ;;
      *) echo "$word?"; return 1 ;;
      esac
    done
}

root_path=/usr/sbin:/usr/bin:/sbin:/bin root_folder=/
release=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME")
if [ "$(id -u)" != 0 ] || ! unshare --mount true; then
  skip 'an empty root: only root can make one'
elif [ -z "$release" ] || ! command -v debootstrap > found; then
  skip 'an empty root: no debootstrap (./bootstrap check-all installs it)'
elif ! debootstrap --variant=minbase "$release" root > made 2>&1; then
  skip "an empty root: debootstrap cannot make one: $(tail -n 1 made)"
else
  run contain "$abs_top_srcdir/build-aux/Containerfile"
  status 0
  root_path=$(cat root_path) root_folder=$(cat root_folder)
  cp particles.c root/work
  run in_root 'gcc -g -O1 -o particles particles.c &&
    dg record -q -o run.dgz -- ./particles && dg advise run.dgz'
  status 0
  out_has 'move (particles.c:35) walks struct particle'
  run in_root 'dg heap --render=heap.png run.dgz'
  status 0
  no_err
  run in_root 'python -c "import datagrind; print (datagrind.open (\"run.dgz\"))"'
  status 0
  out_has run.dgz
  run in_root 'command -v valgrind'
  no_out
fi

# ---- A container ------------------------------------------------------------

for program in podman docker none; do
  ! "$program" info > found 2>&1 || break
done
if [ $program = none ]; then
  skip 'a container: neither podman nor docker runs here'
elif [ -z "$release" ]; then
  skip 'a container: this is not Debian, whose C library the wheel needs'
elif ! "$program" pull "debian:$release-slim" > made 2>&1; then
  skip "a container: $program gets no image: $(tail -n 1 made)"
else
  run "$program" build -t datagrind-test --build-arg RELEASE="$release" \
    -f "$abs_top_srcdir/build-aux/Containerfile" wheels
  status 0
  run "$program" run --rm -v "$work:/work" datagrind-test \
    sh -c 'dg record -q -o in.dgz -- ./particles && dg advise in.dgz'
  out_has '(sparse-walk, '
  "$program" rmi datagrind-test > made 2>&1
fi
finish
