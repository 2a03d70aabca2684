# Tests of this folder; included by tests/Makefile.am.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# The Python module.  run.sh says how they get the module and the libraries for
# data frames; they skip themselves without.
python_quick_tests = \
	python/basics.sh \
	python/behaviour.sh \
	python/hostile.sh \
	python/methods.sh
python_slow_tests = \
	python/with-libraries.sh \
	python/filters.sh
python_quick_tool_tests = \
	python/figures-alone.sh
python_slow_tool_tests = \
	python/docs.sh \
	python/export.sh \
	python/figures.sh \
	python/flight.sh
# A cluster that begins and ends takes minutes.
python_long_tests = python/spark.sh
TESTS += $(python_quick_tests)
slow_tests += $(python_slow_tests)
quick_tool_tests += $(python_quick_tool_tests)
slow_tool_tests += $(python_slow_tool_tests)
long_tool_tests += $(python_long_tests)
EXTRA_DIST += $(python_quick_tests) $(python_slow_tests) \
	$(python_quick_tool_tests) $(python_slow_tool_tests) \
	$(python_long_tests) \
	python/check_basics.py \
	python/check_behaviour.py \
	python/check_docs.py \
	python/check_export.py \
	python/check_figures.py \
	python/check_filters.py \
	python/check_flight.py \
	python/wait_lines.c \
	python/check_hostile.py \
	python/check_libraries.py \
	python/check_methods.py \
	python/check_spark.py \
	python/engines.py \
	python/examples.py \
	python/recordings.sh \
	python/requirements-cluster.txt \
	python/requirements.txt \
	python/run.sh \
	python/serving.py \
	python/tap.py
