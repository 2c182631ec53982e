"""Projects of users that are built by CMake: find_package(MPI 3) finds sanvp's compilers, and what they make runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import BUILD, needs_compilers
from program import done

pytestmark = pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")

TOOLCHAIN = BUILD / "sw" / "riscv64" / "toolchain.cmake"
LANGUAGES = {"C": "main.c", "CXX": "main.cpp", "Fortran": "main.f90"}
C_BODY = """
  int rank, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
"""
SOURCES = {
    "main.c": f"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {{{C_BODY}
  if (rank == 0) printf("%d\\n", sum);
  return MPI_Finalize();
}}
""",
    "main.cpp": f"""
#include <mpi.h>
#include <iostream>
#include <vector>
int main(int argc, char** argv) {{{C_BODY}
  const std::vector<int> sums(3, sum);
  if (rank == 0) std::cout << sums.at(2) << std::endl;
  return MPI_Finalize();
}}
""",
    "main.f90": """
program main
  use mpi_f08
  implicit none
  integer :: rank, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(i0)', total
  call MPI_Finalize()
end program
""",
}


def write_project(folder: Path, languages: tuple[str, ...], more: str = "", links: str = "") -> None:
    """A project with a program of each language."""
    lines = ["cmake_minimum_required(VERSION 3.18)", f"project(three {' '.join(languages)})"]
    lines += ["find_package(MPI 3 REQUIRED)", more]
    for language in languages:
        lines.append(f"add_executable({language} {LANGUAGES[language]})")
        lines.append(f"target_link_libraries({language} PRIVATE MPI::MPI_{language} {links.format(language)})")
        (folder / LANGUAGES[language]).write_text(SOURCES[LANGUAGES[language]])
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")


def cmake(folder: Path, *arguments: object) -> str:
    """What CMake says; it must succeed."""
    run = subprocess.run(["cmake", *map(str, arguments)], capture_output=True, text=True, cwd=folder, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_find_package_mpi_finds_the_native_compilers(tmp_path):
    write_project(tmp_path, ("C", "CXX"))
    compilers = (f"-DCMAKE_C_COMPILER={BUILD}/sanvp-cc", f"-DCMAKE_CXX_COMPILER={BUILD}/sanvp-c++")
    said = cmake(tmp_path, "-S", ".", "-B", "build", *compilers)
    assert 'found suitable version "3.1", minimum required is "3"' in said
    cmake(tmp_path, "--build", "build")
    for language in ("C", "CXX"):
        assert done("run", "myrinet-8", tmp_path / "build" / language, "--np", 5).out == "[0] 10\n"


@needs_compilers
def test_find_package_mpi_finds_the_compilers_for_risc_v_of_all_languages(tmp_path):
    languages = ("C", "CXX", "Fortran")
    write_project(tmp_path, languages, "find_package(OpenMP REQUIRED)", "OpenMP::OpenMP_{}")
    said = cmake(tmp_path, "-S", ".", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}")
    for language in languages:
        assert f"Found MPI_{language}" in said
    cmake(tmp_path, "--build", "build")
    for language in languages:
        assert done("run", "tofu-36", tmp_path / "build" / language, "--np", 4).out == "[0] 6\n"


MIXED = """
cmake_minimum_required(VERSION 3.18)
project(mixed C CXX Fortran)
include(FortranCInterface)
FortranCInterface_VERIFY(CXX)
find_package(MPI 3 REQUIRED)
add_library(solver STATIC solver.f90)
target_link_libraries(solver PUBLIC MPI::MPI_Fortran)
add_executable(mixed mixed.cpp)
target_link_libraries(mixed solver MPI::MPI_CXX)
"""


@needs_compilers
def test_a_program_in_cxx_takes_a_library_in_fortran_that_prints(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(MIXED)
    (tmp_path / "solver.f90").write_text(
        "subroutine solve(rank) bind(c)\n  use mpi_f08\n  integer, value :: rank\n  call MPI_Barrier(MPI_COMM_WORLD)\n"
        "  print '(a, i0)', 'solved ', rank\nend subroutine\n"
    )
    (tmp_path / "mixed.cpp").write_text(
        '#include <mpi.h>\n#include <vector>\nextern "C" void solve(int rank);\n'
        "int main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n  std::vector<int> rank(1);\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, rank.data());\n  solve(rank.at(0));\n  return MPI_Finalize();\n}\n"
    )
    cmake(tmp_path, "-S", ".", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}")
    cmake(tmp_path, "--build", "build")
    ran = done("run", "qsnet-16", tmp_path / "build" / "mixed", "--np", 2)
    assert sorted(ran.out.splitlines()) == ["[0] solved 0", "[1] solved 1"]


def test_a_version_that_there_is_not_is_not_found(tmp_path):
    write_project(tmp_path, ("C",))
    lists = tmp_path / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("MPI 3 REQUIRED", "MPI 4 REQUIRED"))
    command = ["cmake", "-S", ".", "-B", "build", f"-DCMAKE_C_COMPILER={BUILD}/sanvp-cc"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode != 0
    assert 'unsuitable version "3.1", but required is at least "4"' in " ".join(run.stderr.split())
