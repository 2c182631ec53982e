"""What the instructions of a binary cost: fused multiply-adds, and the code of libraries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import APPS, SOURCES, needs_compilers, wrapper
from program import done, sanvp

pytestmark = needs_compilers

# Machine: cycles of a turn of eight multiply-adds, by the CPU's busiest unit or the latency of its chains, and MHz.
WITHOUT_FUSED = {
    "qsnet-16": (8, 833),  # a multiplication and an addition a cycle, and latencies of 4 and 4
    "myrinet-8": (8 * (2 + 1), 450),  # one port for both
    "macrame-clos-64": (8 * (3 + 2) + 1, 25),  # the unit counts the turns, too
    "gcel-64": (8 * (19 + 7) + 6 + 6, 30),  # one operation after the other
}
WITH_FUSED = {"moc-3-2": (8 * 2, 80), "tofu-36": (6, 2000)}  # on TOFU two units wait for the latency
# What libraries call of the C library weighs more if their own code costs a small share.
BY_SMALL_SHARES = {"macrame-clos-64": 0.2, "gcel-64": 0.15}
TURNS = WITHOUT_FUSED | WITH_FUSED
MACHINES = [*TURNS]


def compiled(folder: Path, name: str, *options: str) -> Path:
    made = wrapper("sanvp-cc", "--target", "riscv64", *options, SOURCES / "chains.c", "-o", name, cwd=folder)
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    return folder / name


@pytest.fixture(scope="module")
def chains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a user compiles it: GCC makes one instruction of a product and a sum."""
    return compiled(tmp_path_factory.mktemp("chains"), "chains", "-O2")


def rate(machine: str, program: Path, *arguments: object) -> float:
    return float(re.search(r"Mflop/s (\S+)", done("run", machine, program, *arguments).out)[1])


def mflops(cycles: float, mhz: float) -> float:
    """Of eight multiply-adds in so many cycles."""
    return 2 * 8 / cycles * mhz


@pytest.mark.parametrize("machine", TURNS)
def test_chains_of_multiply_adds_go_at_the_rate_of_the_busiest_unit_or_the_latency(chains, machine):
    assert rate(machine, chains) == pytest.approx(mflops(*TURNS[machine]), rel=0.005)


@pytest.mark.parametrize("machine", WITHOUT_FUSED)
def test_a_fused_multiply_add_is_two_instructions_where_the_cpu_has_none(chains, tmp_path, machine):
    separate = compiled(tmp_path, "separate", "-O2", "-ffp-contract=off")
    assert rate(machine, chains) == pytest.approx(rate(machine, separate), rel=0.01)


def test_prices_follow_the_units_the_latencies_and_the_pipes_that_are_set(chains):
    def cycles(*settings: str) -> float:
        return 2 * 8 * 833 / rate("qsnet-16", chains, *(word for setting in settings for word in ("-s", setting)))

    assert cycles() == pytest.approx(8, rel=0.005)
    assert cycles("host.cpu.float_add=2", "host.cpu.float_multiply=3") == pytest.approx(8 * 3, rel=0.005)
    assert cycles("host.cpu.latency.float_add=7") == pytest.approx(7 + 4, rel=0.005)
    assert cycles("host.cpu.pipes.float_multiply=0.5") == pytest.approx(8 * 2, rel=0.005)
    assert cycles("host.cpu.issue=1") == pytest.approx(8 * 2 + 2, rel=0.005)  # with the counter and the branch
    fused = ("host.cpu.float_fused=1", "host.cpu.latency.float_fused=5")
    assert cycles(*fused) == pytest.approx(8, rel=0.005)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_message_of_a_binary_takes_as_long_as_that_of_a_counted_program(machine):
    """The code of libraries has the machine's price for libraries (host.cpu.library) in both."""
    few, many = 50, 150

    def there_and_back_ns(program: object) -> float:
        """On a GCel one direction alone may take longer: by the call that the forwarding of packets interrupts."""
        sizes = ("--level", "mpi", "--least", 0, "--most", 0, "--count")
        times = [
            sanvp("run", machine, program, "--np", 2, "--json", "-", "--", *sizes, count).json["sim_time_ns"]
            for count in (few, many)
        ]
        return (times[1] - times[0]) / (many - few)

    expected = pytest.approx(there_and_back_ns("ping"), rel=BY_SMALL_SHARES.get(machine, 0.1))
    assert there_and_back_ns(APPS / "ping") == expected


def test_the_price_of_libraries_is_that_of_their_code_alone(chains):
    """The chains call none."""
    tripled = rate("qsnet-16", chains, "-s", "host.cpu.library=3")
    assert rate("qsnet-16", chains) == pytest.approx(tripled, rel=1e-4)
    few = ("run", "qsnet-16", APPS / "ping", "--np", 2, "--json", "-", "-s")
    once, free = (
        sanvp(*few, f"host.cpu.library={share}", "--", "--most", 8, "--count", 50).json["sim_time_ns"]
        for share in (1, 0)
    )
    twice = sanvp(*few, "host.cpu.library=2", "--", "--most", 8, "--count", 50).json["sim_time_ns"]
    assert free < once < twice
