# Completions of dg_view for fish, which are those of dg.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# They may be missing: dg is another package.
test -r (status dirname)/dg.fish; and source (status dirname)/dg.fish
