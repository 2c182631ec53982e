"""Programs give the output and exit status that they give under qemu-riscv64."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from toolchain import (
    COMPILERS,
    TRANSLATED,
    by_interpreter,
    by_qemu,
    compile_for_rv32,
    compile_program,
    needs_toolchain,
    needs_translation,
)

pytestmark = needs_toolchain
PROGRAMS = sorted((Path(__file__).resolve().parent / "programs").iterdir())
# The second: without it, static Fortran with OpenMP calls address 0 at its end.
OPTIONS = {"cpp20.cpp": ["-std=c++20"]}
LIBRARIES = ["-pthread", "-lm", "-Wl,-u,pthread_mutex_destroy"]


def options(source: Path) -> list[str]:
    return LIBRARIES + (["-fopenmp"] if "openmp" in source.stem else []) + OPTIONS.get(source.name, [])


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.name)
def test_a_program_does_as_under_qemu(tmp_path: Path, source: Path) -> None:
    program = compile_program(source, tmp_path / source.stem, *options(source))
    folder = tmp_path / "folder"
    folder.mkdir()
    expected, found = (run(program, "argument", folder=folder) for run in (by_qemu, by_interpreter))
    assert found.output.decode() == expected.output.decode()
    assert found.status == expected.status
    assert len(expected.output) > 0
    assert not list(folder.iterdir())  # it has removed its files


def report(errors: bytes) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"(\w+) (\d+)", errors.decode())}


def simulated_ps(program: Path, folder: Path, *choices: str) -> int:
    return report(by_interpreter(program, folder=folder, options=("--report", *choices)).errors)["time_ps"]


def test_four_threads_on_four_cpus_are_faster_than_on_one(tmp_path: Path) -> None:
    source = next(path for path in PROGRAMS if path.name == "fortran_openmp.f90")
    program = compile_program(source, tmp_path / "program", *options(source))
    one, four = (simulated_ps(program, tmp_path, "--cpus", cpus) for cpus in ("1", "4"))
    assert four < 0.6 * one


@needs_translation
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.name)
def test_a_program_that_is_translated_does_the_same_at_the_same_times(tmp_path: Path, source: Path) -> None:
    program = compile_program(source, tmp_path / "program", *options(source))
    folder = tmp_path / "folder"
    folder.mkdir()
    for choices in ((), ("--cpus", "3", "--quantum", "700")):
        runs = [
            by_interpreter(program, "argument", folder=folder, options=("--report", *choices, *way))
            for way in ((), TRANSLATED, ("--translate", "30"))
        ]
        seen = [(run.status, run.output, re.sub(rb"MIPS \S+", b"", run.errors)) for run in runs]
        assert seen[1] == seen[0]
        assert seen[2] == seen[0]


@pytest.mark.parametrize("name", ["threads.c", "openmp.c", "stop_threads.c"])
def test_a_run_repeats_exactly(tmp_path: Path, name: str) -> None:
    source = next(path for path in PROGRAMS if path.name == name)
    program = compile_program(source, tmp_path / "program", *options(source))
    choices = ("--report", "--cpus", "3", "--quantum", "700")
    first, second = (by_interpreter(program, folder=tmp_path, options=choices) for _ in range(2))
    assert first.output == second.output
    for key in ("instructions", "time_ps"):
        assert report(first.errors)[key] == report(second.errors)[key]


FILE_TIMES = r"""
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char data[100000];
static volatile int is_over;
static volatile long turns;

static double us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static void* compute(void* nothing) {
  while (!is_over) ++turns;
  return nothing;
}

int main(void) {
  pthread_t other;
  struct iovec parts[2] = {{data, 1000}, {data + 1000, 3000}};
  int ends[2];
  const int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
  double start = us();
  int good = write(file, data, 100000) == 100000;
  printf("write %.0f\n", us() - start);
  start = us();
  good &= pread(file, data, 50000, 100) == 50000;
  printf("pread %.0f\n", us() - start);
  start = us();
  good &= pwritev(file, parts, 2, 0) == 4000 || writev(file, parts, 2) == 4000;
  good &= fsync(file) == 0;
  printf("writev %.0f\n", us() - start);
  start = us();
  good &= read(file, data, 10) == 0 && pipe(ends) == 0 && write(ends[1], data, 10) == 10;
  printf("free %.0f\n", us() - start);
  pthread_create(&other, NULL, compute, NULL);
  const long before = turns;
  good &= pread(file, data, 1000, 0) == 1000;
  printf("turns %d\n", turns - before > 100);
  is_over = 1;
  pthread_join(other, NULL);
  unlink("data");
  return good ? 0 : 1;
}
"""


def test_requests_for_files_take_the_time_that_the_disk_says(tmp_path: Path) -> None:
    source = tmp_path / "file_times.c"
    source.write_text(FILE_TIMES)
    program = compile_program(source, tmp_path / "program", *LIBRARIES)
    found = by_interpreter(program, folder=tmp_path, options=("--disk", "5000"))
    assert found.status == 0, found.errors
    steps = dict(line.split() for line in found.output.decode().splitlines())
    for name, expected in {"write": 5100, "pread": 5050, "writev": 5004, "free": 0}.items():
        assert expected <= int(steps[name]) <= expected + 40, (name, steps[name])
    assert steps["turns"] == "1"  # another thread has the CPU meanwhile
    free = by_interpreter(program, folder=tmp_path)
    assert free.status == 0
    assert int(dict(line.split() for line in free.output.decode().splitlines())["write"]) < 100


OUTSIDE = ["../outside.txt", "/etc/passwd", "link", "sub/../../outside.txt", "/proc/self/environ"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_file_outside_of_the_folder_is_opened(tmp_path: Path, name: str) -> None:
    source = tmp_path / "open.c"
    source.write_text('#include <stdio.h>\nint main(int n, char** a) { return fopen(a[1], "r") ? 1 : 7; }\n')
    program = compile_program(source, tmp_path / "program")
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "outside.txt").write_text("secret")
    (folder / "link").symlink_to("../outside.txt")
    (folder / "inside.txt").write_text("known")
    assert by_interpreter(program, "inside.txt", folder=folder).status == 1
    assert by_interpreter(program, str(folder / "inside.txt"), folder=folder).status == 1
    assert by_interpreter(program, name, folder=folder).status == 7


def test_threads_that_spin_end_even_if_instructions_cost_no_time(tmp_path: Path) -> None:
    source = next(path for path in PROGRAMS if path.name == "many_threads.c")
    program = compile_program(source, tmp_path / "program", *options(source))
    done = by_interpreter(program, folder=tmp_path, options=("--no-time", "--most", "1000000000"))
    assert (done.status, done.output) == (0, b"1500\n")


def test_a_system_call_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    source = tmp_path / "unknown.c"
    # riscv_hwprobe (258), which glibc 2.41 calls before main, is not reported.
    calls = "syscall(3000) + syscall(3000) + syscall(198, 1, 1, 0) + syscall(258, 0, 0, 0, 0, 0) + 1"
    source.write_text(f"#include <unistd.h>\nint main() {{ return {calls} == -3 ? 5 : 6; }}\n")
    done = by_interpreter(compile_program(source, tmp_path / "program"), folder=tmp_path)
    assert done.status == 5
    assert done.errors.decode().splitlines() == [
        f"riscv_run: system call {call} is not there: it fails with ENOSYS" for call in ("3000", "198 (socket)")
    ]


def test_a_program_neither_goes_nor_links_out_of_its_folder(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        """#include <errno.h>
        #include <stdio.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int main() {
          mkdir("sub", 0755);
          printf("%d %d ", chdir("sub"), chdir("../.."));
          printf("%d ", errno == EACCES);
          printf("%d %d ", chdir("/"), errno == EACCES);
          printf("%d %d ", symlink("a/../b", "link"), errno == EPERM);
          printf("%d", symlink("a..b", "link"));
        }"""
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    done = by_interpreter(compile_program(source, tmp_path / "program"), folder=folder)
    assert done.output.decode() == "0 -1 1 -1 1 -1 1 0"
    assert (folder / "sub" / "link").readlink() == Path("a..b")


def test_a_dynamic_program_is_refused_with_a_sentence(tmp_path: Path) -> None:
    source = next(path for path in PROGRAMS if path.name == "hello.c")
    command = [COMPILERS[".c"], str(source), "-o", str(tmp_path / "program")]
    subprocess.run(command, check=True, capture_output=True)
    done = by_interpreter(tmp_path / "program", folder=tmp_path)
    assert done.status == 2
    assert "is linked with shared libraries; link it with -static" in done.errors.decode()


@pytest.mark.parametrize("choices", [["-O3", "-flto"], ["-static-pie", "-fPIE"], ["-O0", "-g3"], ["-Os", "-mno-relax"]])
def test_programs_of_other_options_run(tmp_path: Path, choices: list[str]) -> None:
    source = next(path for path in PROGRAMS if path.name == "exceptions.cpp")
    program = compile_program(source, tmp_path / "program", *options(source), *choices)
    expected, found = (run(program, folder=tmp_path) for run in (by_qemu, by_interpreter))
    assert (found.output, found.status) == (expected.output, expected.status)


def test_a_program_for_more_extensions_is_told_which(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("int main(int n, char** v) { return __builtin_popcountl(n * 5L) + (int)((long)v >> n & 0); }\n")
    program = compile_program(source, tmp_path / "program", "-march=rv64gc_zba_zbb")
    done = by_interpreter(program, folder=tmp_path)
    assert done.status == 128 + 4
    assert "illegal instruction (SIGILL) at pc" in done.errors.decode()
    assert "compiled for zba, zbb, which the CPU does not have: compile it with -march=rv64gc" in done.errors.decode()


def program_for(folder: Path, source: str, extensions: bytes = b"_zba1p0_zbb1p0") -> Path:
    """One for extensions of such names, of the same length."""
    (folder / "program.c").write_text(source)
    program = compile_program(folder / "program.c", folder / "program", "-march=rv64gc_zba_zbb")
    text = program.read_bytes()
    assert b"_zba1p0_zbb1p0" in text
    program.write_bytes(text.replace(b"_zba1p0_zbb1p0", extensions))
    return program


def test_a_signal_that_the_program_raises_says_nothing_of_extensions(tmp_path: Path) -> None:
    program = program_for(tmp_path, "#include <signal.h>\nint main() { raise(SIGILL); }\n")
    done = by_interpreter(program, folder=tmp_path)
    assert done.status == 128 + 4
    assert "SIGILL at pc" in done.errors.decode()
    assert "compiled for" not in done.errors.decode()


@pytest.mark.parametrize(
    ("extensions", "missing"),
    [
        (b"_zca1p0_zcd1p0", None),
        (b"_zcmp1p0_zb1p0", "zcmp, zb"),
        (b"_zicntr21p0123", None),
        (b"_zaamo1p0_zk_k", "zk, k"),
    ],
)
def test_extensions_are_told_by_their_names_without_versions(
    tmp_path: Path, extensions: bytes, missing: str | None
) -> None:
    program = program_for(tmp_path, 'int main() { __asm__(".word 0"); }\n', extensions)
    done = by_interpreter(program, folder=tmp_path)
    assert done.status == 128 + 4
    assert ("compiled for" in done.errors.decode()) == (missing is not None)
    assert missing is None or f"compiled for {missing}, which the CPU does not have" in done.errors.decode()


NO_ELF = "it is not an ELF file"
NO_PROGRAMS = [
    ("", NO_ELF),
    ("no program", NO_ELF),
    ("\x7fELF", NO_ELF),
    ("\x7fELF" + 200 * "\x01", "it is for another processor than RISC-V"),
]


@pytest.mark.parametrize(("text", "cause"), NO_PROGRAMS, ids=["empty", "text", "short", "foreign"])
def test_a_file_that_is_no_program_is_refused_with_a_sentence(tmp_path: Path, text: str, cause: str) -> None:
    (tmp_path / "program").write_text(text)
    done = by_interpreter(tmp_path / "program", folder=tmp_path)
    assert done.status == 2
    assert done.errors.decode().startswith(f"riscv_run: {tmp_path}/program: cannot be run: {cause}")


def test_a_program_of_32_bits_is_told_how_to_compile_it(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text("void _start(void) {}\n")
    program = compile_for_rv32(tmp_path / "program.c", tmp_path / "program")
    done = by_interpreter(program, folder=tmp_path)
    assert done.status == 2
    assert re.search(r"not for 64-bit RISC-V; compile it with \S*sanvp-cc --target riscv64", done.errors.decode())
