"""Standard input of a run that goes back, or branches: what has been read from a pipe is read again, from a record."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from gdb_client import Client, Run
from program import SANVP

pytestmark = needs_compilers
LIMIT = 120  # s; each takes less than 5

SOURCE = """#include <mpi.h>
#include <unistd.h>
#include <stdio.h>
static char text[64];
__attribute__((noinline)) long take(long bytes) { return read(0, text, bytes); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) {
    if (rank == 0) {
      const long bytes = take(8);
      printf("%.*s|\\n", (int)bytes, text);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""
INPUT = b"one two three four five"
SAID = "[0] one two |\n[0] three fo|\n[0] ur five|\n[0] |\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("input")
    (folder / "reads.c").write_text(SOURCE)
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", "reads.c", "-o", "reads", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder


class Piped(Run):
    """A run under gdb whose standard input is a pipe."""

    def __init__(self, folder: Path) -> None:
        command = [SANVP, "run", "qsnet-16", "./reads", "--np", "2", "--gdb", "0", "--gdb-wait", "--snapshots", "8"]
        pipe = subprocess.PIPE
        self.folder = folder
        self.process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self.process.stderr is not None
        greeting = self.process.stderr.readline().decode()
        self.port = int(greeting.rsplit("remote :", 1)[1].split("'")[0])


def address_of(folder: Path, symbol: str) -> int:
    listed = subprocess.run(["riscv64-linux-gnu-nm", "reads"], cwd=folder, capture_output=True, text=True, check=True)
    return next(int(line.split()[0], 16) for line in listed.stdout.splitlines() if line.split()[-1] == symbol)


def test_the_program_reads_the_same_again_and_nothing_is_read_twice(folder: Path) -> None:
    """Forward over three reads, back before them, forward again: registers and memory are the same at each."""
    run = Piped(folder)
    assert run.process.stdin is not None
    client = Client(run)
    client.ask("qSupported:multiprocess+;swbreak+")
    take, text = address_of(folder, "take"), address_of(folder, "text")
    client.ask("Hgp1.0")
    assert client.ask(f"Z0,{take:x},2") == "OK"

    def state() -> tuple[str, str]:
        client.ask("Hgp1.0")
        return client.ask("g"), client.ask(f"m{text:x},40")

    # Only as much as the first reads ask for: a read beyond it waits until there is more.
    run.process.stdin.write(INPUT[:16])
    run.process.stdin.flush()
    seen = []
    for _ in range(3):
        assert client.ask("vCont;c").startswith("T05")
        seen.append(state())
    run.process.stdin.write(INPUT[16:])
    run.process.stdin.close()
    assert client.ask("vCont;c").startswith("T05")
    seen.append(state())
    for expected in reversed(seen[:-1]):
        assert client.ask("bc").startswith("T05")
        assert state() == expected
    for expected in seen[1:]:
        client.ask(f"z0,{take:x},2")  # as gdb does: over the instruction without its breakpoint
        assert client.ask("vCont;s:p1.3e8").startswith("T05")
        client.ask(f"Z0,{take:x},2")
        assert client.ask("vCont;c").startswith("T05")
        assert state() == expected
    client.ask("bc")
    client.ask("D")
    run.process.stdin = None
    output, _ = run.process.communicate(timeout=LIMIT)
    assert (run.process.returncode, output.decode()) == (0, SAID)


def test_each_branch_reads_what_is_left_in_the_pipe(folder: Path) -> None:
    """All of them, though the pipe has it once."""
    command = [SANVP, "run", "qsnet-16", "./reads", "--np", "2", "--out", "out", "--branch-at", "1us"]
    run = subprocess.run(
        [*command, "--branch", "", "--branch", ""], cwd=folder, input=INPUT, capture_output=True, check=True
    )
    assert run.stdout.decode() == SAID + SAID


def test_a_program_that_waits_at_a_pipe_ends_with_it(folder: Path) -> None:
    """What was read before counts once, without a debugger as well."""
    command = [SANVP, "run", "qsnet-16", "./reads", "--np", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe) as run:
        assert run.stdin is not None
        run.stdin.write(INPUT[:10])
        run.stdin.flush()
        time.sleep(0.1)
        run.stdin.write(INPUT[10:])
        output, _ = run.communicate(timeout=LIMIT)
    assert output.decode() == SAID
