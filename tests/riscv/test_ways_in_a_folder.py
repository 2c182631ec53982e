"""Paths of system calls: the ways that Linux has within a folder lead where they do there, and none leads out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from outside import make_traps, unchanged
from toolchain import by_interpreter, compile_program, needs_toolchain

pytestmark = needs_toolchain

WAYS = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SHOW(call) (errno = 0, printf("%s: %s\n", #call, (long)(call) < 0 ? strerrorname_np(errno) : "done"))
static int put(const char* path) { return close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600)); }
int main(void) {
  struct stat status;
  char target[100] = "";
  put("file");
  mkdir("sub", 0700);
  mkdir("sub/deep", 0700);
  symlink("later", "dangling");
  symlink("file", "here");
  SHOW(open("/tmp//file", O_RDONLY));
  SHOW(open("//tmp/./file", O_RDONLY));
  SHOW(open("/tmp//../etc/passwd", O_RDONLY));
  SHOW(open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0600));
  SHOW(open("dangling", O_WRONLY | O_CREAT, 0600));
  SHOW(stat("later", &status));
  SHOW(open("sub", O_RDONLY | O_CREAT, 0600));
  SHOW(open("here", O_RDONLY | O_NOFOLLOW));
  SHOW(open("file", O_RDWR | O_CREAT | O_TRUNC, 0600));
  SHOW(open("absolute", O_WRONLY | O_CREAT, 0600));
  SHOW(open("outward", O_WRONLY | O_CREAT, 0600));
  const int folder = open("sub/deep", O_RDONLY | O_DIRECTORY);
  SHOW(openat(folder, "..", O_RDONLY));
  SHOW(openat(folder, "../../file", O_RDONLY));
  SHOW(openat(folder, "../../../outside/file", O_RDONLY));
  SHOW(linkat(AT_FDCWD, "here", AT_FDCWD, "of_link", 0));
  SHOW(linkat(AT_FDCWD, "here", AT_FDCWD, "of_file", AT_SYMLINK_FOLLOW));
  SHOW(readlink("of_link", target, sizeof target));
  SHOW(readlink("of_file", target, sizeof target));
  SHOW(linkat(AT_FDCWD, "link", AT_FDCWD, "of_outside", AT_SYMLINK_FOLLOW));
  SHOW(linkat(AT_FDCWD, "here", AT_FDCWD, "flags", 1));
  SHOW(rename("inward", "sub/inward"));
  SHOW(rename("inward", "renamed"));
  SHOW(syscall(SYS_renameat2, AT_FDCWD, "sub/deep", AT_FDCWD, "renamed", 2));
  SHOW(link("renamed", "sub/linked"));
  SHOW(unlink(""));
  return 0;
}
"""

ENDS = {
    'open("/tmp//../etc/passwd", O_RDONLY)': "EACCES",
    'open("dangling", O_WRONLY | O_CREAT | O_EXCL, 0600)': "EEXIST",
    'open("sub", O_RDONLY | O_CREAT, 0600)': "EISDIR",
    'open("here", O_RDONLY | O_NOFOLLOW)': "ELOOP",
    'open("absolute", O_WRONLY | O_CREAT, 0600)': "EACCES",
    'open("outward", O_WRONLY | O_CREAT, 0600)': "EACCES",
    'openat(folder, "../../../outside/file", O_RDONLY)': "EACCES",
    'readlink("of_file", target, sizeof target)': "EINVAL",
    'linkat(AT_FDCWD, "link", AT_FDCWD, "of_outside", AT_SYMLINK_FOLLOW)': "EACCES",
    'linkat(AT_FDCWD, "here", AT_FDCWD, "flags", 1)': "EINVAL",
    'rename("inward", "sub/inward")': "EPERM",
    'syscall(SYS_renameat2, AT_FDCWD, "sub/deep", AT_FDCWD, "renamed", 2)': "EPERM",
    'link("renamed", "sub/linked")': "EPERM",
    'unlink("")': "ENOENT",
}


def test_ways_within_the_folder_lead_where_they_do_on_linux(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    folder.mkdir()
    make_traps(folder, tmp_path / "outside")
    (folder / "absolute").symlink_to(tmp_path / "outside" / "new")
    (folder / "outward").symlink_to("../outside/new")
    (folder / "inward").symlink_to("sub/../file")
    source = tmp_path / "ways.c"
    source.write_text(WAYS, encoding="ascii")
    program = compile_program(source, tmp_path / "ways")
    with unchanged(tmp_path / "outside"):
        done = by_interpreter(program, folder=folder)
    assert done.status == 0, done.errors
    for line in done.output.decode().splitlines():
        call, end = line.rsplit(": ", 1)
        assert end == ENDS.get(call, "done"), call
    assert len(done.output.splitlines()) == WAYS.count("SHOW(") - 1
    assert str((folder / "renamed").readlink()) == "sub/../file"


RACE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
  int opened = 0, refused = 0, devices = 0;
  close(open("ready", O_WRONLY | O_CREAT, 0600));
  for (int i = 0; i < 40000 || (opened == 0 && i < 4000000); ++i) {
    const int file = open("file", O_RDWR);
    struct stat status;
    if (file < 0) ++refused;
    if (file < 0) continue;
    fstat(file, &status);
    if (S_ISCHR(status.st_mode)) ++devices;
    else ++opened;
    close(file);
  }
  printf("devices %d, opened %d\n", devices, opened > 0);
  return 0;
}
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_that_takes_the_place_of_a_file_meanwhile_is_not_opened(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    folder.mkdir()
    os.mknod(folder / "zero", 0o020600, Path("/dev/zero").stat().st_rdev)
    (folder / "file").write_bytes(b"")
    source = tmp_path / "race.c"
    source.write_text(RACE, encoding="ascii")
    program = compile_program(source, tmp_path / "race")
    swapper = os.fork()
    if swapper == 0:  # it exchanges the two until it is killed
        os.chdir(folder)
        while True:
            Path("file").rename("other")
            Path("zero").rename("file")
            Path("file").rename("zero")
            Path("other").rename("file")
    try:
        done = by_interpreter(program, folder=folder)
    finally:
        os.kill(swapper, 9)
        os.waitpid(swapper, 0)
    assert done.output.decode() == "devices 0, opened 1\n"
