"""Programs of RISC-V on machines: Fortran, C and C++ with MPI, OpenMP and threads, and all programs of sw/apps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from apps import EVERYWHERE, OF_CARDS
from binaries import APPS, PROGRAMS, compile_one, needs_compilers, wrapper
from program import PROJECT, done, sanvp

pytestmark = needs_compilers

MACHINES = ("qsnet-16", "myrinet-8", "tofu-36")
OTHERS = ("macrame-clos-64", "moc-2-1", "gcel-64")
# Results that do not depend on time.
VALUES = re.compile(r"(?:checksum|error|residual|energy:.*?before) (\S+)")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> dict[str, Path]:
    """All programs of tests/binaries."""
    folder = tmp_path_factory.mktemp("binaries")
    return {name: compile_one(folder, name) for name in PROGRAMS}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "ep"])
def test_a_program_that_a_user_compiles_is_right(compiled, machine, name):
    assert PROGRAMS[name][3] in done("run", machine, compiled[name], "--np", 4).out


@pytest.mark.parametrize("machine", OTHERS)
@pytest.mark.parametrize("name", ["fixed", "modern", "sections", "bindings", "made_by_threads", "windows_of_threads"])
def test_it_is_right_on_machines_of_other_networks(compiled, machine, name):
    assert PROGRAMS[name][3] in done("run", machine, compiled[name], "--np", 3).out


@pytest.mark.parametrize(
    "choices", [("gcel-64", 1), ("moc-2-1", 1), ("qsnet-16", 1, "-s", "host.cpus=2"), ("qsnet-16", 2, "--map", "0,0")]
)
def test_threads_that_wait_for_polled_locks_get_them_where_threads_share_cpus(compiled, choices):
    machine, ranks, *more = choices
    run = done("run", machine, compiled["polled_locks"], "--np", ranks, *more, "--until", "600s")
    assert PROGRAMS["polled_locks"][3] in run.out


@pytest.mark.long
@pytest.mark.parametrize("machine", MACHINES)
def test_ep_of_class_s_is_right(compiled, machine):
    assert "EP is right" in done("run", machine, compiled["ep"], "--np", 8).out


@pytest.mark.parametrize("name", ["fixed", "modern", "sections"])
def test_ranks_that_share_nodes_are_right(compiled, name):
    assert PROGRAMS[name][3] in done("run", "qsnet-16", compiled[name], "--np", 6, "--map", "0,0,0,1,1,2").out


def test_a_run_of_threads_is_the_same_each_time(compiled):
    runs = [done("run", "tofu-36", compiled["hybrid_c"], "--np", 3) for _ in range(2)]
    assert (runs[0].out, runs[0].times) == (runs[1].out, runs[1].times)


def test_four_threads_of_a_node_are_faster_than_one(compiled):
    times = []
    for cpus in (1, 4):
        out = done("run", "qsnet-16", compiled["hybrid_c"], "--np", 2, "-s", f"host.cpus={cpus}").out
        times.append(float(re.search(r"([\d.]+) s$", out, re.MULTILINE)[1]))
    assert times[1] < times[0] / 3


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_program_of_sw_apps_computes_what_it_does_natively(machine, name):
    ranks, *options = EVERYWHERE[name]
    riscv, native = (
        done("run", machine, program, "--np", ranks, "--", *options).out for program in (APPS / name, name)
    )
    assert "PASS" in riscv
    assert VALUES.findall(riscv) == VALUES.findall(native)


@pytest.mark.parametrize("machine", OTHERS)
@pytest.mark.parametrize("name", ["halo", "collectives", "stencil"])
def test_three_of_them_do_so_on_machines_of_other_networks(machine, name):
    ranks, *options = EVERYWHERE[name]
    assert "PASS" in done("run", machine, APPS / name, "--np", ranks, "--", *options).out


@pytest.mark.parametrize("name", OF_CARDS)
def test_a_program_for_one_card_reaches_its_device(name):
    machine, ranks, *options = OF_CARDS[name]
    out = done("run", machine, APPS / name, "--np", ranks, "--", *options).out
    assert ("MB/s by 1 interfaces" if name == "tofu_ping" else "PASS") in out


def test_hello_says_where_each_rank_is():
    out = done("run", "qsnet-16", APPS / "hello", "--np", 3).out
    assert sorted(out.splitlines()) == [f"[{i}] hello from rank {i} of 3 on node {i}" for i in range(3)]


@pytest.mark.long
@pytest.mark.parametrize("machine", [*MACHINES, "moc-2-1"])
def test_programs_that_users_bring_in_c_are_right(tmp_path, machine):
    """Those of tests/programs, but for one that has instructions of x86 in it."""
    for source in sorted((PROJECT / "tests" / "programs").glob("*.c")):
        if source.stem != "globals":
            made = wrapper("sanvp-cc", "--target", "riscv64", source, "-lm", "-o", source.stem, cwd=tmp_path)
            assert (made.returncode, made.stderr) == (0, "")
            assert "PASS" in done("run", machine, tmp_path / source.stem, "--np", 4).out, source.stem


def test_what_an_error_handler_throws_is_caught_around_the_call_of_mpi(tmp_path):
    (tmp_path / "throws.cpp").write_text(
        "#include <mpi.h>\n#include <cstdio>\nstatic void thrower(MPI_Comm*, int* error, ...) { throw *error; }\n"
        "int main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n  MPI_Errhandler handler;\n"
        "  MPI_Comm_create_errhandler(thrower, &handler);\n  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);\n"
        "  int number = 0, kind = 0;\n  try {\n    MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);\n"
        "  } catch (int error) {\n    MPI_Error_class(error, &kind);\n  }\n"
        '  std::printf("%d\\n", kind == MPI_ERR_RANK);\n  return MPI_Finalize();\n}\n'
    )
    for target in ([], ["--target", "riscv64"]):
        made = wrapper("sanvp-c++", *target, "throws.cpp", "-o", "throws", cwd=tmp_path)
        assert made.returncode == 0, made.stderr
        ran = done("run", "qsnet-16", tmp_path / "throws", "--np", 2)
        assert sorted(ran.out.splitlines()) == ["[0] 1", "[1] 1"]


def test_a_crash_in_a_program_with_the_library_names_the_line(tmp_path):
    source = tmp_path / "crash.c"
    source.write_text(
        """#include <mpi.h>
        int main(int count, char** words) {
          MPI_Init(&count, &words);
          *(volatile int*)8 = 1;
          MPI_Finalize();
        }"""
    )
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", source, "-o", tmp_path / "crash", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    result = sanvp("run", MACHINES[0], tmp_path / "crash", "--np", 2)
    assert result.status == 4
    assert "in main() at crash.c:4, address 0x8" in result.err
