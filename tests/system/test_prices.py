"""What the instructions of a binary cost: fused multiply-adds, and the code of libraries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import APPS, SOURCES, needs_compilers, wrapper
from program import done, sanvp

pytestmark = needs_compilers

# Machine: Mflop/s of its CPU's peak with one addition and one multiplication a cycle, or two fused ones of scalar code.
WITHOUT_FUSED = {"qsnet-16": 2 * 833, "myrinet-8": 2 * 450, "macrame-clos-64": 2 * 25, "gcel-64": 2 * 30}
FUSED_CYCLES = {"moc-3-2": (2, 80), "tofu-36": (0.5, 2000)}  # of one, at so many MHz
# What libraries call of the C library weighs more if their own code costs a small share.
BY_SMALL_SHARES = {"macrame-clos-64": 0.2, "gcel-64": 0.15}
MACHINES = [*WITHOUT_FUSED, *FUSED_CYCLES]


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


@pytest.mark.parametrize("machine", WITHOUT_FUSED)
def test_a_fused_multiply_add_is_two_instructions_where_the_cpu_has_none(chains, tmp_path, machine):
    separate = compiled(tmp_path, "separate", "-O2", "-ffp-contract=off")
    fused = rate(machine, chains)
    assert fused <= WITHOUT_FUSED[machine]
    assert fused == pytest.approx(rate(machine, separate), rel=0.01)  # but for an instruction of the loop
    described = done("describe", machine).out
    add, multiply, both = (
        float(re.search(rf"host\.cpu\.{name} = ([\d.]+)", described)[1])
        for name in ("float_add", "float_multiply", "float_fused")
    )
    assert both == pytest.approx(add + multiply)


@pytest.mark.parametrize("machine", FUSED_CYCLES)
def test_a_fused_multiply_add_has_its_own_price_where_the_cpu_has_one(chains, machine):
    cycles, clock_mhz = FUSED_CYCLES[machine]
    ns, free_ns = (2e3 / rate(machine, chains, *setting) for setting in ((), ("-s", "host.cpu.float_fused=0")))
    assert ns - free_ns == pytest.approx(1e3 * cycles / clock_mhz, rel=0.001)
    assert 2e3 / ns <= 2 * clock_mhz / cycles


def test_a_fused_price_follows_those_of_additions_and_multiplications(chains):
    slower = rate("qsnet-16", chains, "-s", "host.cpu.float_add=2", "-s", "host.cpu.float_multiply=3")
    assert slower == pytest.approx(rate("qsnet-16", chains, "-s", "host.cpu.float_fused=5"), rel=1e-4)


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
