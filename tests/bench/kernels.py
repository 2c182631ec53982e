#!/usr/bin/env python3
"""What counting costs: ten kernels with it and without, in turns on one core.

usage: kernels.py [--core N] [--flags='-O2'] [--turns N] [KERNEL...]      kernels/KERNEL.c; all of them by default
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "system"))
import counted

FOLDER = Path(__file__).resolve().parent / "kernels"
QUANTUM = 1_000_000  # instructions
MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
double kernel(int turns);
static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return at.tv_sec + at.tv_nsec * 1e-9;
}
int main(int argc, char** argv) {
  const int turns = atoi(argv[1]);
  double best = 1e9, result = 0;
  for (int k = 0; k < 5; ++k) {
    const double begin = now();
    result = kernel(turns);
    const double took = now() - begin;
    if (took < best) best = took;
  }
  printf("%.9f %.17g\n", best, result);
  return argc != 2;
}
"""


def seconds(program, turns):
    """Of the kernel, and its result."""
    done = subprocess.run([program, str(turns)], check=True, capture_output=True, text=True).stdout.split()
    return float(done[0]), done[1]


def measure(name, flags, rounds, folder):
    """Time with counting by time without."""
    main = folder / "main.c"
    main.write_text(MAIN)
    subprocess.run(["gcc", "-O2", "-c", str(main), "-o", f"{main}.o"], check=True)
    extra = [Path(f"{main}.o")]
    source = FOLDER / f"{name}.c"
    programs = [
        counted.build(source, folder, flags, counts=counts, extra=extra, quantum=QUANTUM) for counts in (False, True)
    ]
    turns = 1
    while seconds(programs[0], turns)[0] < 0.01:
        turns *= 2
    best = [math.inf, math.inf]
    for _ in range(rounds):
        results = [seconds(program, turns) for program in programs]
        assert results[0][1] == results[1][1], name
        best = [min(old, new[0]) for old, new in zip(best, results, strict=True)]
    return best[1] / best[0]


def main():
    """Prints a line for each, and the geometric mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", default=sorted(path.stem for path in FOLDER.glob("*.c")))
    parser.add_argument("--core", type=int, default=1)
    parser.add_argument("--flags", default="-O2")
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    ratios = []
    for name in options.kernels:
        with tempfile.TemporaryDirectory() as folder:
            ratios.append(measure(name, options.flags.split(), options.turns, Path(folder)))
        print(f"{name:10} {ratios[-1]:.3f}", flush=True)
    print(f"{'mean':10} {math.exp(sum(map(math.log, ratios)) / len(ratios)):.3f} (geometric)")


if __name__ == "__main__":
    main()
