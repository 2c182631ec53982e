#!/bin/sh
# Compiles an object that counts (Training.cmake), in the name of the one that is to know: there its counts will lie, and
# functions that only their file knows, as bodies of coroutines are, are found again, since their names have it in them.
#
# usage: count.sh COMPILER ... -o CMakeFiles/TARGET_counting.dir/SOURCE.o ...
previous=
for word; do
  [ "$previous" = -o ] && object=$word
  previous=$word
done
name=$(printf '%s' "$object" | sed 's/_counting\.dir/.dir/')
exec "$@" -dumpbase "$name" -dumpbase-ext .o
