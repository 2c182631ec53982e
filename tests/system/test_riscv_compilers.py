"""The compiler wrappers for programs of RISC-V, where they stand for mpicc, mpicxx and mpifort."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import BUILD, needs_compilers, wrapper
from program import SANVP, USER_MISTAKE, sanvp

RISCV = ["--target", "riscv64"]
PLAIN = '#include <stdio.h>\nint main(void) { puts("plain"); return 0; }\n'
MPI = "#include <mpi.h>\nint main(int argc, char** argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }\n"
needs_qemu = pytest.mark.skipif(not shutil.which("qemu-riscv64"), reason="scripts/install riscv")


def under_linux(program: Path) -> subprocess.CompletedProcess:
    return subprocess.run(["qemu-riscv64", program], capture_output=True, text=True, check=False)


@needs_compilers
@needs_qemu
def test_a_program_without_mpi_is_one_of_linux(tmp_path):
    (tmp_path / "plain.c").write_text(PLAIN)
    assert wrapper("sanvp-cc", *RISCV, "plain.c", "-o", "plain", cwd=tmp_path).returncode == 0
    run = under_linux(tmp_path / "plain")
    assert (run.returncode, run.stdout, run.stderr) == (0, "plain\n", "")


@needs_compilers
@needs_qemu
def test_mpi_outside_of_a_machine_says_how_to_start_it(tmp_path):
    (tmp_path / "mpi.c").write_text(MPI)
    assert wrapper("sanvp-cc", *RISCV, "mpi.c", "-o", "mpi", cwd=tmp_path).returncode == 0
    run = under_linux(tmp_path / "mpi")
    assert (run.returncode, run.stdout) == (USER_MISTAKE, "")
    message = "this program communicates through a virtual machine; start it by: sanvp run MACHINE PROGRAM"
    assert run.stderr == f"mpi: {message}\n"


@needs_compilers
@needs_qemu
def test_openmp_of_fortran_ends_well(tmp_path):
    """Linked as usual, a static one crashes at its end."""
    (tmp_path / "omp.f90").write_text(
        "program omp\ninteger :: i, s\ns = 0\n!$omp parallel do reduction(+:s)\ndo i = 1, 100\ns = s + i\nend do\n"
        "print '(i0)', s\nend program\n"
    )
    assert wrapper("sanvp-fc", "-fopenmp", "omp.f90", "-o", "omp", cwd=tmp_path).returncode == 0
    run = under_linux(tmp_path / "omp")
    assert (run.returncode, run.stdout, run.stderr) == (0, "5050\n", "")


@needs_compilers
@needs_qemu
def test_all_headers_of_containers_and_algorithms_link(tmp_path):
    """libstdc++ itself calls libm, for hash tables."""
    source = Path(__file__).resolve().parents[1] / "binaries" / "headers.cpp"
    linked = wrapper("sanvp-c++", *RISCV, "-std=c++20", "-pthread", source, "-o", "headers", cwd=tmp_path)
    assert (linked.returncode, linked.stderr) == (0, "")
    run = under_linux(tmp_path / "headers")
    assert run.stdout == '50855 999017 2 1.5 any either 3 a#b# "it" .txt 120 42\n'


NEVER_CALLED = "int shows(int x) { return x + 1; }\nint main(void) { return 0; }\n"


@needs_compilers
@pytest.mark.parametrize(
    ("options", "is_there"),
    [
        (["-O0", "-g"], True),
        (["-Og", "-g"], True),
        (["-O0", "-O2", "-g"], False),
        (["-g"], False),
        (["-g", "-Wl,-u,shows"], True),
        (["-g", "-Wl,--no-gc-sections"], True),
    ],
)
def test_functions_that_only_a_debugger_calls_are_there_unless_optimised_away(options, is_there, tmp_path):
    (tmp_path / "prog.c").write_text(NEVER_CALLED)
    assert wrapper("sanvp-cc", *RISCV, *options, "prog.c", "-o", "prog", cwd=tmp_path).returncode == 0
    symbols = subprocess.run(["riscv64-linux-gnu-nm", tmp_path / "prog"], capture_output=True, text=True, check=True)
    assert (" T shows\n" in symbols.stdout) == is_there


ASYNCHRONOUS = """program write_and_read
  integer :: i, id
  real(8) :: out(100), back(100)
  !$omp parallel do
  do i = 1, 100
    out(i) = i
  end do
  open(21, file='numbers', asynchronous='yes', access='stream', form='unformatted')
  write(21, asynchronous='yes', id=id) out
  wait(21, id=id)
  read(21, asynchronous='yes', id=id, pos=1) back
  wait(21, id=id)
  close(21, status='delete')
  print '(f0.1)', sum(back)
end program
"""


@needs_compilers
@pytest.mark.parametrize("options", [[], ["-fopenmp"]], ids=["alone", "with threads"])
def test_fortran_reads_and_writes_asynchronously(options, tmp_path):
    """With threads by one of libgfortran's own."""
    (tmp_path / "async.f90").write_text(ASYNCHRONOUS)
    assert wrapper("sanvp-fc", *options, "async.f90", "-o", "async", cwd=tmp_path).returncode == 0
    done = sanvp("run", "qsnet-16", "./async", "--np", 1, cwd=tmp_path)
    assert (done.status, done.out) == (0, "5050.0\n"), done.err


@needs_compilers
@needs_qemu
def test_several_sources_and_objects_are_linked_as_by_mpicc(tmp_path):
    (tmp_path / "one.c").write_text("int two(void);\nint main(void) { return two() - 2; }\n")
    (tmp_path / "two.c").write_text("int two(void) { return 2; }\n")
    assert wrapper("sanvp-cc", *RISCV, "-c", "one.c", "two.c", cwd=tmp_path).returncode == 0
    assert wrapper("sanvp-cc", "--target=riscv64", "-o", "prog", "one.o", "two.o", cwd=tmp_path).returncode == 0
    assert under_linux(tmp_path / "prog").returncode == 0


@needs_compilers
@pytest.mark.parametrize("option", ["-static", "-pthread", "-pie", "-fopenmp", "-g", "-flto", "-fvisibility=hidden"])
def test_options_that_makefiles_pass_do_no_harm(tmp_path, option):
    (tmp_path / "mpi.c").write_text(MPI)
    made = wrapper("sanvp-cc", *RISCV, option, "mpi.c", "-o", "mpi", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")


@needs_compilers
def test_names_of_the_program_are_its_own(tmp_path):
    (tmp_path / "names.c").write_text(
        "#include <mpi.h>\nint transport_start(void) { return 1; }\nint hal_rank = 5;\n" + MPI.split("\n", 1)[1]
    )
    made = wrapper("sanvp-cc", *RISCV, "names.c", "-o", "names", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")


@needs_compilers
def test_a_call_that_mpi_lacks_is_named_by_the_linker(tmp_path):
    (tmp_path / "window.f90").write_text(
        "program window\nuse mpi\ninteger :: w, ierr\ncall MPI_Session_finalize(w, ierr)\nend program\n"
    )
    made = wrapper("sanvp-fc", "window.f90", "-o", "window", cwd=tmp_path)
    assert made.returncode != 0
    assert "undefined reference to `mpi_session_finalize_'" in made.stderr


@needs_compilers
def test_show_prints_the_command(tmp_path):
    for name in ("sanvp-cc", "sanvp-c++", "sanvp-fc"):
        shown = wrapper(name, *RISCV, "-show", "x.c", "-o", "x", cwd=tmp_path)
        assert shown.returncode == 0
        assert shown.stdout.startswith("riscv64-linux-gnu-g")
        assert "-static" in shown.stdout


@needs_compilers
def test_a_relocatable_object_is_linked_of_others(tmp_path):
    (tmp_path / "one.c").write_text("int two(void);\nint main(void) { return two() - 2; }\n")
    (tmp_path / "two.c").write_text("int two(void) { return 2; }\n")
    for target in ([], RISCV):
        assert wrapper("sanvp-cc", *target, "-c", "one.c", "two.c", cwd=tmp_path).returncode == 0
        made = wrapper("sanvp-cc", *target, "-r", "one.o", "two.o", "-o", "both.o", cwd=tmp_path)
        assert (made.returncode, made.stderr) == (0, "")
        assert wrapper("sanvp-cc", *target, "both.o", "-o", "prog", cwd=tmp_path).returncode == 0
        run = subprocess.run(
            [SANVP, "run", "qsnet-16", tmp_path / "prog", "--np", "1"], capture_output=True, check=False
        )
        assert run.returncode == 0


@needs_compilers
@pytest.mark.parametrize("name", ["sanvp-cc", "sanvp-c++", "sanvp-fc"])
@pytest.mark.parametrize("options", [[], ["-O2", "-Wall"]])
def test_a_question_for_the_version_is_answered(tmp_path, name, options):
    for target in [[]] if name == "sanvp-fc" else [[], RISCV]:
        asked = wrapper(name, *target, *options, "-v", cwd=tmp_path)
        assert (asked.returncode, asked.stdout) == (0, "")
        assert "gcc version " in asked.stderr


@pytest.mark.parametrize("target", [[], RISCV])
@pytest.mark.parametrize("kind", ["address", "thread", "address,undefined"])
def test_sanitizers_are_refused_with_what_helps(tmp_path, target, kind):
    if target and not shutil.which("riscv64-linux-gnu-gcc"):
        pytest.skip("scripts/install riscv")
    (tmp_path / "mpi.c").write_text(MPI)
    refused = wrapper("sanvp-cc", *target, f"-fsanitize={kind}", "mpi.c", cwd=tmp_path)
    assert refused.returncode == USER_MISTAKE
    assert refused.stderr.startswith(f"sanvp-cc: -fsanitize={kind}: ")
    assert "--check-mpi" in refused.stderr


@needs_compilers
def test_wrong_arguments_of_the_module_are_found_by_the_compiler(tmp_path):
    (tmp_path / "wrong.f90").write_text(
        "program wrong\nuse mpi_f08\ninteger :: comm\ncall MPI_Barrier(comm)\nend program\n"
    )
    made = wrapper("sanvp-fc", "-c", "wrong.f90", cwd=tmp_path)
    assert made.returncode != 0
    assert "passed INTEGER(4) to TYPE(mpi_comm)" in made.stderr


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("sanvp-cc", ["--target", "sparc", "x.c"], "sanvp-cc: --target sparc: there are: native, riscv64\n"),
        ("sanvp-cc", ["x.c", "--target"], "sanvp-cc: --target : there are: native, riscv64\n"),
        ("sanvp-fc", ["--target", "native", "x.f90"], "sanvp-fc: --target native: of Fortran there are"),
        ("sanvp-cc", [*RISCV, "x.f90"], "sanvp-cc: x.f90: is Fortran: compile it by sanvp-fc\n"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(tmp_path, name, arguments, said):
    if "riscv64" in arguments and not shutil.which("riscv64-linux-gnu-gcc"):
        pytest.skip("scripts/install riscv")
    (tmp_path / "x.f90").write_text("end program\n")
    refused = wrapper(name, *arguments, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (USER_MISTAKE, "")
    assert refused.stderr.startswith(said)


def test_a_compiler_that_is_missing_is_named_with_its_cure(tmp_path):
    (tmp_path / "bin").mkdir()
    for tool in ("bash", "readlink", "dirname", "sed"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    command = [BUILD / "sanvp-fc", "x.f90"]
    environment = {"PATH": str(tmp_path / "bin")}
    refused = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert (refused.returncode, refused.stdout) == (USER_MISTAKE, "")
    assert refused.stderr.startswith("sanvp-fc: the compiler riscv64-linux-gnu-gfortran is not installed; run: ")
    assert "scripts/install riscv" in refused.stderr
