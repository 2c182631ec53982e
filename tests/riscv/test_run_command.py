"""`sanvp run MACHINE PROGRAM` with a program for RISC-V: on the CPU of the machine, on one node."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from toolchain import BUILD, compile_program, needs_toolchain

pytestmark = needs_toolchain
SANVP = Path(os.environ.get("SANVP", BUILD / "sanvp"))
PROGRAMS = Path(__file__).resolve().parent / "programs"


def sanvp(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(SANVP), "run", "qsnet-16", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for name in ("hello", "exits", "killed", "linpack", "sieve"):
        compile_program(PROGRAMS / f"{name}.c", folder / name)
    openmp = PROGRAMS / "fortran_openmp.f90"
    compile_program(openmp, folder / "openmp", "-fopenmp", "-Wl,-u,pthread_mutex_destroy")
    return folder


def test_it_prints_and_takes_simulated_time(programs: Path) -> None:
    done = sanvp(programs, "./hello")
    assert done.returncode == 0
    assert done.stdout == "hello, world\n"
    assert "job 0 (./hello, 1 process on RISC-V): " in done.stderr


def test_an_exit_status_and_a_crash_are_failures_with_a_cause(programs: Path) -> None:
    done = sanvp(programs, "./exits", "--", "argument")
    assert done.returncode == 4
    assert "error: ./exits: exited with status 77, at " in done.stderr
    done = sanvp(programs, "./killed")
    assert done.returncode == 4
    assert done.stdout == "before\n"
    assert "error: ./killed: SIGSEGV at pc 0x" in done.stderr


def simulated_ns(folder: Path, *arguments: str) -> float:
    done = sanvp(folder, *arguments, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["sim_time_ns"]


def test_time_follows_the_clock_of_the_cpu(programs: Path) -> None:
    settings = ("-s", "host.system_call=0ns")
    slow, fast = (simulated_ns(programs, "./linpack", "-s", f"host.cpu.clock={mhz}", *settings) for mhz in (500, 1000))
    assert fast == pytest.approx(slow / 2, rel=0.01)


def test_openmp_is_faster_on_four_cpus_than_on_one(programs: Path) -> None:
    one, four = (simulated_ns(programs, "./openmp", "-s", f"host.cpus={cpus}") for cpus in (1, 4))
    assert four < 0.7 * one


def test_the_instructions_of_the_classes_are_all_instructions(programs: Path) -> None:
    result = json.loads(sanvp(programs, "./sieve", "--json", "-").stdout)
    assert sum(result["instructions_by_class"].values()) == result["instructions"] > 1_000_000


@pytest.mark.parametrize("option", [("--np", "2"), ("--map", "1"), ("--job", "hello")])
def test_what_is_not_there_yet_is_refused(programs: Path, option: tuple[str, str]) -> None:
    done = sanvp(programs, "./hello", *option)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {option[0]}: a program for RISC-V runs as one process")


def test_until_ends_a_run(programs: Path) -> None:
    done = sanvp(programs, "./sieve", "--until", "100us")
    assert done.returncode == 5
    assert "--until 100us is reached, and ./sieve still runs" in done.stderr
