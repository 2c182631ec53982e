"""Ranks that share a node talk through its memory; those elsewhere through the card. Programs see no difference."""

from __future__ import annotations

import pytest
from compiled import compile_program
from program import done
from test_qsnet_programs import IMAGES, number, passes, table

MIXED = ["0,0,0,0", "0,0,1,1", "0,1,0,2,0,1", "0,0,0,1", "0,1,2"]


@pytest.mark.parametrize("nodes", MIXED)
def test_messages_by_both_ways_come_in_order_whole_and_once(nodes):
    passes("qsnet-16", f"{IMAGES}/mixed_paths.so", None, options=("--map", nodes))


@pytest.mark.parametrize("nodes", ["0,0,0", "0,0,1", "0,1,0", "0,1,1"])
def test_tports_match_in_order_on_shared_nodes(nodes):
    passes("qsnet-16", f"{IMAGES}/tports.so", None, options=("--map", nodes))


@pytest.mark.parametrize("nodes", ["0,0", "0,0,0,0", "0,0,1,1", "0,1,0,1,2,2,2"])
def test_mpi_does_what_the_standard_says_on_shared_nodes(nodes):
    passes("qsnet-16", f"{IMAGES}/mpi_basics.so", None, options=("--map", nodes))


@pytest.mark.parametrize("ranks", [2, 3, 4, 16])
@pytest.mark.parametrize("program", ["halo", "cg", "barrier"])
def test_programs_find_their_results_with_block_mapping(program, ranks):
    passes("qsnet-16", program, ranks, options=("--map", "block"))


@pytest.mark.parametrize("ranks", [2, 4, 10])
def test_broadcasts_bring_every_byte_with_block_mapping(ranks):
    passes("qsnet-16", "broadcast", ranks, "--most", "32K", options=("--map", "block"))


@pytest.mark.parametrize("kind", ["hardware", "software"])
def test_no_rank_leaves_a_barrier_early_on_shared_nodes(kind):
    passes("qsnet-16", "barrier", 10, "--kind", kind, options=("--map", "block"))


@pytest.mark.parametrize("level", ["elan3", "elan", "tport", "mpi", "shmem"])
def test_every_byte_of_a_ping_between_two_ranks_of_a_node_arrives(level):
    passes("qsnet-16", "ping", 2, "--level", level, "--most", "16K", "--count", "2", options=("--map", "0,0"))


SYNCHRONOUS = """
  int rank;
  enum { BYTES = 1 << 20 };
  char* bytes = malloc(BYTES);
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 1; turn < 4; ++turn) {
    if (rank == 0) {
      memset(bytes, turn, BYTES);
      MPI_Ssend(bytes, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      memset(bytes, 77, BYTES);
    } else {
      MPI_Irecv(bytes, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
      usleep(1000); /* the shared ring between the two is full then */
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < BYTES; ++i) assert(bytes[i] == turn);
    }
  }
  MPI_Finalize();
"""


@pytest.mark.parametrize("matching", ["card", "host"])
def test_a_synchronous_send_ends_when_all_of_its_bytes_are_on_their_way(tmp_path, matching):
    """It is matched before: the message is longer than the shared ring."""
    program = compile_program(tmp_path, SYNCHRONOUS)
    done("run", "qsnet-16", program, "--map", "0,0", "-s", f"transport.matching={matching}")


def test_messages_within_a_node_need_no_packet():
    assert done("run", "qsnet-16", f"{IMAGES}/mpi_basics.so", "--map", "0,0,0,0", "--json", "-").json["packets"] == 0


def test_a_long_message_is_copied_in_and_out_at_once():
    """Both copies are of host.copy_rate, 800 MB/s: piece after piece they take little longer than one."""
    size = ("--level", "mpi", "--least", "256K", "--most", "256K", "--count", "3")
    out = passes("qsnet-16", "ping", 2, *size, options=("--map", "0,0"))
    assert 0.9 * 800 < table(out)[256 * 1024][1] <= 800


def test_a_barrier_within_a_node_needs_no_packets():
    out = passes("qsnet-16", "barrier", 4, options=("--map", "block"))
    assert number(out, "time_us") < 2.0


def test_the_same_program_gives_the_same_bytes_twice_on_shared_nodes():
    command = ("run", "qsnet-16", f"{IMAGES}/mixed_paths.so", "--map", "0,0,1,1", "--json", "-")
    first, second = (done(*command).json for _ in range(2))
    assert first["sim_time_ns"] == second["sim_time_ns"]
    assert first["events"] == second["events"]
