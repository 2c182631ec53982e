"""`sanvp run MACHINE PROGRAM` with programs for RISC-V that use Linux alone: on the CPUs of the machine."""

from __future__ import annotations

import json
import os
import shutil
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
    for name in ("hello", "exits", "killed", "linpack", "polled_mutex", "sieve"):
        compile_program(PROGRAMS / f"{name}.c", folder / name)
    openmp = PROGRAMS / "fortran_openmp.f90"
    compile_program(openmp, folder / "openmp", "-fopenmp", "-Wl,-u,pthread_mutex_destroy")
    return folder


def test_it_prints_and_takes_simulated_time(programs: Path) -> None:
    done = sanvp(programs, "./hello")
    assert done.returncode == 0
    assert done.stdout == "hello, world\n"
    assert "job 0 (./hello, 1 rank): " in done.stderr


def test_an_exit_status_and_a_crash_are_failures_with_a_cause(programs: Path) -> None:
    done = sanvp(programs, "./exits", "--", "argument")
    assert done.returncode == 4
    assert "error: rank 0 on node 0: exited with status 77, at " in done.stderr
    done = sanvp(programs, "./killed")
    assert done.returncode == 4
    assert done.stdout == "before\n"
    assert "error: rank 0 on node 0: SIGSEGV at pc 0x" in done.stderr


def simulated_ns(folder: Path, *arguments: str) -> float:
    done = sanvp(folder, *arguments, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["sim_time_ns"]


def test_time_follows_the_clock_of_the_cpu(programs: Path) -> None:
    settings = ("-s", "host.system_call=0ns", "-s", "host.cpu.caches=off")  # memory has no clock of the CPU's
    slow, fast = (simulated_ns(programs, "./linpack", "-s", f"host.cpu.clock={mhz}", *settings) for mhz in (500, 1000))
    assert fast == pytest.approx(slow / 2, rel=0.01)


def test_openmp_is_faster_on_four_cpus_than_on_one(programs: Path) -> None:
    one, four = (simulated_ns(programs, "./openmp", "-s", f"host.cpus={cpus}") for cpus in (1, 4))
    assert four < 0.7 * one


def test_the_instructions_of_the_classes_are_all_instructions(programs: Path) -> None:
    result = json.loads(sanvp(programs, "./sieve", "--json", "-").stdout)
    assert sum(result["instructions_by_class"].values()) == result["instructions"] > 1_000_000


def test_each_rank_is_a_process_of_its_own_and_its_lines_name_it(programs: Path) -> None:
    done = sanvp(programs, "./hello", "--np", "2", "--map", "3,5")
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == ["[0] hello, world", "[1] hello, world"]


def test_native_programs_and_those_for_risc_v_run_beside_each_other(programs: Path) -> None:
    done = sanvp(programs, "./hello", "--job", "hello --np 1")
    assert done.returncode == 0
    assert "[0.0] hello, world" in done.stdout.splitlines()
    assert any(line.startswith("[1.0] ") for line in done.stdout.splitlines())


def test_the_option_cpu_refuses_programs_of_the_other_kind(programs: Path) -> None:
    assert sanvp(programs, "./hello", "--cpu", "riscv").returncode == 0
    done = sanvp(programs, "./hello", "--cpu", "native")
    assert done.returncode == 2
    assert done.stderr.startswith("error: --cpu: ./hello is a program for the other kind of CPU")


def test_until_ends_a_run(programs: Path) -> None:
    done = sanvp(programs, "./sieve", "--until", "400us")  # before main, some C libraries sort tables for 200 us
    assert done.returncode == 5
    assert "--until 400us is reached, and programs still run:" in done.stderr
    assert "rank 0 on node 0 computes, in main()" in done.stderr


@pytest.mark.parametrize("choices", [(), ("-s", "host.cpu.caches=on")], ids=["plain", "caches"])
def test_results_depend_neither_on_where_the_folder_lies_nor_on_the_environment(
    programs: Path, tmp_path: Path, choices: tuple[str, ...]
) -> None:
    far = tmp_path / "a folder" / ("of a longer name" * 5) / "than the other"
    far.mkdir(parents=True)
    shutil.copy(programs / "openmp", far)
    command = [str(SANVP), "run", "qsnet-16", "./openmp", "--np", "2", *choices, "--json", "-"]
    seen = []
    for folder, more in ((programs, {}), (far, {"LANG": "de_DE.UTF-8", "OTHER": "x" * 100})):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=os.environ | more)
        found = json.loads(done.stdout)
        assert found.pop("cpu_time_s") > 0
        seen.append(found)
    assert seen[0] == seen[1]


def test_the_programs_own_path_leads_to_it_and_does_not_say_where_the_folder_lies(tmp_path: Path) -> None:
    source = tmp_path / "own.c"
    source.write_text(
        """#include <fcntl.h>
        #include <stdio.h>
        #include <sys/auxv.h>
        #include <unistd.h>
        int main(void) {
          char path[4096] = "", begin[4] = "";
          if (readlink("/proc/self/exe", path, sizeof path) < 0) return 1;
          const int file = open(path, O_RDONLY);
          const long count = read(file, begin, 4);
          printf("%s %s %ld %.3s\\n", path, (char*)getauxval(AT_EXECFN), count, begin + 1);
        }"""
    )
    (tmp_path / "sub").mkdir()
    compile_program(source, tmp_path / "sub" / "own")
    assert sanvp(tmp_path, "sub/own").stdout == "/tmp/sub/own sub/own 4 ELF\n"
    done = sanvp(tmp_path / "sub", "../sub/own")
    assert done.stdout == "/tmp/own ../sub/own 4 ELF\n"


@pytest.mark.parametrize("cpus", ["1", "2", "4"])
def test_a_loop_that_polls_under_a_mutex_lets_the_thread_that_waits_for_it_in(programs: Path, cpus: str) -> None:
    done = sanvp(programs, "./polled_mutex", "-s", f"host.cpus={cpus}", "--until", "30s")
    assert (done.returncode, done.stdout) == (0, "180\n")
