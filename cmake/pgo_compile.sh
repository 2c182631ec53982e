#!/bin/sh
# Compiles an instrumented object (Pgo.cmake) under the name of the object that will use its profile: the profile is
# written there, and functions that are local to a file, such as bodies of coroutines, have the object's name in theirs.
#
# usage: pgo_compile.sh COMPILER ... -o CMakeFiles/TARGET_instrumented.dir/SOURCE.o ...
previous=
for word; do
  [ "$previous" = -o ] && object=$word
  previous=$word
done
name=$(printf '%s' "$object" | sed 's/_instrumented\.dir/.dir/')
exec "$@" -dumpbase "$name" -dumpbase-ext .o
