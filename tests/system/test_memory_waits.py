"""Counted programs, binaries and binaries whose accesses all go through caches wait equally long for memory."""

from __future__ import annotations

import itertools
import math
import statistics
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import sanvp

pytestmark = needs_compilers
SUM = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((noipa)) static double sum_of(const double* at, const double* end) {
  double sum = 0;
  for (; at != end; ++at) sum += *at;
  return sum;
}
int main(int argc, char** argv) {
  const long words = atol(argv[1]) / 8, rounds = argc > 2 ? atol(argv[2]) : 1;
  double *array = calloc(words, 8), sum = 0;
  for (long round = 0; round < rounds; ++round) sum += sum_of(array, array + words);
  printf("sum %g\\n", sum);
  return 0;
}
"""
FILL = SUM.replace(
    "static double sum_of(const double* at, const double* end) {", "static double sum_of(double* at, double* end) {"
)
FILL = FILL.replace("sum += *at;", "*at = 1;")
STATIC = """
#include <stdio.h>
#include <stdlib.h>
double array[1 << 18]; // static, GCC would know that it stays zero
int main(int argc, char** argv) {
  const long words = atol(argv[1]) / 8, rounds = atol(argv[2]);
  double sum = 0;
  for (long round = 0; round < rounds; ++round)
    for (long i = 0; i < words; ++i) sum += array[i];
  printf("sum %g\\n", sum);
  return 0;
}
"""
# Its arguments are in memory of the simulator.
OF_ARGUMENTS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  const int words = 4096;
  double* array = calloc(words, sizeof *array);
  double sum = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < words; ++i) sum += array[i];
    sum += strlen(argv[1]);
    for (const char* at = argv[1]; *at != 0; ++at) sum += *at;
  }
  printf("sum %g\\n", sum);
  return 0;
}
"""
# Sections in memory and in the first level by turns; the second kind by itself first. In one function, or in two.
SECTIONS = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double sum_of(const double* at, const double* end) {
  double sum = 0;
  for (; at != end; ++at) sum += *at;
  return sum;
}
__attribute__((noipa)) static double of_memory(const double* at, const double* end) { return sum_of(at, end); }
__attribute__((noipa)) static double of_first(const double* at, const double* end) { return sum_of(at, end); }
int main(int argc, char** argv) {
  enum { LARGE = 1 << 17, SMALL = 256, SECTIONS = 40, TURNS = 100 };
  double *large = calloc(LARGE, 8), *small = calloc(SMALL, 8), sum = 0, us[2] = {0, 0};
  double (*const first)(const double*, const double*) = atoi(argv[1]) == 1 ? of_memory : of_first;
  for (int both = 0; both < 2; ++both)
    for (int section = 0; section < SECTIONS; ++section) {
      if (both) sum += of_memory(large, large + LARGE);
      const double begin = MPI_Wtime();
      for (int turn = 0; turn < TURNS; ++turn) sum += first(small, small + SMALL);
      us[both] += 1e6 * (MPI_Wtime() - begin);
    }
  printf("%.1f %.1f%s\\n", us[0], us[1], sum == 0 ? "" : " wrong");
  return 0;
}
"""
MACHINE, CACHE, WAYS = "myrinet-8", 512 << 10, 4
WAITS = {"counted": (), "sampled": (), "followed": ("-s", "host.cpu.caches=on")}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("walk")
    (folder / "sum.c").write_text(SUM)
    (folder / "fill.c").write_text(FILL)
    for name, target in (("counted", ()), ("sampled", ("--target", "riscv64"))):
        # The loop has the same four operations for both, whatever the compiler's version.
        for source, program in (("sum.c", name), ("fill.c", f"{name}-fill")):
            made = wrapper("sanvp-cc", *target, "-O2", "-fno-unroll-loops", source, "-o", program, cwd=folder)
            assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return {"counted": folder / "counted", "sampled": folder / "sampled", "followed": folder / "sampled"}


def ns_of_a_line(program: Path, size: int, *arguments: object) -> float:
    """Of 32 bytes, in a round over so many bytes when there have been others."""
    few, many = 3, 7
    times = [
        sanvp("run", MACHINE, program, "--np", 1, "--json", "-", *arguments, "--", size, rounds).json["sim_time_ns"]
        for rounds in (few, many)
    ]
    return (times[1] - times[0]) / (many - few) / (size / 32)


def stays(share: float) -> float:
    """The part of an array, of so many caches, that a round finds in a cache whose pages lie anywhere: a page stays if
    fewer others than there are ways have its place; their number is Poisson's."""
    mean = WAYS * share
    return sum(math.exp(-mean) * mean**others / math.factorial(others) for others in range(WAYS))


@pytest.mark.parametrize("way", WAITS)
def test_time_grows_smoothly_where_an_array_outgrows_the_cache(programs, way):
    near, far = (ns_of_a_line(programs[way], size, *WAITS[way]) for size in (CACHE // 8, 4 * CACHE))
    assert far - near > 30  # of 140 ns, of which half is hidden
    shares = [0.5 * 1.25**step for step in range(8)]  # to 2.4 caches
    missing = [
        (ns_of_a_line(programs[way], int(share * CACHE) // 4096 * 4096, *WAITS[way]) - near) / (far - near)
        for share in shares
    ]
    places = CACHE / 4096 / WAYS
    for share, measured in zip(shares, missing, strict=True):
        deviation = math.sqrt(stays(share) * (1 - stays(share)) / places)  # as if places were independent
        # Pages of counted programs are taken in order, which spreads them more evenly than by chance.
        assert way == "counted" or measured == pytest.approx(1 - stays(share), abs=0.05 + 3 * deviation)
    assert max(after - before for before, after in itertools.pairwise(missing)) < 0.5  # and not all at once


@pytest.mark.parametrize("size", [8 << 10, 128 << 10, 2 << 20])
def test_the_three_agree_in_each_level(programs, size):
    """In the first level, in the second, and in memory."""
    counted, sampled, followed = (ns_of_a_line(programs[way], size, *WAITS[way]) for way in WAITS)
    assert sampled == pytest.approx(followed, rel=0.05)
    assert counted == pytest.approx(followed, rel=0.2)


# A round over a MiB takes 3.5 ms. CPUs that make no calls yield every 64 quanta, here every 13 us or 1.3 ms.
@pytest.mark.parametrize("size", [128 << 10, 1 << 20])
def test_waits_do_not_depend_on_the_quantum(programs, size):
    times = [ns_of_a_line(programs["counted"], size, "-s", f"host.quantum={quantum}") for quantum in ("200ns", "20us")]
    assert times[1] == pytest.approx(times[0], rel=0.05)


@pytest.mark.parametrize("functions", [1, 2])
def test_what_waits_for_memory_is_its_own_section(functions, tmp_path):
    (tmp_path / "sections.c").write_text(SECTIONS)
    made = wrapper("sanvp-cc", "-O2", "-fno-unroll-loops", "sections.c", "-o", "sections", cwd=tmp_path)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    out = sanvp("run", MACHINE, "./sections", "--np", 1, "--", functions, cwd=tmp_path).out
    alone, beside = map(float, out.split("] ")[1].split())
    # The first of a hundred turns brings 64 lines from memory, some 75 ns each, 5 us of 175. If one loop goes through
    # both arrays, a look that sees the second one first does not know how long it has been there.
    assert beside == pytest.approx(alone, rel=0.25 if functions == 1 else 0.06)


@pytest.mark.parametrize("size", [128 << 10, 2 << 20])
def test_the_three_agree_for_stores(programs, size):
    fills = {way: program.with_name(f"{program.name}-fill") for way, program in programs.items()}
    # The addresses of pages depend on the C library. By chance a set may get more of them than it has ways, and
    # then a sample of lines is off by up to a tenth: the median of three sizes.
    sizes = (size * 7 // 8, size, size * 9 // 8)
    counted, sampled, followed = (
        statistics.median(ns_of_a_line(fills[way], near, *WAITS[way]) for near in sizes) for way in WAITS
    )
    assert sampled == pytest.approx(followed, rel=0.05)
    assert counted == pytest.approx(followed, rel=0.2)
    if size > CACHE:  # a line is fetched and written back, at 4/3 of what STREAM counts
        assert counted == pytest.approx(2 * 32 / 310e6 * 3 / 4 * 1e9, rel=0.1)


def test_a_static_array_waits_as_long_as_an_allocated_one(programs, tmp_path):
    (tmp_path / "static.c").write_text(STATIC)
    made = wrapper("sanvp-cc", "-O2", "static.c", "-o", "static", cwd=tmp_path)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    for size in (8 << 10, 2 << 20):
        allocated = ns_of_a_line(programs["counted"], size)
        assert ns_of_a_line(tmp_path / "static", size) == pytest.approx(allocated, rel=0.02)


def test_what_else_the_simulator_has_in_memory_does_not_show_in_times(tmp_path):
    (tmp_path / "arguments.c").write_text(OF_ARGUMENTS)
    made = wrapper("sanvp-cc", "-O2", "arguments.c", "-o", "arguments", cwd=tmp_path)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    options = ("--np", 1, "--json", "-")
    runs = [
        sanvp("run", MACHINE, "./arguments", *options, "--out", "x" * letters, "--", "y" * 9000, cwd=tmp_path).json
        for letters in range(1, 160, 8)
    ]
    assert len({run["sim_time_ns"] for run in runs}) == 1


def test_waiting_is_said_in_the_line_of_the_job(programs):
    ends = {
        way: sanvp("run", MACHINE, programs[way], "--np", 1, *WAITS[way], "--", 8192).times[0].rstrip().split("; ")[1]
        for way in WAITS
    }
    assert ends == {
        "counted": "memory: ranges of loops, strides, gathers",
        "sampled": "memory: sampled caches, data alone",
        "followed": "memory: caches",
    }
    off = sanvp("run", MACHINE, programs["sampled"], "--np", 1, "-s", "host.cpu.caches=off", "--", 8192)
    assert off.times[0].rstrip().endswith("; memory: none, as if all data were in the first level")
