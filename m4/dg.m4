# Datagrind's own checks for configure.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# DG_CHECK_CFLAG(FLAG)
# Adds FLAG to DG_CFLAGS if the C compiler takes it.
AC_DEFUN([DG_CHECK_CFLAG], [
  AS_VAR_PUSHDEF([dg_var], [dg_cv_cflag_$1])
  AC_CACHE_CHECK([whether $CC takes $1], [dg_var], [
    dg_save_CFLAGS=$CFLAGS
    # A negative -Wno-x is only looked at when there is something to warn of.
    CFLAGS="$CFLAGS -Werror m4_bpatsubst([$1], [^-Wno-], [-W])"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
      [AS_VAR_SET([dg_var], [yes])], [AS_VAR_SET([dg_var], [no])])
    CFLAGS=$dg_save_CFLAGS
  ])
  AS_VAR_IF([dg_var], [yes], [DG_CFLAGS="$DG_CFLAGS $1"])
  AS_VAR_POPDEF([dg_var])
])

# DG_VALGRIND
# Where the Valgrind tool is built and where it will be found.
#
#   VALGRIND_TREE     the source tree, absolute; empty: the tool is not built
#   VALGRIND_VERSION  of that tree
#   VALGRIND_TOOLS    where the launcher looks for tools
#   conditionals      BUILD_TOOL; PRIVATE_VALGRIND: nothing installed fits, so
#                     that tree's Valgrind is installed under our own prefix
AC_DEFUN([DG_VALGRIND], [
  AC_ARG_WITH([valgrind-tree],
    [AS_HELP_STRING([--with-valgrind-tree=DIR],
      [build the tool in this unpacked Valgrind source (3.19 or later)])],
    [], [with_valgrind_tree=no])
  AC_ARG_WITH([valgrind-tools],
    [AS_HELP_STRING([--with-valgrind-tools=DIR],
      [install the tool in DIR, where the installed Valgrind has its own;
       "private": install a Valgrind of our own under the prefix
       @<:@found by asking the installed one; private if its version is
       another@:>@])],
    [], [with_valgrind_tools=])
  AC_PATH_PROG([VALGRIND], [valgrind])

  VALGRIND_TREE= VALGRIND_VERSION= VALGRIND_TOOLS=
  dg_vg_tree_text="none: recording with exp-datagrind is not built"
  dg_vg_tools_text=-
  dg_vg_private=no
  AS_CASE([$with_valgrind_tree],
    [no], [],
    [yes], [AC_MSG_ERROR([--with-valgrind-tree needs a directory])],
    [AC_MSG_CHECKING([for the Valgrind source tree])
     VALGRIND_TREE=`cd "$with_valgrind_tree" 2>/dev/null && pwd`
     AS_IF([test -z "$VALGRIND_TREE" ||
            test ! -f "$VALGRIND_TREE/Makefile.tool.am"],
       [AC_MSG_ERROR([$with_valgrind_tree is not a Valgrind source tree])])
     VALGRIND_VERSION=`"$srcdir/build-aux/build-tool" --version-of "$VALGRIND_TREE"`
     AC_MSG_RESULT([$VALGRIND_TREE ($VALGRIND_VERSION)])
     AS_IF([test -z "$VALGRIND_VERSION"],
       [AC_MSG_ERROR([cannot tell the version of $VALGRIND_TREE])])
     dg_vg_tree_text="$VALGRIND_TREE ($VALGRIND_VERSION)"

     AS_CASE([$with_valgrind_tools],
       [private], [dg_vg_private=yes],
       [?*], [VALGRIND_TOOLS=$with_valgrind_tools],
       [DG_INSTALLED_VALGRIND])
     AS_IF([test $dg_vg_private = yes],
       [VALGRIND_TOOLS='${pkglibdir}/valgrind'
        dg_vg_tools_text="a private Valgrind under the prefix"],
       [dg_vg_tools_text="$VALGRIND_TOOLS"])])
  AC_SUBST([VALGRIND_TREE])
  AC_SUBST([VALGRIND_VERSION])
  AC_SUBST([VALGRIND_TOOLS])
  AC_CHECK_HEADER([valgrind/valgrind.h], [dg_vg_header=yes], [dg_vg_header=no])
  AM_CONDITIONAL([INSTALL_VALGRIND_H], [test $dg_vg_header = no])
  AM_CONDITIONAL([BUILD_TOOL], [test -n "$VALGRIND_TREE"])
  AM_CONDITIONAL([PRIVATE_VALGRIND], [test $dg_vg_private = yes])
])

# DG_INSTALLED_VALGRIND
# The installed launcher says itself which program it starts, so nothing is
# guessed about a distribution's folders.
AC_DEFUN([DG_INSTALLED_VALGRIND], [
  AC_MSG_CHECKING([where the installed Valgrind has its tools])
  dg_vg_installed=
  AS_IF([test -n "$VALGRIND"], [
    dg_vg_installed=`"$VALGRIND" --version 2>/dev/null | sed 's/^valgrind-//'`
    VALGRIND_TOOLS=`"$VALGRIND" -d --tool=none true 2>&1 </dev/null |
      sed -n 's,.* launching \(/.*\)/none-@<:@a-z0-9@:>@*-@<:@a-z@:>@*$,\1,p' |
      sed 1q`])
  AS_IF([test -z "$VALGRIND_TOOLS"],
    [dg_vg_private=yes
     AC_MSG_RESULT([no Valgrind installed])],
    [test "x$dg_vg_installed" != "x$VALGRIND_VERSION"],
    [dg_vg_private=yes
     AC_MSG_RESULT([$VALGRIND_TOOLS, but of version $dg_vg_installed])],
    [AC_MSG_RESULT([$VALGRIND_TOOLS])])
])

# DG_PYTHON
# The Python that the module datagrind is built for: version 3.9 or later with
# its headers.  The distribution's is preferred, as users have it.
#
#   PYTHON         its command
#   PYTHON_CFLAGS  where Python.h is
#   pythondir      where the module is installed: where that Python looks for
#                  modules under the prefix, if it does
#   conditional    BUILD_PYTHON
AC_DEFUN([DG_PYTHON], [
  AC_ARG_WITH([python],
    [AS_HELP_STRING([--with-python=COMMAND],
      [build the Python module for this interpreter; "no": do not build it
       @<:@python3, if it has its headers@:>@])],
    [], [with_python=auto])
  dg_python_text=
  PYTHON=
  AS_CASE([$with_python],
    [no], [dg_python_text=no],
    [auto | yes], [dg_pythons="/usr/bin/python3 python3"],
    [dg_pythons=$with_python])
  AS_IF([test -z "$dg_python_text"], [
    AC_MSG_CHECKING([for a Python with its headers])
    for dg_python in $dg_pythons; do
      PYTHON_INCLUDE=`"$dg_python" -c 'if True:
        import os, sys, sysconfig
        path = sysconfig.get_path ("include")
        if sys.version_info >= (3, 9) and os.path.exists (path + "/Python.h"):
            print (path)' 2>/dev/null`
      AS_IF([test -n "$PYTHON_INCLUDE"], [PYTHON=$dg_python; break])
    done
    AS_IF([test -n "$PYTHON"], [dg_python_text=$PYTHON],
          [test "x$with_python" = xauto],
            [dg_python_text="no (no headers; Debian: python3-dev)"],
          [AC_MSG_RESULT([no])
           AC_MSG_ERROR([$dg_pythons: not Python 3.9 or later, or without headers (Debian: python3-dev)])])
    AC_MSG_RESULT([$dg_python_text])
  ])
  PYTHON_CFLAGS=${PYTHON:+-I$PYTHON_INCLUDE}
  pythondir=
  AS_IF([test -n "$PYTHON"], [
    dg_prefix=$prefix
    test "x$dg_prefix" != xNONE || dg_prefix=$ac_default_prefix
    pythondir='${prefix}/'`"$PYTHON" -c 'if True:
      import sys
      version = "lib/python%d.%d/" % sys.version_info@<:@:2@:>@
      places = ("lib/python3/dist-packages", version + "dist-packages",
                version + "site-packages")
      found = @<:@p for p in places if sys.argv@<:@1@:>@ + "/" + p in sys.path@:>@
      print ((found or places@<:@-1:@:>@)@<:@0@:>@)' "$dg_prefix"`
  ])
  AC_SUBST([PYTHON])
  dg_own_python=${PYTHON:-python3}
  AC_SUBST([dg_own_python])
  AC_SUBST([PYTHON_CFLAGS])
  AC_SUBST([pythondir])
  AM_CONDITIONAL([BUILD_PYTHON], [test -n "$PYTHON"])
])
