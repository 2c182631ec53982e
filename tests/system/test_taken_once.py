"""Threads of a rank that compete for messages of any source, by matched probes and receives."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import SOURCES, compile_text, needs_compilers, wrapper
from program import done

pytestmark = needs_compilers


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("taken_once")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-pthread", SOURCES / "taken_once.c", "-o", "program", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "program"


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize(
    "options",
    ["--np 1", "--np 3", "--np 2 -s host.cpus=3", "--map 0,0,1,1", "--map 0,0,0,0 -s host.cpus=2"],
)
def test_an_elan_gives_each_message_to_one_thread(program, options, way):
    """The threads take in turns: way n begins with another of the three ways."""
    result = done("run", "qsnet-16", program, *options.split(), "--", way)
    assert "0 messages were not taken once, wrong: 0" in result.out


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize("options", ["--np 2 -s host.cpus=2", "--np 3 -s host.cpus=2", "--np 2 -s host.cpus=5"])
@pytest.mark.parametrize("machine", ["tofu-36", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64"])
def test_so_do_hosts_though_threads_that_test_in_loops_fill_all_cpus(program, machine, options, way):
    result = done("run", machine, program, *options.split(), "--", way)
    assert "0 messages were not taken once, wrong: 0" in result.out


TO_ITSELF = """
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void* take(void* unused) {
  MPI_Message message;
  int in = 0;
  MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  printf("taken: %d\\n", in);
  return unused;
}
int main(int argc, char** argv) {
  int provided, out = 42;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, take, NULL);
  usleep(1000);
  MPI_Ssend(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def to_itself(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("to_itself")
    return compile_text(folder, "self", TO_ITSELF)


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "macrame-clos-64", "moc-2-1", "gcel-64"])
def test_a_thread_that_probes_sees_a_message_whose_sender_waits_in_its_call(to_itself, machine):
    """Only the sender's own call has made it; no card tells of it."""
    assert "taken: 42" in done("run", machine, to_itself, "--np", 1).out
