"""Mutated executables, random words and random system calls do not crash the simulator."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from outside import make_traps, unchanged
from toolchain import BUILD, WAYS, compile_program, needs_toolchain

pytestmark = needs_toolchain
HELLO = Path(__file__).resolve().parent / "programs" / "hello.c"
# Without the C library: a file of some kilobytes, so that many can be tried.
SMALL = """
static char room[9000], text[] = "some text\\n";
static long call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}
void _start(void) {
  for (int i = 0; i < 100; ++i) room[i * 89] += text[i % 10];
  call(64, 1, (long)text, sizeof text - 1);
  call(214, 0, 0, 0);
  call(94, room[89] & 1, 0, 0);
}
"""


def survive(program: Path, folder: Path, files: int, words: int, calls: int, seed: int, way: tuple[str, ...]) -> None:
    """Random calls may do what they like to their folder, and nothing to anything else."""
    job, outside = folder / "job", folder / "outside"
    job.mkdir(parents=True)
    make_traps(job, outside)
    command = [str(BUILD / "riscv_fuzz"), str(program), str(files), str(words), str(calls), str(seed), *way[1:]]
    with unchanged(outside, program):
        done = subprocess.run(command, cwd=job, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [str(files), str(words), str(words // 4), str(calls)]
    refused = int(lines[0].split()[2])
    assert 0.1 * files < refused < 0.95 * files  # some of the files are still programs


def small_program(folder: Path) -> Path:
    source = folder / "small.c"
    source.write_text(SMALL, encoding="ascii")
    return compile_program(source, folder / "small", "-nostdlib", "-s")


@WAYS
def test_some_thousand_do_not_crash(tmp_path: Path, way: tuple[str, ...]) -> None:
    program = compile_program(HELLO, tmp_path / "program", "-s")
    survive(program, tmp_path / "one", files=500, words=0, calls=0, seed=1, way=way)
    survive(small_program(tmp_path), tmp_path / "other", files=2000, words=20480, calls=5000, seed=1, way=way)


@WAYS
@pytest.mark.long
def test_a_hundred_thousand_files_and_a_million_words_do_not_crash(tmp_path: Path, way: tuple[str, ...]) -> None:
    program = compile_program(HELLO, tmp_path / "program", "-s")
    survive(program, tmp_path / "one", files=5000, words=0, calls=0, seed=2, way=way)
    survive(small_program(tmp_path), tmp_path / "other", files=95_000, words=1_024_000, calls=200_000, seed=2, way=way)
