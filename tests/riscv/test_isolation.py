"""What a program does to files stays in its folder: devices are the virtual machine's own, and no way leads out."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from outside import is_locked, make_traps, unchanged
from toolchain import RUNNER, by_interpreter, compile_program, needs_toolchain

pytestmark = needs_toolchain

ATTEMPTS = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
static const char* outcome(long result) { return result >= 0 ? "done" : strerrorname_np(errno); }
static const struct {
  const char* name;
  int flags;
} flags[] = {{"read", O_RDONLY}, {"write", O_WRONLY}, {"both", O_RDWR}, {"truncate", O_WRONLY | O_TRUNC},
             {"create", O_RDWR | O_CREAT | O_TRUNC}};
/* Everything that changes a file, by descriptor and by path. */
static void change(const char* path) {
  struct flock region = {.l_type = F_RDLCK};
  printf("%s: chmod %s", path, outcome(chmod(path, 0431)));
  printf(", truncate %s", outcome(truncate(path, 0)));
  for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
    const int file = open(path, flags[i].flags, 0600);
    printf("\n  %s %s", flags[i].name, outcome(file));
    if (file < 0) continue;
    printf(", fchmod %s", outcome(fchmod(file, 0431)));
    printf(", ftruncate %s", outcome(ftruncate(file, 0)));
    printf(", flock %s", outcome(flock(file, LOCK_EX | LOCK_NB)));
    printf(", lock %s", outcome(fcntl(file, F_SETLK, &region)));
    printf(", append %s", outcome(fcntl(file, F_SETFL, O_APPEND)));
    close(file);
  }
  printf("\n");
}
int main(int count, char** paths) {
  for (int i = 1; i < count; ++i) change(paths[i]);
  return 0;
}
"""

LOOKS = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
static const char* outcome(long result) { return result >= 0 ? "done" : strerrorname_np(errno); }
int main(void) {
  const char* const devices[] = {"/dev/null", "/dev/zero"};
  char bytes[4] = "abc";
  for (int i = 0; i < 2; ++i) {
    struct stat status, by_path;
    const int file = open(devices[i], O_RDWR);
    stat(devices[i], &by_path);
    fstat(file, &status);
    printf("%s: %o %u:%u %d", devices[i], status.st_mode, major(status.st_rdev), minor(status.st_rdev),
           memcmp(&status, &by_path, sizeof status));
    printf(" wrote %d read %d", (int)write(file, bytes, 3), (int)read(file, bytes, 2));
    printf(" %02x%02x%02x", bytes[0], bytes[1], bytes[2]);
    printf(" at %d", (int)lseek(file, 9, SEEK_SET));
    printf(" access %s %s", outcome(access(devices[i], R_OK | W_OK)), outcome(access(devices[i], X_OK)));
    printf(" exclusive %s", outcome(open(devices[i], O_RDWR | O_CREAT | O_EXCL, 0600)));
    printf(" folder %s", outcome(open(devices[i], O_RDONLY | O_DIRECTORY)));
    printf(" write only %s", outcome(read(open(devices[i], O_WRONLY), bytes, 1)));
    printf(" read only %s\n", outcome(write(open(devices[i], O_RDONLY), bytes, 1)));
  }
  return 0;
}
"""

HOLDS = r"""
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
int main(void) {
  const int device = flock(open("/dev/null", O_RDWR), LOCK_EX);
  const int own = flock(open("own", O_RDWR | O_CREAT, 0600), LOCK_EX);
  FILE* const told = fopen("told", "w");
  fprintf(told, "locked %d %d\n", device, own);
  fclose(told);
  rename("told", "ready");
  for (;;) {
  }
}
"""


def program_of(text: str, folder: Path, name: str) -> Path:
    source = folder / f"{name}.c"
    source.write_text(text, encoding="ascii")
    return compile_program(source, folder / name)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    folder = tmp_path / "job"
    folder.mkdir()
    make_traps(folder, tmp_path / "outside")
    return folder


WITHOUT_EFFECT = "fchmod EPERM, ftruncate EINVAL, flock done, lock done, append done"


def test_devices_and_the_program_cannot_be_changed(tmp_path: Path, job: Path) -> None:
    (tmp_path / "programs").mkdir()
    program = program_of(ATTEMPTS, tmp_path / "programs", "attempts")
    devices = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
    with unchanged(tmp_path / "outside", tmp_path / "programs"):
        done = by_interpreter(program, *devices, "/proc/self/exe", folder=job)
    assert done.status == 0, done.errors
    expected = ""
    for path in devices:
        expected += f"{path}: chmod EACCES, truncate EACCES"
        expected += "".join(f"\n  {way} done, {WITHOUT_EFFECT}" for way in ("read", "write", "both", "truncate"))
        expected += f"\n  create done, {WITHOUT_EFFECT}\n"
    expected += f"/proc/self/exe: chmod EACCES, truncate EACCES\n  read done, {WITHOUT_EFFECT}"
    expected += "".join(f"\n  {way} EACCES" for way in ("write", "both", "truncate", "create")) + "\n"
    assert done.output.decode() == expected


def test_no_link_device_or_folder_above_leads_out(tmp_path: Path, job: Path) -> None:
    program = program_of(ATTEMPTS, tmp_path, "attempts")
    ways = ["link", "up/file", "mem", "../outside/file", "/proc/self/mem"]
    ways.append("fifo")
    if os.geteuid() == 0:
        ways.append("device")
    with unchanged(tmp_path / "outside"):
        done = by_interpreter(program, *ways, folder=job)
    assert done.status == 0, done.errors
    refused = "".join(f"\n  {way} EACCES" for way in ("read", "write", "both", "truncate", "create"))
    assert done.output.decode() == "".join(f"{way}: chmod EACCES, truncate EACCES{refused}\n" for way in ways)


def test_other_file_systems_below_the_folder_are_out_of_reach(tmp_path: Path) -> None:
    """In the folder `/`, where /proc/self/mem would be the simulator's memory."""
    program = program_of(ATTEMPTS, tmp_path, "attempts")
    ways = ("proc/self/mem", "/proc/self/mem", "proc/self/fd/0", "dev/null", "sys/power/state")
    with unchanged():
        done = by_interpreter(program, *ways, folder=Path("/"))
    assert done.status == 0, done.errors
    ends = ("EXDEV", "EACCES", "ENOENT")  # another file system; a device, if /dev is none; nothing there
    for line in done.output.decode().splitlines():
        words = line.replace(",", "").split()
        assert words[-1] in ends, line
        assert "done" not in words, line


def test_a_folder_of_the_kernels_own_files_is_refused(tmp_path: Path) -> None:
    program = program_of(LOOKS, tmp_path, "looks")
    done = by_interpreter(program, folder=Path("/proc/self"))
    assert done.status == 2
    assert b"holds files of the kernel" in done.errors


def test_locks_on_devices_keep_no_program_of_this_computer_waiting(tmp_path: Path, job: Path) -> None:
    program = program_of(HOLDS, tmp_path, "holds")
    with subprocess.Popen([RUNNER, program], cwd=job) as running:
        try:
            while not (job / "ready").exists() and running.poll() is None:
                time.sleep(0.01)
            assert (job / "ready").read_text() == "locked 0 0\n"
            assert is_locked(job / "own")
            assert not is_locked(Path("/dev/null"))
        finally:
            running.kill()


def test_devices_behave_as_an_ordinary_user_finds_them(tmp_path: Path, job: Path) -> None:
    """Modes and numbers of Linux's devices; reading /dev/zero gives zeros, /dev/null the end of the file."""
    done = by_interpreter(program_of(LOOKS, tmp_path, "looks"), folder=job)
    ends = "at 0 access done EACCES exclusive EEXIST folder ENOTDIR write only EBADF read only EBADF"
    assert done.output.decode() == (
        f"/dev/null: 20666 1:3 0 wrote 3 read 0 616263 {ends}\n/dev/zero: 20666 1:5 0 wrote 3 read 2 000063 {ends}\n"
    )
