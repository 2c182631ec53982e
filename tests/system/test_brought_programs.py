"""Programs of the kind that users bring (tests/programs) compile as they are, run, and come to the right results."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from program import PROJECT, SANVP, sanvp
from share import a_share, every_other

PROGRAMS = PROJECT / "tests" / "programs"
CC = Path(SANVP).with_name("sanvp-cc")
LEAST_RANKS = {"streams": 2}
OPTIONS = {"openmp": ["-fopenmp"]}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> dict[str, Path]:
    """All of them, with the options of their makefiles."""
    folder = tmp_path_factory.mktemp("programs")
    made = {}
    for source in sorted(PROGRAMS.glob("*.c")):
        made[source.stem] = folder / source.stem
        subprocess.run([CC, "-O2", *OPTIONS.get(source.stem, []), source, "-o", made[source.stem], "-lm"], check=True)
    return made


NAMES = sorted(source.stem for source in PROGRAMS.glob("*.c"))


def passes(program: Path, ranks: int, *options: str, machine: str = "") -> None:
    result = sanvp("run", machine or ("qsnet-16" if ranks <= 16 else "qsnet-64"), program, "--np", ranks, *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize(("name", "more", "ranks"), a_share(NAMES, [0, 4], [1, 2, 3, 4]))
def test_a_program_that_a_user_brings_runs(compiled, name, more, ranks):
    ranks += more
    if ranks >= LEAST_RANKS.get(name, 1):
        passes(compiled[name], ranks)


@pytest.mark.parametrize("name", ["sort", "motifs", "pipeline", pytest.param("corners", marks=pytest.mark.long)])
def test_it_does_so_on_64_ranks(compiled, name):
    passes(compiled[name], 64)


def test_a_card_whose_thread_always_has_something_to_do_runs_on(compiled):
    result = sanvp("run", "qsnet-16", compiled["pe_spinners"], "--np", 8, "--", 3_000)
    assert result.status == 0, result.err
    assert "PASS" in result.out


WAYS = {"on shared nodes": (6, "--map", "0,0,0,1,1,2"), "hosts match": (4, "-s", "transport.matching=host")}


@pytest.mark.parametrize(("name", "way"), every_other(NAMES, WAYS))
def test_it_does_so_when_ranks_share_nodes_and_where_the_host_matches(compiled, name, way):
    passes(compiled[name], *WAYS[way])


@pytest.mark.parametrize(("name", "ranks"), every_other(NAMES, [2, 5]))
def test_it_does_so_on_another_machine(compiled, name, ranks):
    passes(compiled[name], ranks, machine="myrinet-8")
