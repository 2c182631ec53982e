"""What a program must not change: everything outside of the folder in which it runs."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

DEVICES = tuple(Path(f"/dev/{name}") for name in ("null", "zero", "full", "random", "urandom", "tty"))


def state_of(path: Path) -> tuple[object, ...]:
    """What calls can change of a file: mode, owner, size, times, other names, attributes, contents."""
    status = path.lstat()
    fields = (status.st_mode, status.st_uid, status.st_gid, status.st_size, status.st_nlink, status.st_ctime_ns)
    attributes = os.listxattr(path, follow_symlinks=False)
    contents = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    return (*fields, attributes, contents)


def everything_below(folder: Path) -> list[Path]:
    return [folder, *sorted(folder.rglob("*"))]


def is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextlib.contextmanager
def unchanged(*folders: Path) -> Iterator[None]:
    """Fails if devices of this computer or files below the folders have changed in between. Modes are put back, since
    other programs of this computer need them."""
    watched = [*(device for device in DEVICES if device.exists()), *(p for f in folders for p in everything_below(f))]
    before = {path: state_of(path) for path in watched}
    modes = {device: device.stat().st_mode & 0o7777 for device in DEVICES if device.exists()}
    try:
        yield
        after = {path: state_of(path) for path in watched}
        assert after == before
        for folder in folders:
            assert set(everything_below(folder)) <= set(watched)
    finally:
        for device, mode in modes.items():
            if device.stat().st_mode & 0o7777 != mode:
                device.chmod(mode)


def make_traps(folder: Path, outside: Path) -> None:
    """Ways that could lead out of a folder: links, a FIFO, a device (which only root can make)."""
    outside.mkdir()
    (outside / "file").write_text("outside\n", encoding="ascii")
    (folder / "link").symlink_to(outside / "file")
    (folder / "up").symlink_to(f"../{outside.name}")
    (folder / "mem").symlink_to("/proc/self/mem")
    os.mkfifo(folder / "fifo")
    if os.geteuid() == 0:
        os.mknod(folder / "device", 0o020600, Path("/dev/null").stat().st_rdev)
