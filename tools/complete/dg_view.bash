# Completions of dg_view for bash, which are those of dg.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# They may be missing: dg is another package.
# shellcheck source=dg.bash
[ -r "${BASH_SOURCE[0]%/*}/dg" ] && . "${BASH_SOURCE[0]%/*}/dg"
