"""Finds the program `sanvp` and starts it: the only place that does. It needs the standard library alone.

Threads may start programs at the same time. `stop` ends them all, until `allow`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

STOPPED = 143  # as a shell has it of SIGTERM
_KIB_PER_MB = 1e6 / 1024
_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Cost:
    """What a run of the program took."""

    wall_s: float
    cpu_s: float
    peak_mb: float  # memory


@dataclass(frozen=True)
class Ended:
    """A run of the program that has ended."""

    status: int
    output: str
    errors: str
    cost: Cost


def find(name: str = "sanvp") -> Path:
    """The program: $SANVP, or beside the installed package, in the build tree, or on PATH.

    @param name  of another program that lies beside it, such as sanvp-cc
    @return where it should be in the build tree, if there is none
    """
    if named := os.environ.get("SANVP"):
        return Path(named) if name == "sanvp" else Path(named).with_name(name)
    for folder in _PACKAGE.parents:
        for inside in ("bin", "build"):
            if os.access(candidate := folder / inside / name, os.X_OK) and candidate.is_file():
                return candidate
    on_path = shutil.which(name)
    return Path(on_path) if on_path else _PACKAGE.parents[1] / "build" / name


@dataclass
class _Running:
    """The programs that run now."""

    begins: threading.Lock = field(default_factory=threading.Lock)
    processes: set[subprocess.Popen[bytes]] = field(default_factory=set)
    is_stopped: bool = False


_running = _Running()


def allow() -> None:
    """Allows programs to start."""
    _running.is_stopped = False


def stop() -> None:
    """Ends all programs and lets none start; the threads that wait for them go on."""
    with _running.begins:
        _running.is_stopped = True
        for process in _running.processes:
            process.terminate()


def is_stopped() -> bool:
    """Whether no program may start."""
    return _running.is_stopped


def start(command: Sequence[str], folder: str | os.PathLike[str] | None = None, *, keep_output: bool = False) -> Ended:
    """Runs a command to its end.

    @param folder       where it runs
    @param keep_output  whether its standard output is wanted
    """
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed,
    ):
        began = time.monotonic()
        with _running.begins:
            if _running.is_stopped:
                return Ended(STOPPED, "", "the program was ended", Cost(0, 0, 0))
            process = subprocess.Popen(
                list(command), stdout=printed if keep_output else subprocess.DEVNULL, stderr=said, cwd=folder
            )
            _running.processes.add(process)
        usage = _wait(process)
        printed.seek(0)
        said.seek(0)
        cost = Cost(time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / _KIB_PER_MB)
        return Ended(process.returncode, printed.read(), said.read(), cost)


def _wait(process: subprocess.Popen[bytes]) -> os.struct_rusage:
    """Waits for the end of a process, or ends it if the wait is interrupted. @return what it took"""
    try:
        _, status, usage = os.wait4(process.pid, 0)  # subprocess would not tell what this one took
    except BaseException:
        process.terminate()
        process.wait()
        raise
    finally:
        with _running.begins:
            _running.processes.discard(process)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage
