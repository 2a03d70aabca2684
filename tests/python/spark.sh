#!/bin/bash
# Logs in a real Spark cluster: a master and two workers on this machine.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/recordings.sh"
needs cluster
command -v java > /dev/null || skip_all "no Java runtime"
record_programs contention heap-threads sharing
${CC:-cc} -O1 "$here/wait_lines.c" -o wait_lines || skip_all "no compiler"
export PYSPARK_PYTHON=$python PYSPARK_DRIVER_PYTHON=$python
export SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=256m
# Under load it takes long.
export SECONDS_OF_TEST=3600
run_test check_spark.py "${abs_top_srcdir:?}/docs/cluster.md" contention.dgz heap-threads.dgz sharing.dgz
