#!/bin/bash
# What the desktop is told of dg_view: the validators accept it, files of ours
# are known by their first bytes and by their names, icons can be drawn, and
# all is installed and uninstalled.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

if [ -z "$DG_VIEW" ]; then
  echo '1..0 # SKIP dg_view is not built (--disable-view)'
  exit 0
fi
. "${abs_srcdir:?}/cli/lib.sh"
id=org.datagrind.View
data=$abs_top_builddir/data

# needs COMMAND WHAT: whether it is there; else WHAT is skipped.
needs ()
{
  command -v "$1" > /dev/null && return
  skip "$2: $1 is not installed"
  return 1
}

data_make ()
{
  env -u MAKEFLAGS -u MAKELEVEL make -C "$data" DESTDIR="$work/root" \
    prefix=/usr "$@"
}

# ---- Installing -------------------------------------------------------------

title='make install'
data_make install > out 2>&1
report 'works' out
share=$work/root/usr/share
(cd "$share" && find . -type f | sort) > installed
cat > wanted << END
./applications/$id.desktop
./icons/hicolor/scalable/apps/$id.svg
./icons/hicolor/scalable/mimetypes/application-x-datagrind-log.svg
./icons/hicolor/symbolic/apps/$id-symbolic.svg
./metainfo/$id.metainfo.xml
./mime/packages/$id.xml
END
diff wanted installed > difference
report 'installs just what there is' difference

# ---- Validators -------------------------------------------------------------

if needs desktop-file-validate "$id.desktop is valid"; then
  title=desktop-file-validate
  desktop-file-validate "$share/applications/$id.desktop" > out 2>&1 &&
    [ ! -s out ]
  report 'has nothing to say' out
fi
if needs appstreamcli "$id.metainfo.xml is valid"; then
  title='appstreamcli validate'
  # There is no homepage, which versions from 1.0 on warn of; earlier ones do
  # not know the name of this warning.
  metainfo=$share/metainfo/$id.metainfo.xml
  appstreamcli validate --no-net "$metainfo" > out 2>&1 ||
    appstreamcli validate --no-net --override=url-homepage-missing=info \
      "$metainfo" > out 2>&1
  report 'accepts it' out
fi

# As the desktop file, so the program.
title=$id.desktop
program=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$share/applications/$id.desktop")
[ "$program" = "${DG_VIEW##*/}" ]
report 'starts dg_view' installed
for key in StartupWMClass Icon; do
  grep -qx "$key=$id" "$share/applications/$id.desktop"
  report "$key is the id of the program" installed
done
sed -n 's/^MimeType=//p' "$share/applications/$id.desktop" | tr ';' '\n' |
  sed '/^$/d' | sort > types
sed -n 's/.*<mediatype>\(.*\)<.*/\1/p' "$share/metainfo/$id.metainfo.xml" |
  sort | diff - types > difference
report 'has the types of the metainfo' difference
sed -n 's/.*mime-type type="\(.*\)".*/\1/p' "$share/mime/packages/$id.xml" |
  sort | comm -23 types - > difference
[ ! -s difference ]
report 'has types that are defined' difference
version=$("$DG_VIEW" --version | sed 's/.* //')
title=$id.metainfo.xml
grep -q "<release version=\"$version\"" "$share/metainfo/$id.metainfo.xml"
report "knows version $version" installed

# ---- Types of files ---------------------------------------------------------

assemble datagrind.out.7 << 'END'
process 1 0 0 0 4096 64 0 8 "t" "v" "a" "/bin/prog" "/" ["prog"]
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
bbrun 0 1 [0x1100]
end
END
for kind in '-b' '-w 32' '-b -w 32'; do
  assemble "log$kind" $kind << 'END'
bbdef [0x400000+4] [R8@0]
context 0 [0x400000]
bbrun 0 1 [0x1100]
END
done
cp datagrind.out.7 renamed
"$DG" pack -o prog.dgz datagrind.out.7 > out 2>&1
"$DG" index datagrind.out.7 > out 2>&1
cp prog.dgz archive
cp datagrind.out.7.dgx index
printf 'what\0' > datagrind.out.8
printf 'DATAGRIND1' > near
printf 'DGARCH' > near2

# is_type TYPE FILE
is_type ()
{
  title="gio info $2"
  gio info -a standard::content-type -- "$2" > out 2>&1 &&
    [ "$(sed -n 's/ *standard::content-type: //p' out)" = "$1" ]
  report "$1" out
}

if needs update-mime-database 'types of files' &&
   needs gio 'types of files'; then
  export XDG_DATA_HOME=$share XDG_DATA_DIRS=$PWD/none
  title=update-mime-database
  update-mime-database "$share/mime" > out 2>&1 && [ ! -s out ]
  report 'has nothing to say' out
  log=application/x-datagrind-log
  archive=application/x-datagrind-archive
  is_type $log datagrind.out.7
  is_type $log datagrind.out.8
  for file in renamed 'log-b' 'log-w 32' 'log-b -w 32'; do
    is_type $log "$file"
  done
  is_type $archive prog.dgz
  is_type $archive archive
  is_type application/x-datagrind-index datagrind.out.7.dgx
  is_type application/x-datagrind-index index
  title='no log'
  for file in near near2; do
    gio info -a standard::content-type $file > out 2>&1
    ! grep -q datagrind out
    report "is not taken for one: $file" out
  done
  if needs update-desktop-database 'programs for a type'; then
    update-desktop-database "$share/applications" > out 2>&1
    title="gio mime $log"
    gio mime $log > out 2>&1
    grep -q "$id.desktop" out
    report 'dg_view opens it' out
  fi
fi

unset XDG_DATA_HOME XDG_DATA_DIRS

# ---- Installing where a desktop looks ---------------------------------------

# The caches are made by `make install`, which asks for nothing more.
prefix=$work/real
real_make ()
{
  env -u MAKEFLAGS -u MAKELEVEL make -C "$data" prefix="$prefix" "$@"
}
if ! make -C "$data" -n -s tell-desktop > out 2>&1; then
  skip 'the desktop is told: --disable-desktop-caches'
elif needs update-mime-database 'the desktop is told' &&
     needs update-desktop-database 'the desktop is told' &&
     needs gio 'the desktop is told'; then
  title='make install, without DESTDIR'
  real_make install > out 2>&1
  report 'works' out
  export XDG_DATA_HOME=$PWD/none XDG_DATA_DIRS=$prefix/share
  is_type $log renamed
  is_type $archive archive
  title="gio mime $log"
  gio mime $log > out 2>&1
  grep -q "$id.desktop" out
  report 'dg_view opens it' out
  title='make uninstall, without DESTDIR'
  real_make uninstall > out 2>&1
  report 'works' out
  title='gio info renamed'
  gio info -a standard::content-type renamed > out 2>&1
  ! grep -q datagrind out
  report 'is forgotten' out
fi
unset XDG_DATA_HOME XDG_DATA_DIRS

# ---- Icons ------------------------------------------------------------------

cat > draw.py << 'END'
import sys
import gi
gi.require_version ('GdkPixbuf', '2.0')
from gi.repository import GdkPixbuf
for size in 16, 48, 128, 512:
    for name in sys.argv[1:]:
        picture = GdkPixbuf.Pixbuf.new_from_file_at_size (name, size, size)
        bytes = picture.get_pixels ()
        alpha = [bytes[y * picture.get_rowstride () + x * 4 + 3]
                 for y in range (size) for x in range (size)]
        seen = sum (1 for a in alpha if a > 128) / size / size
        if picture.get_width () != size or not 0.2 < seen < 0.95:
            print (name, size, picture.get_width (), seen)
END
python=
for candidate in python3 /usr/bin/python3; do
  $candidate -c 'import gi
gi.require_version ("GdkPixbuf", "2.0")' 2> /dev/null &&
    python=$candidate && break
done
title='the icons'
if [ -z "$python" ]; then
  skip "$title can be drawn: python3 has no GdkPixbuf"
else
  $python draw.py "$share"/icons/hicolor/*/*/*.svg > out 2>&1 && [ ! -s out ]
  report 'can be drawn, small and large' out
fi

# ---- Uninstalling -----------------------------------------------------------

title='make uninstall'
data_make uninstall > out 2>&1
report 'works' out
(cd "$share" && find . -name '*datagrind*' -not -path './mime/*' -type f) > left
[ ! -s left ] && [ ! -e "$share/mime/packages/$id.xml" ]
report 'leaves nothing of ours' left
finish
