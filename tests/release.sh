# build-aux/release: the checksum and the signature of a tarball, and which
# tarballs it refuses; what --all makes, and that it is all or nothing.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

release=${abs_top_srcdir:?}/build-aux/release
version=$("$abs_top_srcdir/build-aux/versions")
name=datagrind-$version.tar.xz

# tarball NAME VERSION: one that says that it is of this version.
tarball ()
{
  mkdir -p "datagrind-$version"
  echo "AC_INIT([datagrind], [$2])" > "datagrind-$version/configure.ac"
  tar -c -f - "datagrind-$version" | xz -1 > "$1"
}

GNUPGHOME=$work/gnupg
export GNUPGHOME
mkdir -m 700 gnupg

tarball "$name" "$version"
run "$release" "$name"
title='without a key'
status 0
out_has "$name.sha256"
err_has 'release: not signed'
sha256sum -c "$name.sha256" > sums 2>&1
report 'the checksum is right' sums
[ ! -e "$name.asc" ]
report 'there is no signature' out

run "$release" --key=nobody "$name"
title='with a key that is not there'
if command -v gpg > /dev/null; then
  status 1
  err_has 'gpg has no secret key nobody'
else
  status 0
fi

title='a tarball of another version'
cp "$name" datagrind-0.1.tar.xz
run "$release" datagrind-0.1.tar.xz
status 1
err_has "datagrind-0.1.tar.xz is not of version $version"
mkdir other
tarball "other/$name" 0.1
run "$release" "other/$name"
status 1
err_has "contains version '0.1'"
run "$release" missing.tar.xz
status 1
err_has 'which tarball?'

# What --all calls is replaced; debian-check makes packages, or fails.
mkdir -p project/build bin
cp -r "$abs_top_srcdir/build-aux" project
(cd "$abs_top_srcdir" && cp --parents -t "$work/project" configure.ac NEWS \
  include/dg_version.h datagrind/dg_tool.h python/pyproject.toml datagrind.pc.in \
  data/org.datagrind.View.metainfo.xml.in)
printf '#!/bin/sh\ntouch "$3/%s"\n' "$name" > bin/make
printf '#!/bin/sh\ntouch "$1/datagrind-%s-any.whl"\n' "$version" \
  > project/build-aux/wheel
cat > project/build-aux/debian-check << 'END'
#!/bin/sh
for arg; do
  case $arg in
  --output=*)
    [ -z "$FAIL" ] || exit 1
    mkdir "${arg#*=}/bookworm" && touch "${arg#*=}/bookworm/dg.deb"
    ;;
  esac
done
END
chmod +x bin/make project/build-aux/*
run env PATH="$work/bin:$PATH" project/build-aux/release --all published
title='--all'
status 0
out_has SHA256SUMS
(cd published && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort) > there
cut -c 67- published/SHA256SUMS | diff - there > difference &&
  [ "$(wc -l < there)" = 4 ] && (cd published && sha256sum --quiet -c SHA256SUMS)
report 'SHA256SUMS has all four files' difference there
run env PATH="$work/bin:$PATH" project/build-aux/release --all published
status 1
err_has 'published is not empty'
run env FAIL=yes PATH="$work/bin:$PATH" project/build-aux/release --all again
status 1
[ ! -e again/SHA256SUMS ]
report 'no checksums of a part of it' stdout

title='with a key'
if ! command -v gpg > /dev/null; then
  skip 'a signature: gpg is not installed'
elif ! gpg --batch --quiet --passphrase '' --quick-generate-key \
       'test <test@example.org>' ed25519 sign never > key 2>&1; then
  skip "a signature: gpg cannot make a key: $(tail -n 1 key)"
else
  run "$release" "$name"
  status 0
  out_has "$name.asc"
  gpg --batch --verify "$name.asc" "$name" > verified 2>&1
  report 'the signature is good' verified
  echo more >> "$name"
  ! gpg --batch --verify "$name.asc" "$name" > verified 2>&1
  report 'and only for this tarball' verified
  gpgconf --kill all 2> /dev/null
fi
finish
