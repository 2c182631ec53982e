"""getopt and what else the C library keeps once for a process: each rank has its own, also between two calls."""

from __future__ import annotations

import subprocess
from pathlib import Path

from compiled import CC, MACHINE, compile_program
from program import DONE, sanvp

# Takes random arguments by all three calls, and prints what each returns and leaves. Ranks meet between any two.
PROGRAM = r"""
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef RANKS
#include <mpi.h>
#endif
static int flag;
static const struct option names[] = {
    {"alpha", 0, 0, 'a'}, {"alphabet", 1, 0, 'b'}, {"beta", 2, 0, 'c'}, {"flag", 0, &flag, 7}, {"fun", 1, 0, 'd'},
    {"fund", 1, 0, 'd'}, {"a", 0, 0, 'z'}, {0}};
static char* words[] = {"-a", "-b", "-ab", "-abc", "-b7", "-c", "-cx", "-aaa", "file", "x", "--", "-", "--alpha",
                        "--alph", "--alphabet", "--alphabet=1", "--alpha=3", "--beta", "--beta=q", "--flag", "--fu",
                        "--fun", "--fun=2", "-alpha", "-fl", "-Walpha", "-W", "-Wbogus", "--bogus", "-z", "--f",
                        "-beta=3", "-:", "-;"};
static const char* letters[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "ab:c::W;", "+:ab:c::W;", "", "abc"};
static unsigned state;
static unsigned below(unsigned end) { return (state = state * 1103515245 + 12345) / 65536 % end; }
static int take(unsigned kind, int count, char** given, const char* known, int* index) {
  if (kind == 0) return getopt(count, given, known);
  return (kind == 1 ? getopt_long : getopt_long_only)(count, given, known, names, index);
}
static void meet(void) {
#ifdef RANKS
  MPI_Barrier(MPI_COMM_WORLD);
#endif
}
int main(int argc, char** argv) {
  state = argc > 1 ? atoi(argv[1]) : 0;
#ifdef RANKS
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, (int*)&state);
#endif
  optopt = 0;
  for (int turn = 0; turn < 60; ++turn) {
    char* given[10] = {"prog"};
    int count = 1 + below(9);
    for (int i = 1; i < count; ++i) given[i] = words[below(sizeof words / sizeof *words)];
    const char* const known = letters[below(8)];
    const unsigned kind = below(3);
    opterr = below(4) != 0;
    optind = 0;
    for (int calls = 0; calls < 12; ++calls) {
      int index = -5;
      const int option = take(kind, count, given, known, &index);
      meet();
      printf("%d %d %s %d %d %d %d\n", option, optind, optarg ? optarg : "-", optopt, opterr, index, flag);
      flag = 0;
    }
    for (int i = 0; i < count; ++i) printf("[%s]", given[i]);
    printf("\n");
  }
#ifdef RANKS
  MPI_Finalize();
#endif
}
"""


def lines_of(rank: int, text: str) -> list[str]:
    label = f"[{rank}] "
    return [line.removeprefix(label) for line in text.splitlines() if line.startswith(label)]


def test_each_rank_takes_its_options_as_the_c_library_does_while_others_take_theirs(tmp_path: Path) -> None:
    (tmp_path / "options.c").write_text(PROGRAM)
    subprocess.run(["cc", "options.c", "-o", "alone"], cwd=tmp_path, check=True)
    subprocess.run([CC, "-DRANKS", "options.c", "-o", "ranks"], cwd=tmp_path, check=True)
    run = sanvp("run", MACHINE, tmp_path / "ranks", "--np", 3)
    assert run.status == DONE, run.err
    for rank in range(3):
        alone = subprocess.run(["./alone", str(rank)], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "ambiguous" in alone.stderr and "[file]" in alone.stdout
        assert lines_of(rank, run.out) == alone.stdout.splitlines()
        assert lines_of(rank, run.err) == alone.stderr.splitlines()


def test_a_getopt_of_the_program_s_own_is_taken(tmp_path: Path) -> None:
    own = "int optind = 40; int getopt(int count, char* const* words, const char* letters) { return optind += count; }"
    (tmp_path / "own.c").write_text(own)
    program = compile_program(tmp_path, 'printf("%d\\n", getopt(2, argv, "a"));', str(tmp_path / "own.c"))
    assert sanvp("run", MACHINE, program, "--np", 1).out == "[0] 42\n"


def test_calendars_and_the_table_of_hsearch_are_each_rank_s_own(tmp_path: Path) -> None:
    program = compile_program(
        tmp_path,
        """MPI_Init(&argc, &argv);
        const int rank = hal_rank();
        const time_t day = rank * 40 * 86400L;
        const struct tm *local = localtime(&day), *utc = gmtime(&day);
        const int month = local->tm_mon;
        hcreate(20);
        hsearch((ENTRY){"key", &argv[rank]}, ENTER);
        char* const text = ctime(&day);
        MPI_Barrier(MPI_COMM_WORLD);
        const ENTRY* const found = hsearch((ENTRY){"key", NULL}, FIND);
        printf("%d %d %d %.24s\\n", local->tm_mon == month, utc->tm_mon, found && found->data == &argv[rank], text);
        hdestroy();
        MPI_Finalize();""",
        headers=("search.h", "time.h"),
    )
    run = sanvp("run", MACHINE, program, "--np", 3)
    days = ("0 1 Thu Jan  1 00:00:00 1970", "1 1 Tue Feb 10 00:00:00 1970", "2 1 Sun Mar 22 00:00:00 1970")
    assert [lines_of(rank, run.out) for rank in range(3)] == [[f"1 {day}"] for day in days], run.err


RESULTS = r"""
#include <arpa/inet.h>
#include <math.h>
#include <mpi.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, point, sign;
  char kept[L_tmpnam];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  volatile double at = rank - 1.5;
  const struct passwd* const user = getpwuid(rank == 0 ? 0 : 1);
  char* const file = tmpnam(NULL);
  strcpy(kept, file);
  const char* const texts[] = {
      strerror(1000 + rank), strsignal(100 + rank), inet_ntoa((struct in_addr){htonl(0x0a000000 + rank)}),
      ecvt(0.5 + rank, 3, &point, &sign), fcvt(20.25 + rank, 1, &point, &sign)};
  lgamma(at);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) printf("%s, ", texts[i]);
  printf("%d %d %d\n", (int)user->pw_uid, strcmp(file, kept), signgam);
  MPI_Finalize();
  return 0;
}
"""


def test_results_that_the_c_library_keeps_are_each_rank_s_own(tmp_path: Path) -> None:
    (tmp_path / "results.c").write_text(RESULTS)
    subprocess.run([CC, "-w", "results.c", "-lm", "-o", "results"], cwd=tmp_path, check=True, capture_output=True)
    run = sanvp("run", MACHINE, tmp_path / "results", "--np", 3)
    # The sign of gamma at -1.5, -0.5 and 0.5; 20.25 and its kin to one digit, even ones where two are as near.
    expected = [
        "Unknown error 1000, Unknown signal 100, 10.0.0.0, 500, 202, 0 0 1",
        "Unknown error 1001, Unknown signal 101, 10.0.0.1, 150, 212, 1 0 -1",
        "Unknown error 1002, Unknown signal 102, 10.0.0.2, 250, 222, 1 0 1",
    ]
    assert [lines_of(rank, run.out) for rank in range(3)] == [[text] for text in expected], run.err
