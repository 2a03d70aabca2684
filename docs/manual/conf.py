"""The manual as a site: settings of Sphinx, which has only Debian's parts."""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

project = 'Datagrind'
author = 'the Datagrind developers'
project_copyright = '2026, the Datagrind developers'
extensions = ['myst_parser']
myst_heading_anchors = 3
# Links to files of the source tree, which are not part of the site.
suppress_warnings = ['myst.xref_missing', 'myst.header',
                     'misc.highlighting_failure']
html_theme = 'furo'
html_static_path = ['_static']
html_css_files = ['site.css']
html_title = 'Datagrind'
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = 'friendly'
