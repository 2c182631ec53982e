"""One program on every kind of machine: compiled once, it finds its transport by the machine's card."""

from __future__ import annotations

import pytest
from compiled import compile_program
from program import DEADLOCK, SANVP, done, sanvp

HOST_PROGRAM_FAILED = 4
FLOOD = SANVP.rsplit("/", 1)[0] + "/sw/tests/mpi_flood.so"
MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
PROGRAMS = {
    "ping": (2, ("--level", "mpi", "--most", "1K", "--count", "2")),
    "allreduce": (4, ("--most", "256", "--count", "1")),
    "alltoall": (4, ("--most", "256", "--count", "1")),
    "collectives": (3, ("--most", "64", "--count", "1")),
    "halo": (4, ("--cells", "100", "--exchanges", "3")),
    "cg": (4, ()),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_hello_runs_on_every_machine(machine):
    assert done("run", machine, "hello", "--np", 3).out == "".join(
        f"[{rank}] hello from rank {rank} of 3 on node {rank}\n" for rank in range(3)
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_of_mpi_runs_and_finds_its_results_right(machine, program):
    ranks, arguments = PROGRAMS[program]
    assert "PASS" in done("run", machine, program, "--np", ranks, "--", *arguments).out


@pytest.mark.parametrize("machine", MACHINES)
def test_shmem_measures_a_ping(machine):
    arguments = ("--level", "shmem", "--most", "256", "--count", "2")
    assert "PASS" in done("run", machine, "ping", "--np", 2, "--", *arguments).out


@pytest.mark.parametrize("machine", MACHINES)
def test_more_messages_than_their_receiver_keeps_all_come(machine):
    assert "PASS" in done("run", machine, FLOOD, "--np", 5).out


@pytest.mark.parametrize("machine", MACHINES)
def test_a_rank_that_waits_for_ever_is_reported_with_its_reason(machine):
    result = sanvp("run", machine, FLOOD, "--np", 2, "--", "both")
    assert result.status == DEADLOCK
    for rank in range(2):
        assert f"rank {rank} on node {rank} waits in MPI_Ssend (rank {1 - rank}, tag 0, 65536 bytes)" in result.err


# In globals and on the stack, which the operating system puts elsewhere in each run, and in the heap.
PIECES_OF_MEMORY = """
    static char global[2][300000];
    EXTRA
    char local[2][100000], *heap[2] = {malloc(300000), malloc(300000)};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3 * 20; ++i) {
      char* from = i % 3 == 0 ? global[0] : i % 3 == 1 ? heap[0] : local[0];
      char* to = i % 3 == 0 ? global[1] : i % 3 == 1 ? heap[1] : local[1];
      const int place = i / 3 * (i % 3 == 2 ? 4500 : 14000);
      MPI_Sendrecv(from + place, 9000, MPI_CHAR, (rank + 1) % size, 0, to + place, 9000, MPI_CHAR,
                   (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("%.3f us\\n", MPI_Wtime() * 1e6);
    MPI_Finalize();
"""


# What is thread-local makes the loader give each rank code and globals of its own.
@pytest.mark.parametrize("extra", ["", "static __thread int own; ++own;"], ids=["code in common", "code of its own"])
@pytest.mark.parametrize("machine", MACHINES)
def test_where_memory_lies_makes_no_difference_to_simulated_time(machine, extra, tmp_path):
    program = compile_program(tmp_path, PIECES_OF_MEMORY, f"-DEXTRA={extra}")
    assert len({done("run", machine, program, "--np", 4).out for _ in range(4)}) == 1


def test_without_a_card_there_is_one_clear_message():
    result = sanvp("run", "myrinet-8", "allreduce", "--np", 2, "-s", "nic.type=plain")
    assert result.status == HOST_PROGRAM_FAILED
    assert "MPI and shmem: this machine's nodes have no card that software can use; take a machine" in result.err
    assert all(card in result.err for card in ("ds_link", "elan3", "lanai", "tofu", "transputer", "vcp"))


@pytest.mark.parametrize("machine", ["moc-2-1", "gcel-64"])
def test_a_library_of_another_card_says_so(machine):
    result = sanvp("run", machine, "ping", "--np", 2, "--", "--level", "elan3")
    assert result.status == HOST_PROGRAM_FAILED
    assert "elan3_init: this machine's card is '" in result.err
    assert "run the program on a machine with nic.type = elan3, or write it with MPI or shmem" in result.err
