"""What a program makes the simulator keep is bounded, or counts as the program's memory."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from toolchain import RUNNER, WAYS, compile_program, needs_toolchain

pytestmark = needs_toolchain
MIB = 1 << 20

HEAD = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
"""

# Each halfword of 8 MiB is `jr ra`, and each is called: so many blocks of one instruction.
JUMPS = r"""
int main(void) {
  const size_t bytes = 8 << 20;
  uint16_t* const code = mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < bytes / 2; ++i) code[i] = 0x8082;
  __builtin___clear_cache((char*)code, (char*)code + bytes);
  for (size_t i = 0; i < bytes / 2; ++i) ((void (*)(void))(code + i))();
  printf("called %zu\n", bytes / 2);
  return 0;
}
"""

# A mapping that is never written to grows and moves, again and again.
MOVES = r"""
int main(void) {
  size_t bytes = 64 << 20;
  char* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  at[0] = 1, at[bytes - 1] = 2;
  int right = 1;
  for (int i = 0; i < 8; ++i) {
    void* const wall = mmap(at + bytes, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    at = mremap(at, bytes, bytes + (64 << 20), MREMAP_MAYMOVE);
    right &= at != MAP_FAILED && at[0] == 1 && at[(64 << 20) - 1] == 2 && at[12345678] == 0;
    bytes += 64 << 20;
    (void)wall;
  }
  printf("right %d\n", right);
  return 0;
}
"""

SIGNALS = r"""
int main(void) {
  struct rlimit limit;
  sigset_t set;
  sigfillset(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int sent = 0;
  while (sent < 1000000 && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) ++sent;
  getrlimit(RLIMIT_SIGPENDING, &limit);
  printf("queued as allowed %d, %s\n", (rlim_t)sent == limit.rlim_cur, strerrorname_np(errno));
  for (int i = 0; i < sent; ++i) sigwaitinfo(&set, NULL);
  printf("again %d\n", sigqueue(getpid(), SIGRTMIN, (union sigval){0}));
  return 0;
}
"""

# Each second page of 512 MiB is another range: /proc/self/maps has 65,536 lines and more, open 500 times.
MAPS = r"""
int main(void) {
  const size_t bytes = 512 << 20;
  char* const at = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t page = 0; page < bytes; page += 8192) mprotect(at + page, 4096, PROT_NONE);
  char line[8] = "";
  int opened = 0;
  for (int i = 0; i < 500; ++i) {
    const int file = open("/proc/self/maps", O_RDONLY);
    opened += read(file, line, 8) == 8 && lseek(file, 1 << 20, SEEK_SET) == 1 << 20;
  }
  const int file = open("/proc/self/maps", O_RDONLY);
  static char text[1 << 16];
  long lines = 0;
  for (ssize_t count; (count = read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < count; ++i) lines += text[i] == '\n';
  printf("opened %d, all lines %d\n", opened, lines > bytes / 4096);
  return 0;
}
"""


def most_memory(program: Path, *options: str) -> tuple[int, str]:
    """Bytes that the simulator has at most, and what the program prints."""
    with subprocess.Popen([RUNNER, *options, program], stdout=subprocess.PIPE, text=True) as running:
        output = running.stdout.read() if running.stdout else ""
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0
    return used.ru_maxrss * 1024, output


@pytest.mark.parametrize(
    ("text", "output", "most"),
    [
        (MOVES, "right 1\n", 64 * MIB),
        (SIGNALS, "queued as allowed 1, EAGAIN\nagain 0\n", 64 * MIB),
        (MAPS, "opened 500, all lines 1\n", 64 * MIB),
    ],
    ids=["moves", "signals", "maps"],
)
def test_the_simulator_keeps_no_more_than_the_program_has_touched(tmp_path: Path, text: str, output: str, most: int):
    (tmp_path / "program.c").write_text(HEAD + text, encoding="ascii")
    used, printed = most_memory(compile_program(tmp_path / "program.c", tmp_path / "program"))
    assert printed == output
    assert used < most


@WAYS
def test_decoded_code_is_bounded_where_each_halfword_is_jumped_to(tmp_path: Path, way: tuple[str, ...]):
    """Four million blocks, which would take a gigabyte."""
    (tmp_path / "program.c").write_text(HEAD + JUMPS, encoding="ascii")
    used, printed = most_memory(compile_program(tmp_path / "program.c", tmp_path / "program"), *way)
    assert printed == "called 4194304\n"
    assert used < 400 * MIB
