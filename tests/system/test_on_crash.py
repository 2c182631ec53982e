"""`--on-crash gdb`: a program that crashes waits for gdb, which can go back from there. Nothing of the run is lost."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from gdb_client import Client, Run, gdb, needs_gdb
from program import SANVP, sanvp

pytestmark = needs_compilers
USER_MISTAKE, PROGRAM_FAILED = 2, 4
INTERRUPTED = 128 + signal.SIGINT
LIMIT = 120  # s; each takes less than 5

SOURCE = """#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int values[4] = {1, 2, 3, 4};
static int* place = values;
__attribute__((noinline)) void forget(void) { place = NULL; }
__attribute__((noinline)) int use(int i) { return place[i]; }
static sigjmp_buf back;
static void handle(int number) { siglongjmp(back, number); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("[%d] sum %d\\n", rank, use(0) + use(1));
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && argc > 1) {
    if (!strcmp(argv[1], "abort")) abort();
    if (!strcmp(argv[1], "mpi")) MPI_Abort(MPI_COMM_WORLD, 3);
    const int is_handled = !strcmp(argv[1], "handled");
    if (is_handled) signal(SIGSEGV, handle);
    forget();
    if (!is_handled || sigsetjmp(back, 1) == 0) values[0] = use(3);
    place = values;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  printf("[%d] last %d\\n", rank, use(3));
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crash")
    (folder / "crash.c").write_text(SOURCE)
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", "crash.c", "-o", "crash", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder


COMMAND = ("run", "qsnet-16", "./crash", "--np", "2", "--on-crash", "gdb", "--json", "result.json")


class Crashing(Run):
    """A run that has crashed, and waits."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        command = [str(SANVP), *COMMAND, *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        self.greeting = self.process.stderr.readline()
        found = re.search(r"^gdb: gdb-multiarch (\S+) -ex 'target remote :(\d+)'", self.greeting)
        assert found, self.said + self.greeting
        self.program, self.port = found[1], int(found[2])

    def ended(self) -> tuple[int, str, dict]:
        output, errors = self.process.communicate(timeout=LIMIT)
        self.errors = errors
        return self.process.returncode, output, json.loads((self.folder / "result.json").read_text())


@needs_gdb
def test_gdb_comes_at_the_crash_and_goes_back_to_its_cause(folder: Path) -> None:
    run = Crashing(folder, "--", "null")
    assert run.said.startswith("rank 1 on node 1: SIGSEGV, in use() at crash.c:10; called by main() at crash.c:")
    said = gdb(
        run,
        """set schedule-multiple on
        backtrace 1
        print place
        watch place
        reverse-continue
        print place
        backtrace
        delete
        continue
        detach inferiors 1 2
        """,
    )
    status, output, result = run.ended()
    assert "use (i=" in said and "$1 = (int *) 0x0" in said, said
    assert re.search(r"\$2 = \(int \*\) 0x[0-9a-f]+ <values>", said), said
    assert "forget () at crash.c:9" in said
    assert said.count("received signal SIGSEGV") == 1  # again, on the way forward
    assert (status, result["status"]) == (PROGRAM_FAILED, "failed")
    assert output.count("sum 3") == 2
    assert run.errors.count("the run waits there for gdb") == 0  # what has been said is not said again
    assert "error: rank 1 on node 1: SIGSEGV at pc" in run.errors


@pytest.mark.parametrize(("how", "cause"), [("null", "SIGSEGV"), ("abort", "SIGABRT"), ("mpi", "MPI_Abort was called")])
def test_without_gdb_the_wait_ends_and_the_failure_is_told_as_ever(folder: Path, how: str, cause: str) -> None:
    plain = sanvp("run", "qsnet-16", "./crash", "--np", "2", "--", how, cwd=folder)
    run = sanvp(*COMMAND, "--on-crash-wait", "10ms", "--", how, cwd=folder)
    waited = [line for line in run.err.splitlines() if "the run waits there for gdb" in line]
    assert len(waited) == 1 and waited[0].startswith(f"rank 1 on node 1: {cause}")
    assert (run.status, run.out) == (plain.status, plain.out) == (PROGRAM_FAILED, plain.out)
    assert plain.err.splitlines()[-1] in run.err
    assert json.loads((folder / "result.json").read_text())["status"] == "failed"


def test_ctrl_c_ends_the_wait_and_names_the_crash(folder: Path) -> None:
    run = Crashing(folder, "--", "null")
    run.process.send_signal(signal.SIGINT)
    status, _, result = run.ended()
    assert (status, result["status"]) == (INTERRUPTED, "interrupted")
    assert "rank 1 on node 1: SIGSEGV at pc" in run.errors


def test_an_abort_of_mpi_stops_where_it_was_called(folder: Path) -> None:
    run = Crashing(folder, "--", "mpi")
    client = Client(run)
    client.ask("qSupported:multiprocess+")
    assert client.ask("?").startswith("T06")  # SIGABRT
    assert client.ask("bs").startswith("T05")
    client.ask("D")
    status, _, result = run.ended()
    assert (status, result["status"]) == (PROGRAM_FAILED, "failed")


@pytest.mark.parametrize("how", [(), ("--", "handled")])
def test_a_run_that_does_not_crash_is_the_same(folder: Path, how: tuple[str, ...]) -> None:
    """Also one that handles its signals: it does not end by them."""
    plain = sanvp("run", "qsnet-16", "./crash", "--np", "2", "--json", "plain.json", *how, cwd=folder)
    run = sanvp(*COMMAND, *how, cwd=folder)
    assert (run.status, run.out, run.err) == (0, plain.out, plain.err)
    results = [json.loads((folder / name).read_text()) for name in ("plain.json", "result.json")]
    for one in results:
        one.pop("cpu_time_s")
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("./crash", "--on-crash", "dump"), "'dump' is not possible"),
        (("./crash", "--on-crash-wait", "1s"), "there is no --on-crash"),
        (("ping", "--on-crash", "gdb"), "'ping' is not a program for RISC-V"),
        (("./crash", "--on-crash", "gdb", "--snapshots", "2"), "give a number from 4 to 256"),
    ],
)
def test_what_is_not_possible_is_an_error(folder: Path, options: tuple[str, ...], cause: str) -> None:
    run = sanvp("run", "qsnet-16", *options, "--np", "2", cwd=folder)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err
