"""Networks that look the same from every node: packets and ranks moved along a symmetry take the same times."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from program import done, replay
from properties import box

LONG = pytest.mark.long
Move = Callable[[int], int]


def along(sizes: tuple[int, ...], by: tuple[int, ...]) -> Move:
    """A node of a box moved by so many steps along each axis, round the ends; the last axis counts fastest."""

    def move(node: int) -> int:
        moved, weight = 0, 1
        for size, step in zip(reversed(sizes), reversed(by), strict=True):
            moved += (node % size + step) % size * weight
            node, weight = node // size, weight * size
        return moved

    return move


def drawn(hosts: int, packets: int, interval: int, seed: int = 1) -> list[tuple[float, int, int, int]]:
    """Packets at times that differ by odd picoseconds, so that no two requests meet: a tie goes by port numbers."""
    chance = random.Random(seed)
    times = sorted(chance.sample(range(1000 * packets * interval), packets))
    return [(time / 1000, *chance.sample(range(hosts), 2), chance.choice((8, 40, 100))) for time in times]


def times(folder: Path, machine: object, packets: list, move: Move, *arguments: object) -> list[float]:
    """When each is delivered, moved."""
    text = "".join(f"{time:.3f} {move(source)} {move(to)} {size}\n" for time, source, to, size in packets)
    return [row.delivered for row in replay(folder, str(machine), text, *arguments)]


def stays(node: int) -> int:
    """No move."""
    return node


@pytest.mark.parametrize(
    ("kind", "routing", "sizes", "by"),
    [
        ("hyperx", "hyperx", (2, 2, 2, 2), (1, 0, 1, 1)),
        ("hyperx", "hyperx", (4, 4), (1, 2)),
        *[
            pytest.param("hyperx", "hyperx", sizes, by, marks=LONG)
            for sizes in ((2, 2, 2), (3, 5))
            for by in itertools.product(*map(range, sizes))
        ],
    ],
)
def test_packets_that_contend_in_a_hyperx_take_the_same_times_from_any_node(tmp_path, kind, routing, sizes, by):
    machine = box(tmp_path, kind, routing, sizes)
    move = along(sizes, by)
    packets = drawn(len({move(i) for i in range(1000)}), 100, 40)
    here = times(tmp_path, machine, packets, stays)
    assert here == times(tmp_path, machine, packets, move)
    assert max(end - start for end, (start, *_) in zip(here, packets, strict=True)) > 2000  # they did contend


@pytest.mark.parametrize(
    ("sizes", "by"),
    [
        ((5, 5), (1, 3)),
        *[pytest.param((3, 5), by, marks=LONG) for by in itertools.product(range(3), range(5))],
        *[pytest.param((3, 3, 3), by, marks=LONG) for by in itertools.product(range(3), repeat=3)],
    ],
)
def test_a_packet_alone_on_a_torus_takes_the_same_time_from_any_node(tmp_path, sizes, by):
    """Packets that contend do not: which virtual channel one takes depends on where the ring is cut."""
    machine = box(tmp_path, "torus", "dimension_order", sizes)
    move = along(sizes, by)
    packets = [
        (10000 * i, *pair, 40) for i, pair in enumerate(itertools.permutations(range(len({*map(move, range(999))})), 2))
    ]
    packets = packets[:: max(1, len(packets) // 200)]
    assert times(tmp_path, machine, packets, stays) == times(tmp_path, machine, packets, move)


SUBTREES = {
    "of a leaf": lambda node: (node + 4) % 16 + node // 16 * 16,
    "of two levels": lambda node: (node + 16) % 64,
    "both": lambda node: (node + 20) % 16 + (node + 32) // 16 * 16 % 64,
}


@pytest.mark.parametrize(
    "subtree", ["of two levels", *[pytest.param(name, marks=LONG) for name in ("of a leaf", "both")]]
)
def test_packets_that_contend_in_a_fat_tree_take_the_same_times_from_other_subtrees(tmp_path, subtree):
    packets = drawn(64, 300, 20)
    fixed = ("-s", "routing.up=fixed", "-s", "switch.age_threshold=0ns", "-s", "switch.arbitration=fifo")
    here = times(tmp_path, "qsnet-64", packets, stays, *fixed)
    assert here == times(tmp_path, "qsnet-64", packets, SUBTREES[subtree], *fixed)


@pytest.mark.parametrize(
    ("machine", "app", "map_", "moved"),
    [
        ("qsnet-16", "ping --np 2 -- --most 64", "0,1", "12,13"),
        ("qsnet-16", "allreduce --np 4 -- --most 64", "0,1,4,5", "8,9,12,13"),
        ("macrame-clos-64", "ping --np 2 -- --most 64", "0,1", "16,17"),
        ("tofu-96", "ping --np 2 -- --most 64", "0,12", "24,36"),
    ],
)
def test_ranks_that_move_to_another_subtree_or_group_take_the_same_times(machine, app, map_, moved):
    before, after = app.split(" -- ")
    here, there = (
        done("run", machine, *before.split(), "--map", nodes, "--json", "-", "--", *after.split()).json["jobs"][0]
        for nodes in (map_, moved)
    )
    assert here["metrics"] == there["metrics"]
