"""Time grows with size, with what is outstanding and with ranks, and jumps only at limits that are listed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from compiled import compile_program
from program import done
from properties import SMALL

LONG = pytest.mark.long
FALLS = 0.035  # at most: a whole word, line or burst is copied faster than its part
JUMPS = 0.05  # at most, by one byte more
LIMITS = {  # bytes at which one more makes a jump, and why
    "qsnet-16": {0: "the first byte has to be copied"},
    "macrame-clos-64": {0: "a packet with data", 16: "a second packet of 32 bytes: 16 are the header's"},
    "macrame-torus-64": {0: "a packet with data", 16: "a second packet of 32 bytes: 16 are the header's"},
    "moc-2-1": {16384: "transport.eager: a longer message waits for its receiver"},
    "gcel-64": {0: "a packet with data"},
    "tofu-36": {8192: "transport.eager: a longer message waits for its receiver"},
}
FASTER_BEYOND = {  # bytes at which one more takes less time, and why
    "myrinet-8": {16384: "transport.eager: a longer message is not copied, which pays from some 3 KiB on"},
}
# Sizes at powers of two, at multiples of packets, and one byte beside them.
SIZES = sorted(
    {
        *range(0, 200, 8),
        *range(200, 2400, 24),
        *(320 * packet + beside for packet in range(1, 8) for beside in (-1, 0, 1)),
        *(2**power + beside for power in range(1, 15) for beside in (-1, 0, 1)),
    }
)
START = """
    static char data[1 << 17], small[4];
    int self, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
"""
# The mean of 16 turns: a LANai looks for work in a loop, so a single turn comes at any phase of it.
PING = """
    for (int s = 1; s < argc; ++s) {
        const int size = atoi(argv[s]);
        double from = 0;
        for (int i = 0; i < 20; ++i) {
            if (i == 4) from = MPI_Wtime();
            if (!self) MPI_Send(data, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, size, MPI_CHAR, !self, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (self) MPI_Send(data, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
        if (!self) printf("%d %.6f\\n", size, (MPI_Wtime() - from) / 32 * 1e6);
    }
"""
OUTSTANDING = """
    MPI_Request requests[16];
    for (int s = 1; s < argc; ++s) {
        const int outstanding = atoi(argv[s]), bytes = 4096;
        double from = 0;
        for (int i = 0; i < 3; ++i) {
            MPI_Barrier(MPI_COMM_WORLD);
            if (i == 1) from = MPI_Wtime();
            for (int k = 0; k < outstanding; ++k)
                if (self) MPI_Irecv(data + k * bytes, bytes, MPI_CHAR, 0, k, MPI_COMM_WORLD, &requests[k]);
                else MPI_Isend(data + k * bytes, bytes, MPI_CHAR, 1, k, MPI_COMM_WORLD, &requests[k]);
            MPI_Waitall(outstanding, requests, MPI_STATUSES_IGNORE);
        }
        if (self) printf("%d %.6f\\n", outstanding, (MPI_Wtime() - from) / 2 * 1e6);
    }
"""
# Rank 1 has receives of long messages from rank 0, and answers the small ones of rank 2 meanwhile.
BESIDE = """
    const int bytes = atoi(argv[1]);
    MPI_Request requests[16];
    for (int s = 2; s < argc; ++s) {
        const int beside = atoi(argv[s]);
        double worst = 0;
        for (int i = 0; i < 70 / beside + 2; ++i) {
            MPI_Barrier(MPI_COMM_WORLD);
            for (int k = 0; k < beside && self < 2; ++k)
                if (self) MPI_Irecv(data, bytes, MPI_CHAR, 0, k, MPI_COMM_WORLD, &requests[k]);
                else MPI_Isend(data, bytes, MPI_CHAR, 1, k, MPI_COMM_WORLD, &requests[k]);
            for (int turn = 0; turn < 4 && self > 0; ++turn) {
                const double from = MPI_Wtime();
                if (self == 2) MPI_Send(small, 4, MPI_CHAR, 1, 99, MPI_COMM_WORLD);
                MPI_Recv(small, 4, MPI_CHAR, 3 - self, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (self == 1) MPI_Send(small, 4, MPI_CHAR, 2, 99, MPI_COMM_WORLD);
                else if (MPI_Wtime() - from > worst) worst = MPI_Wtime() - from;
            }
            if (self < 2) MPI_Waitall(beside, requests, MPI_STATUSES_IGNORE);
        }
        if (self == 2) printf("%d %.6f\\n", beside, worst * 1e6);
    }
"""
RANKS = """
    double from = 0;
    for (int i = 0; i < 3; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == 1) from = MPI_Wtime();
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_CHAR, data, 64, MPI_CHAR, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!self) printf("%d %.6f\\n", ranks, (MPI_Wtime() - from) / 2 * 1e6);
"""


def timed(folder: Path, machine: str, body: str, ranks: int, *arguments: object) -> dict[int, float]:
    """The times in us that a program prints, by its argument."""
    program = folder / "prog"
    if not program.exists():
        compile_program(folder, START + body + "MPI_Finalize();\n")
    out = done("run", machine, program, "--np", ranks, "--", *arguments).out
    return {int(key): float(value) for key, value in (line.split()[-2:] for line in out.splitlines())}


def steps(values: dict[int, float]) -> list[tuple[int, int, float]]:
    """From each value to the next: the arguments, and the ratio."""
    return [(first, second, values[second] / values[first]) for first, second in pairwise(values)]


@pytest.mark.parametrize(
    "machine",
    [
        "qsnet-16",
        "tofu-36",
        *[
            pytest.param(name, marks=LONG)
            for name in ("myrinet-8", "macrame-clos-64", "macrame-torus-64", "moc-2-1", "gcel-64")
        ],
    ],
)
def test_a_longer_message_takes_no_less_time(machine, tmp_path):
    taken = steps(timed(tmp_path, machine, PING, 2, *SIZES))
    falls = {size for size, _, ratio in taken if ratio < 1 - FALLS}
    assert falls == set(FASTER_BEYOND.get(machine, {}))


@pytest.mark.parametrize("machine", ["qsnet-16", *[pytest.param(name, marks=LONG) for name in SMALL[1:]]])
def test_one_byte_more_makes_a_jump_only_at_a_listed_limit(machine, tmp_path):
    taken = steps(timed(tmp_path, machine, PING, 2, *SIZES))
    jumps = {size for size, more, ratio in taken if more == size + 1 and ratio > 1 + JUMPS}
    assert jumps == set(LIMITS.get(machine, {}))


@pytest.mark.parametrize("machine", [*[pytest.param(name, marks=LONG) for name in SMALL[:-1]], "tofu-36"])
def test_more_messages_outstanding_take_no_less_time_and_no_more_than_their_share(machine, tmp_path):
    taken = timed(tmp_path, machine, OUTSTANDING, 2, *range(1, 13))
    for first, second, ratio in steps(taken):
        assert 1 - FALLS < ratio <= second / first * (1 + JUMPS), (first, second)


@pytest.mark.parametrize(
    ("machine", "counts"),
    [("qsnet-16", (1, 3)), *[pytest.param(name, range(1, 9), marks=LONG) for name in SMALL]],
)
def test_a_small_message_beside_long_ones_waits_for_no_more_than_their_number(machine, counts, tmp_path):
    bytes_ = 65536 if machine in ("qsnet-16", "myrinet-8", "tofu-36") else 4096
    worst = timed(tmp_path, machine, BESIDE, 3, bytes_, *counts)
    for beside, time in worst.items():
        assert time <= (1 + JUMPS) * max(beside, 2) * worst[1], worst


@LONG
@pytest.mark.parametrize("machine", SMALL)
def test_more_ranks_exchange_in_no_less_time(machine, tmp_path):
    taken = {}
    for ranks in range(2, 11):
        taken |= timed(tmp_path, machine, RANKS, ranks)
    assert [step for step in steps(taken) if step[2] < 1 - FALLS] == []
