"""Caches of the machines' CPUs, as an option of `sanvp run` with programs for RISC-V."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest
from toolchain import BUILD, compile_program, needs_toolchain

pytestmark = needs_toolchain
SANVP = Path(os.environ.get("SANVP", BUILD / "sanvp"))
PROGRAMS = Path(__file__).resolve().parent / "programs"
CACHES = ("-s", "host.cpu.caches=on")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("programs") / "walk"
    compile_program(PROGRAMS / "walk.c", program)
    return program


def sanvp(*arguments: object, machine: str = "qsnet-16") -> subprocess.CompletedProcess[str]:
    command = [str(SANVP), "run", machine, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def counts(folder: Path, *arguments: object, machine: str = "qsnet-16") -> dict[str, int]:
    """What the caches of the first CPU have counted."""
    done = sanvp("--out", folder, *arguments, machine=machine)
    assert done.returncode == 0, done.stderr
    with (folder / "stats.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["path"] == "node 0.process 0.cpu 0"]
    return {row["name"]: int(row["value"]) for row in rows}


def simulated_ns(*arguments: object) -> float:
    done = sanvp("--json", "-", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["sim_time_ns"]


def test_without_them_nothing_is_counted_and_time_is_the_price_of_instructions(walk: Path, tmp_path: Path) -> None:
    without = (walk, "-s", "host.cpu.caches=off")
    assert counts(tmp_path / "off", *without) == {}
    off = simulated_ns(*without, "--", 65536, 64, 10)
    assert off == simulated_ns(*without, "-s", "host.cpu.memory_latency=1us", "--", 65536, 64, 10)
    free = ("-s", "host.cpu.memory_latency=0ns", "-s", "host.cpu.l2.cycles=0", "-s", "host.cpu.l2.line_cycles=0")
    unlimited = ("-s", "host.cpu.memory_rate=1000000GB/s", "-s", "host.memory_rate=1000000GB/s")
    assert off == simulated_ns(walk, *CACHES, *free, *unlimited, "--", 65536, 64, 10)


def test_rounds_over_an_array_that_fits_miss_once_for_each_line(walk: Path, tmp_path: Path) -> None:
    none, once, often = (
        counts(tmp_path / str(rounds), walk, *CACHES, "--", 32768, 8, rounds)["l1d_misses"] for rounds in (0, 1, 11)
    )
    assert once - none == pytest.approx(32768 / 64, abs=30)  # what else the program touches meanwhile
    assert often - once < 60


def test_an_array_of_twice_the_cache_misses_with_each_line_in_each_round(walk: Path, tmp_path: Path) -> None:
    settings = (*CACHES, "-s", "host.cpu.l1d.size=32KiB")
    once, often = (
        counts(tmp_path / str(rounds), walk, *settings, "--", 65536, 8, rounds)["l1d_misses"] for rounds in (1, 11)
    )
    assert often - once == pytest.approx(10 * 65536 / 64, rel=0.01)


def test_the_time_of_misses_follows_the_latency(walk: Path) -> None:
    """4,096 lines, from memory: 2 MiB do not fit into a second level of 64 KiB."""
    settings = (*CACHES, "-s", "host.cpu.l2.size=64KiB", "-s", "host.cpu.misses_in_flight=1")
    slow, fast = (
        simulated_ns(walk, *settings, "-s", f"host.cpu.memory_latency={ns}ns", "--", 1 << 21, 512, 10)
        - simulated_ns(walk, *settings, "-s", f"host.cpu.memory_latency={ns}ns", "--", 1 << 21, 512, 5)
        for ns in (300, 200)
    )
    assert slow - fast == pytest.approx(5 * 4096 * 100, rel=0.01)


def test_what_a_card_writes_is_fetched_from_memory(tmp_path: Path) -> None:
    ping = BUILD / "sw/riscv64/apps/ping"
    few, many = (
        counts(tmp_path / str(rounds), ping, *CACHES, "--np", 2, "--", "--least", 8, "--most", 8, "--count", rounds)
        for rounds in (50, 150)
    )
    # Each turn's message and its events lie in lines that the card has written since they were read.
    assert many["l2_misses"] - few["l2_misses"] >= 100


def test_wrong_predictions_cost_their_share(walk: Path) -> None:
    """A conditional branch for each access, of 10 cycles with each second one: five cycles of 1 ns."""
    settings = ("-s", "host.cpu.clock=1000", "-s", "host.cpu.misprediction=10")
    difference = [
        simulated_ns(walk, *settings, "-s", f"host.cpu.mispredicted={share}", "--", 65536, 8, rounds)
        for share in (0, 0.5)
        for rounds in (10, 20)
    ]
    more = (difference[3] - difference[2]) - (difference[1] - difference[0])
    assert more == pytest.approx(10 * 8192 * 5, rel=0.01)


def test_runs_with_caches_repeat_exactly(walk: Path, tmp_path: Path) -> None:
    assert counts(tmp_path / "a", walk, *CACHES) == counts(tmp_path / "b", walk, *CACHES)
    assert (tmp_path / "a" / "stats.csv").read_bytes() == (tmp_path / "b" / "stats.csv").read_bytes()


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("host.cpu.caches=maybe", "'maybe'"),
        ("host.cpu.l1d.line=48", "a line must be a power of two of bytes"),
        ("host.cpu.l1d.size=100KiB", "the number of sets, must be a power of two"),
        ("host.cpu.l2.size=4GiB", "a cache has at most 1 GiB"),
        ("host.cpu.l1i.ways=0", "host.cpu.l1i.ways"),
        ("host.cpu.mispredicted=2", "host.cpu.mispredicted"),
        ("host.cpu.misses_in_flight=0", "host.cpu.misses_in_flight"),
        ("host.cpu.memory_latency=-1ns", "host.cpu.memory_latency"),
        ("host.cpu.l1d.sise=64KiB", "did you mean 'host.cpu.l1d.size'?"),
    ],
)
def test_wrong_settings_are_refused_with_their_place(walk: Path, setting: str, says: str) -> None:
    done = sanvp(walk, "-s", setting)
    assert done.returncode == 2
    assert says in done.stderr
