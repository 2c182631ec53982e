"""`sanvp run --check-mpi` and races of one-sided communication (tests/races): how many are found, and that their right
twins give no finding; `--check-mpi=memory`, which sees loads and stores."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from compiled import CC, PROGRAM_FAILED
from program import DONE, PROJECT, USER_MISTAKE, sanvp

SOURCES = sorted((PROJECT / "tests" / "races").glob("*.c"))
MACHINES = ("qsnet-16", "tofu-36", "gcel-64")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("races")
    for target in ("native", "riscv64"):
        command = [CC, "--target", target, "-O1", "--check-mpi", "-I", PROJECT, *SOURCES, "-o", folder / target]
        subprocess.run(command, check=True)
    return {target: folder / target for target in ("native", "riscv64")}


def found(program: Path, machine: str, check: str, folder: Path, *arguments: str) -> tuple[set[str], list[dict], str]:
    """Cases with an error, the findings, and what the program has printed."""
    run = sanvp("run", machine, program, "--np", 3, check, "--out", folder, "--", *arguments)
    findings = json.loads((folder / "mpi_check.json").read_text())["findings"]
    cases = {
        re.findall(r"(\w+)\(\)", call["place"])[-1]
        for finding in findings
        if finding["severity"] == "error"
        for call in finding["calls"][:1]
    }
    return cases, findings, run.out


MODES = [("native", "--check-mpi"), ("riscv64", "--check-mpi"), ("riscv64", "--check-mpi=memory")]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("target", "check"), MODES)
def test_the_right_twins_give_no_finding(
    programs: dict[str, Path], machine: str, target: str, check: str, tmp_path: Path
) -> None:
    _, findings, _ = found(programs[target], machine, check, tmp_path, "right")
    assert findings == []


def cases_of(program: Path, folder: Path) -> set[str]:
    _, _, out = found(program, "qsnet-16", "--check-mpi", folder, "right")
    return set(re.findall(r"^\[0\] (\w+)$", out, re.M))


@pytest.mark.parametrize("machine", MACHINES)
def test_with_memory_nine_races_in_ten_are_found(programs: dict[str, Path], machine: str, tmp_path: Path) -> None:
    cases = cases_of(programs["riscv64"], tmp_path / "right")
    assert len(cases) > 100
    cases_found, _, _ = found(programs["riscv64"], machine, "--check-mpi=memory", tmp_path / "wrong", "wrong")
    missed = cases - cases_found
    assert len(missed) <= len(cases) / 10, sorted(missed)


@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_without_memory_those_between_calls_are_found(programs: dict[str, Path], target: str, tmp_path: Path) -> None:
    """Loads are not seen then; stores only where they change what is compared."""
    cases = cases_of(programs[target], tmp_path / "right")
    cases_found, _, _ = found(programs[target], "qsnet-16", "--check-mpi", tmp_path / "wrong", "wrong")
    between_calls = {case for case in cases if not re.search(r"load|store", case)}
    of_memory = {
        "local_fetched",
        "local_receive",
        "nonblocking_barrier",
        "look_until_there",
        "look_in_turns",
        "reduction",
    }
    assert between_calls - cases_found <= of_memory


def test_memory_of_native_programs_is_refused(programs: dict[str, Path]) -> None:
    run = sanvp("run", "qsnet-16", programs["native"], "--np", 3, "--check-mpi=memory", "--", "right")
    assert run.status == USER_MISTAKE
    assert "whose loads and stores are not seen; compile it with" in run.err
    run = sanvp("run", "qsnet-16", programs["native"], "--np", 3, "--check-mpi=all", "--", "right")
    assert run.status == USER_MISTAKE
    assert "'all' is not one of calls, memory" in run.err


def test_a_finding_names_the_load_and_its_line(programs: dict[str, Path], tmp_path: Path) -> None:
    arguments = ("wrong", "fence_put_load")
    _, findings, _ = found(programs["riscv64"], "qsnet-16", "--check-mpi=memory", tmp_path, *arguments)
    assert [finding["kind"] for finding in findings] == ["conflicting accesses"]
    text = {call["call"]: call["place"] for call in findings[0]["calls"]}
    assert set(text) == {"a load", "MPI_Put"}
    assert all(re.match(r"fence_put_load\(\) at remote\.c:\d+", place) for place in text.values())


def test_checking_memory_takes_no_simulated_time(programs: dict[str, Path], tmp_path: Path) -> None:
    for check in ("calls", "memory"):
        options = (f"--check-mpi={check}", "--out", tmp_path / check)
        run = sanvp("run", "tofu-36", programs["riscv64"], "--np", 3, *options, "--", "right")
        assert run.status == DONE, run.err
    for file in ("stats.csv", "ranks.csv"):
        assert (tmp_path / "calls" / file).read_bytes() == (tmp_path / "memory" / file).read_bytes()


def test_what_is_translated_otherwise_is_interpreted(programs: dict[str, Path], tmp_path: Path) -> None:
    translate = ("-s", "host.cpu.translate=on")
    run = sanvp(
        "run",
        "qsnet-16",
        programs["riscv64"],
        "--np",
        3,
        "--check-mpi=memory",
        *translate,
        "--",
        "wrong",
        "local_put_load",
    )
    assert run.status == PROGRAM_FAILED
    assert "buffer in use" in run.err
