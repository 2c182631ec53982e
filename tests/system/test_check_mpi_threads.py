"""`sanvp run --check-mpi` of programs whose threads call MPI at once (MPI_THREAD_MULTIPLE)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from compiled import PROGRAM_FAILED
from program import DONE, Result, sanvp

pytestmark = needs_compilers


def compile_checked(folder: Path, tool: str, name: str, *options: str) -> Path:
    source = SOURCES / name
    made = wrapper(tool, "--target", "riscv64", "--check-mpi", *options, source, "-o", folder / source.stem, cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / source.stem


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_checked(tmp_path_factory.mktemp("checked"), "sanvp-c++", "checked_threads.cpp", "-O2", "-pthread")


def check(machine: str, program: Path, folder: Path, *arguments: str) -> tuple[Result, list]:
    options = ("--np", 4, "-s", "host.cpus=2", "--check-mpi", "--out", folder)
    run = sanvp("run", machine, program, *options, "--", *arguments)
    return run, json.loads((folder / "mpi_check.json").read_text())["findings"]


@pytest.mark.parametrize("case", ["exchange", "reduce", "poll", "share", "make"])
@pytest.mark.parametrize("machine", ["qsnet-16", "tofu-36", "myrinet-8"])
def test_threads_that_do_what_is_right_give_no_finding(program, machine, case, tmp_path):
    run, findings = check(machine, program, tmp_path, case)
    assert (run.status, findings) == (DONE, []), run.err


@pytest.mark.parametrize("name", ["windows_of_threads.c", "made_by_threads.c", "all_threads.c"])
def test_so_do_the_programs_for_windows_and_communicators_of_threads(name, tmp_path):
    """They leave some communicators, which is a warning."""
    program = compile_checked(tmp_path, "sanvp-cc", name, "-fopenmp")
    run, findings = check("qsnet-16", program, tmp_path)
    assert run.status == DONE, run.err
    assert {finding["kind"] for finding in findings} <= {"leak"}


def test_a_ring_of_sends_by_one_thread_of_each_rank_is_a_potential_deadlock(program, tmp_path):
    run, findings = check("qsnet-16", program, tmp_path, "send_first")
    assert run.status == PROGRAM_FAILED
    assert [finding["kind"] for finding in findings] == ["potential deadlock"]
    assert {call["call"] for call in findings[0]["calls"]} == {"MPI_Send"}
    assert sorted(call["rank"] for call in findings[0]["calls"]) == [0, 1, 2, 3]


def test_functions_of_cxx_are_named_as_they_are_written(program, tmp_path):
    run, findings = check("qsnet-16", program, tmp_path, "receive_floats")
    assert run.status == PROGRAM_FAILED
    assert [finding["kind"] for finding in findings] == ["type mismatch"]
    places = {call["place"].rsplit(":", 1)[0] for call in findings[0]["calls"]}
    assert places == {"(anonymous namespace)::receive_floats(int) at checked_threads.cpp"}
