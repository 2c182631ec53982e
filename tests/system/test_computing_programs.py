"""Programs that compute: each checks its result; on all kinds of machines, on one rank and on several."""

from __future__ import annotations

import csv
import json

import pytest
from program import done, sanvp

HOST_PROGRAM_FAILED = 4
MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
PROGRAMS = {
    "stream": ("--elements", "4K", "--repetitions", "2"),
    "linpack": ("--n", "30"),
    "md": ("--edge", "2", "--steps", "2"),
    "fft": ("--edge", "16"),
    "stencil": ("--cells", "16", "--sweeps", "10"),
    "cg": ("--rows", "50", "--iterations", "5"),
    "bulk": ("--granularity-us", "50", "--iterations", "5"),
}


def metrics(machine: str, program: str, ranks: int, *arguments: object, options: tuple[object, ...] = ()) -> dict:
    return json.loads(
        done("run", machine, program, "--np", ranks, "--json", "-", *options, "--", *arguments).out,
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_that_computes_finds_its_result_right_on_every_machine(machine, program):
    assert "PASS" in done("run", machine, program, "--np", 4, "--", *PROGRAMS[program]).out


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-16", "moc-3-2", "tofu-36"])
def test_ranks_with_equal_work_wait_equally_long_for_memory(machine, tmp_path):
    """Whatever the looks at a rank's loops have met by chance."""
    done("run", machine, "md", "--np", 16, "--out", tmp_path / "out", "--", "--edge", 6, "--steps", 3)
    with (tmp_path / "out" / "ranks.csv").open() as file:
        computing = [float(rank["computing_ns"]) for rank in csv.DictReader(file)]
    assert len(computing) == 16
    assert max(computing) < 1.1 * min(computing)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("ranks", [1, 2, 8, 16])
def test_a_program_that_computes_finds_its_result_right_with_any_number_of_ranks(program, ranks):
    assert "PASS" in done("run", "qsnet-16", program, "--np", ranks, "--", *PROGRAMS[program]).out


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("md", ("--all", 6, "--steps", 2)),
        ("fft", ("--all", 64)),
        ("stencil", ("--all", 50, "--sweeps", 10)),
        ("stencil", ("--all", 15, "--sweeps", 10, "--dimensions", 3)),
        ("stencil", ("--cells", 6, "--sweeps", 10, "--dimensions", 3)),
        ("cg", ("--all", 333, "--iterations", 5)),
        ("cg", ("--all", 33)),
    ],
)
@pytest.mark.parametrize("ranks", [1, 2, 8])
def test_a_problem_of_given_size_is_split_among_any_number_of_ranks(program, arguments, ranks):
    assert "PASS" in done("run", "qsnet-16", program, "--np", ranks, "--", *arguments).out


def test_atoms_move_the_same_with_any_number_of_ranks():
    def energies(ranks: int) -> str:
        out = done("run", "qsnet-16", "md", "--np", ranks, "--", "--all", 6, "--steps", 20).out
        return next(line for line in out.splitlines() if "an atom's energy" in line)

    assert len({energies(ranks) for ranks in (1, 3, 8)}) == 1
    # LAMMPS has -6.7733681 for this crystal; here each of an atom's 27 bonds is raised by what it has at the cutoff.
    at_cutoff = 4 * (2.5**-12 - 2.5**-6)
    assert f"potential {-6.7733681 - 27 * at_cutoff:.6f}" in energies(1)


@pytest.mark.parametrize("program", ["stencil", "linpack", "md", "fft", "cg", "bulk", "stream"])
def test_a_program_that_computes_prints_the_same_bytes_twice(program):
    runs = {done("run", "qsnet-16", program, "--np", 4, "--", *PROGRAMS[program]).out for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("program", "arguments", "words"),
    [
        ("md", ("--all", 2), "narrower than forces reach"),
        ("fft", ("--edge", 20), "powers of two"),
        ("stencil", ("--all", 1), "a rank has no cell"),
        ("cg", ("--all", 3), "--all of the number of ranks or more"),
        ("linpack", ("--n", 0), "--n and --repetitions of 1 or more"),
        ("bulk", ("--iterations", 0), "--iterations of 1 or more"),
        ("stream", ("--elements", "4G"), "memory is full"),
    ],
)
def test_a_problem_that_cannot_be_split_or_held_is_refused_with_its_cure(program, arguments, words):
    result = sanvp("run", "qsnet-16", program, "--np", 4, "--", *arguments)
    assert result.status == HOST_PROGRAM_FAILED
    assert words in result.err


def test_the_slowdown_of_bulk_synchronous_work_is_that_of_its_iterations():
    arguments = ("--granularity-us", 200, "--iterations", 10, "--work", "stated")
    found = metrics("qsnet-16", "bulk", 4, *arguments)
    assert found["slowdown"] == pytest.approx(found["iteration_us"] / 200)
    assert 1 < found["slowdown"] < 1.2
