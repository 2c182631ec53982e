"""A program's own file is read once, before it runs: what it puts in the file's place leads nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from outside import make_traps, unchanged
from toolchain import by_interpreter, compile_program, needs_toolchain

pytestmark = needs_toolchain

REPLACES = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int count, char** arguments) {
  char path[100], magic[4] = "";
  struct stat before, after;
  stat("/proc/self/exe", &before);
  if (!strcmp(arguments[1], "truncate")) truncate("program", 0);
  if (!strcmp(arguments[1], "huge")) {
    close(open("huge", O_RDWR | O_CREAT, 0700));
    truncate("huge", 1L << 43);
  }
  if (strcmp(arguments[1], "truncate")) printf("renamed %d\n", rename(arguments[1], "program"));
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  for (int i = 0; i < 500; ++i) {
    const int file = open("/proc/self/exe", O_RDONLY);
    if (file < 0 || read(file, magic, 4) != 4 || memcmp(magic, "\177ELF", 4)) printf("not the program\n");
  }
  stat("/proc/self/exe", &after);
  printf("%.*s, same size %d\n", (int)length, path, before.st_size == after.st_size);
  fflush(stdout);
  if (count > 2) __asm__ volatile(".word 0");
  abort();
}
"""


@pytest.mark.parametrize("trap", ["link", "fifo", "huge", "truncate", "device"])
@pytest.mark.parametrize("ends", [(), ("illegal",)], ids=["aborts", "is illegal"])
def test_what_a_program_puts_in_its_own_place_is_not_read(tmp_path: Path, trap: str, ends: tuple[str, ...]) -> None:
    """Neither by itself nor for the message about its crash, which still names its functions."""
    if trap == "device" and os.geteuid() != 0:
        pytest.skip("only root can make a device")
    folder = tmp_path / "job"
    folder.mkdir()
    make_traps(folder, tmp_path / "outside")
    (folder / "program.c").write_text(REPLACES, encoding="ascii")
    program = compile_program(folder / "program.c", folder / "program", "-g")
    with unchanged(tmp_path / "outside"):
        done = by_interpreter(program, trap, *ends, folder=folder)
    signal, name = (4, b"SIGILL") if ends else (6, b"SIGABRT")
    assert done.status == 128 + signal
    assert done.output.decode() == "renamed 0\n" * (trap != "truncate") + "/tmp/program, same size 1\n"
    assert name in done.errors
    assert b"main() at program.c:" in done.errors


@pytest.mark.parametrize("trap", ["fifo", "device", "huge"])
def test_what_is_no_program_is_refused_before_it_is_read(tmp_path: Path, trap: str) -> None:
    if trap == "device" and os.geteuid() != 0:
        pytest.skip("only root can make a device")
    make_traps(tmp_path, tmp_path / "outside")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 43)
    done = by_interpreter(tmp_path / trap, folder=tmp_path)
    assert done.status == 2
    cause = b"it is larger than 1GiB" if trap == "huge" else b"it is not a regular file"
    assert b"cannot be loaded: " + cause in done.errors
