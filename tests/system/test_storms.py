"""Storms drawn from seeds (tests/programs/*storm.c), on all kinds of machine: messages, requests, collectives, windows.

With little room and other protocols, too, nothing is lost, doubled, out of order or changed, and no rank hangs.

By hand, at length: `for seed in $(seq 100); do sanvp run MACHINE ./storm --np 8 -- $seed 3 600 4096; done`; the others
take elements, 300 say, instead of KiB.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from algorithms import IN_SOFTWARE
from compiled import CC, MACHINE, compile_program
from program import PROJECT, sanvp
from share import a_share, every_other

# Ranks of each, and what changes its protocols or leaves them little room.
MACHINES = {
    "qsnet-16": (
        "transport.matching=host",
        "transport.unexpected=32K",
        "nic.dma.user_entries=256",
        "nic.command.entries=32",
    ),
    "myrinet-8": ("transport.direct=no", "transport.eager=100", "gm.window=1", "nic.pool=16KiB"),
    "macrame-clos-64": ("transport.unexpected=0", "transport.eager=1M", "nic.vcp.window=4"),
    "moc-2-1": ("transport.unexpected=2K", "transport.eager=0", "nic.most_payload=16B"),
    "gcel-64": ("transport.unexpected=2K", "transport.eager=32K", "nic.most_payload=16B"),
    "tofu-36": ("transport.direct=no", "transport.eager=100", "tofu.order=memory"),
}
ALTERNATIVES = [(machine, setting) for machine, settings in MACHINES.items() for setting in settings]
# What each draws: rounds, how much in each, KiB or elements.
PROGRAMS = {
    "storm": ("2", "600", "1024"),
    "pe_storm": ("2", "600", "1024"),
    "request_storm": ("2", "200", "60"),
    "collective_storm": ("2", "100", "60"),
    "pe_set_storm": ("2", "100", "60"),
    "window_storm": ("12", "60"),
}
ROOM = ("-s", "host.memory=1GiB")  # for what a storm has under way


@pytest.fixture(scope="module")
def storms(tmp_path_factory) -> dict[str, Path]:
    """The programs, compiled."""
    folder = tmp_path_factory.mktemp("storms")
    for name in PROGRAMS:
        subprocess.run([CC, "-O2", PROJECT / "tests/programs" / f"{name}.c", "-o", folder / name], check=True)
    return {name: folder / name for name in PROGRAMS}


def passes(program: Path, machine: str, ranks: int, seed: int, *options: str) -> None:
    result = sanvp("run", machine, program, "--np", ranks, *ROOM, *options, "--", seed, *PROGRAMS[program.name])
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize(("program", "machine", "seed"), a_share(PROGRAMS, MACHINES, [1, 2, 3]))
def test_a_storm_passes(storms, program, machine, seed):
    passes(storms[program], machine, 2 + 3 * (seed - 1), seed)


@pytest.mark.parametrize(("program", "alternative"), every_other(PROGRAMS, ALTERNATIVES))
def test_it_does_so_with_other_protocols_and_little_room(storms, program, alternative):
    machine, setting = alternative
    passes(storms[program], machine, 6, len(setting), "-s", setting)


@pytest.mark.parametrize(("program", "machine"), every_other(PROGRAMS, ["qsnet-16", "myrinet-8", "tofu-36"]))
def test_it_does_so_where_ranks_share_nodes(storms, program, machine):
    passes(storms[program], machine, 7, 7, "--map", "0,1,0,2,1,3,2")


@pytest.mark.parametrize(("turn", "ranks"), every_other(range(4), [5, 8]))
def test_collective_operations_do_so_by_every_algorithm(storms, turn, ranks):
    chosen = [f"{key}={names[turn % len(names)]}" for key, names in IN_SOFTWARE.items()]
    options = [word for setting in chosen for word in ("-s", setting)]
    passes(storms["collective_storm"], MACHINE, ranks, 10 + turn, *options)


# All sends before the first receive, or all at once; the receiver sleeps a while.
FLOOD = """
  int rank, ranks;
  const int count = atoi(argv[1]), bytes = atoi(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int senders = rank == 0 ? ranks - 1 : 1;
  char* memory = malloc((size_t)count * senders * bytes);
  MPI_Request* requests = malloc((size_t)count * senders * sizeof *requests);
  if (rank == 0) usleep(5000);
  for (int i = 0; i < count; ++i)
    for (int s = 0; s < senders; ++s) {
      char* at = memory + ((size_t)i * senders + s) * bytes;
      MPI_Request* request = &requests[i * senders + s];
      memset(at, rank == 0 ? -1 : i * 7 + rank, bytes);
      if (rank == 0) MPI_Irecv(at, bytes, MPI_BYTE, s + 1, i % 5, MPI_COMM_WORLD, request);
      else MPI_Isend(at, bytes, MPI_BYTE, 0, i % 5, MPI_COMM_WORLD, request);
    }
  MPI_Waitall(count * senders, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; rank == 0 && i < count * senders; ++i)
    for (int b = 0; b < bytes; ++b)
      assert(memory[(size_t)i * bytes + b] == (char)(i / senders * 7 + i % senders + 1));
  if (rank == 0) printf("%d messages are right\\n", count * senders);
  MPI_Finalize();
"""


@pytest.mark.parametrize(
    ("ranks", "count", "size"),
    [
        (2, 3000, 1000),  # more announced messages than the card's run queue has entries, 1024
        (16, 150, 100),  # lists that keep the card's matching thread busy
        pytest.param(16, 500, 100, marks=pytest.mark.long),  # for 100 ms
    ],
)
def test_thousands_of_messages_to_one_rank_need_no_more_than_the_elan3_has(tmp_path, ranks, count, size):
    program = compile_program(tmp_path, FLOOD)
    result = sanvp("run", MACHINE, program, "--np", ranks, "--", count, size)
    assert result.status == 0, result.err
    assert result.out == f"[0] {count * (ranks - 1)} messages are right\n"
