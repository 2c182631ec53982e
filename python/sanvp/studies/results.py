"""Runs points as independent processes, and keeps each result under a digest of its inputs: nothing runs twice."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import program
from ..program import Cost
from .errors import StudyError
from .point import Point
from .project import MACHINES, RESULTS, SANVP, SOFTWARE, shown


@dataclass(frozen=True)
class Outcome:
    """A point's result: the headline metrics, the tables that the study reads, and its cost."""

    metrics: dict[str, Any]
    tables: dict[str, str]
    cost: Cost


@dataclass(frozen=True)
class Failure:
    """Why a point has no result."""

    message: str


@dataclass(frozen=True)
class Job:
    """A point as a remote worker needs it: the command and where to run it."""

    program: str
    command: tuple[str, ...]
    tables: tuple[str, ...]
    folder: str


LOOK_AGAIN_S = 0.2  # at what another study runs
NOT_SERVED = 2  # of `check`: pairs of hosts that are not served; its JSON then says how many


def _has_checked(job: Job, status: int, metrics: Path) -> bool:
    """Whether this is a check that found pairs of hosts without a route, which is a result and not a failure."""
    return job.command[:1] == ("check",) and status == NOT_SERVED and metrics.is_file()


def perform(job: Job) -> Outcome | Failure:
    """Runs the program once."""
    with tempfile.TemporaryDirectory(prefix="sanvp-study-") as temporary:
        metrics = Path(temporary) / "metrics.json"
        out = Path(temporary) / "out"
        options = ["--json", str(metrics), *(("--out", str(out)) if job.tables else ())]
        if job.command[:1] == ("traffic",) and "--jobs" not in job.command:
            options += ["--jobs", "1"]  # the processors run other points
        # what stands behind -- is the application's
        end = job.command.index("--") if "--" in job.command else len(job.command)
        command = [job.program, *job.command[:end], *options, *job.command[end:]]
        try:
            ended = program.start(command, job.folder)
            if ended.status != 0 and not _has_checked(job, ended.status, metrics):
                return Failure(f"exit status {ended.status}: {reasons(ended.errors)}")
            tables = {name: (out / name).read_text(encoding="utf-8") for name in job.tables}
            return Outcome(object_of(metrics.read_text(encoding="utf-8")), tables, ended.cost)
        except OSError as error:
            return Failure(f"{error.filename or job.program}: {error.strerror}")
        except UnicodeDecodeError as error:
            return Failure(f"its results are no UTF-8: {error}")
        except ValueError as error:
            return Failure(f"its --json is no JSON: {error}")


def reasons(errors: str) -> str:
    """The last lines on standard error."""
    lines = [line for line in errors.splitlines() if line.strip()][-3:]
    return " / ".join(lines) or "nothing on standard error"


def object_of(text: str) -> dict[str, Any]:
    """An object of JSON. NaN and infinities, which JSON lacks and Python reads, are null: nothing was measured."""
    found = json.loads(text, parse_constant=lambda _: None)
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def program_identity(path: Path = SANVP) -> str:
    """The digest of the program with its library."""
    if not path.is_file():
        raise StudyError(f"{shown(path)}: no such program: run scripts/build first")
    here = path.resolve().parent
    libraries = [file for folder in (here, here.parent / "lib") for file in sorted(folder.glob("libsanvp.so"))]
    return "".join(map(_digest, [path, *libraries[:1]]))


@functools.cache
def _software(folders: tuple[Path, ...] = SOFTWARE) -> tuple[str, ...]:
    """Digests of the images that hosts and NICs run (cmake/Images.cmake), without those of tests."""
    return tuple(
        _digest(path)
        for folder in folders
        for path in sorted(folder.rglob("*.so"))
        if "tests" not in path.relative_to(folder).parts
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a word too long to name one
        return False


@functools.cache
def _files(word: str, folder: Path) -> tuple[tuple[str, str], ...]:
    """The files that a word of a command names, with their digests: a machine with its includes, or any other file.

    A job is a word with spaces.
    """
    found: dict[Path, str] = {}
    waiting = [*(machines / f"{word}.ini" for machines in MACHINES), *(folder / part for part in {word, *word.split()})]
    while waiting:
        path = waiting.pop().resolve()
        if path in found or not _is_file(path):
            continue
        found[path] = _digest(path)
        if path.suffix == ".ini":
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                key, equals, value = line.partition("=")
                if equals and key.strip() == "include":
                    waiting.append(path.parent / value.split("#")[0].strip())
    return tuple(sorted((path.name, digest) for path, digest in found.items()))


class Results:
    """The cache: a JSON file for each point, under a digest of everything that its result depends on."""

    def __init__(self, folder: Path = RESULTS) -> None:
        self._folder = folder / "cache"

    def _file(self, point: Point) -> Path:
        files = [file for word in point.command for file in _files(word, point.folder)]
        software = _software() if point.command[:1] == ("run",) else ()
        key = json.dumps([program_identity(), software, point.command, sorted(set(point.tables)), files])
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"

    def load(self, point: Point) -> Outcome | None:
        """This point's kept result, or None."""
        try:
            kept = object_of(self._file(point).read_text(encoding="utf-8"))
            return Outcome(kept["metrics"], kept["tables"], Cost(**kept["cost"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, point: Point, outcome: Outcome) -> None:
        """Keeps a result atomically."""
        file = self._file(point)
        part = None
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=file.parent, suffix=".part", delete=False, encoding="utf-8"
            ) as part:
                json.dump({"command": point.command, **asdict(outcome)}, part)
            Path(part.name).replace(file)
        except OSError as error:  # such as a full disk
            if part is not None:
                Path(part.name).unlink(missing_ok=True)
            raise StudyError(f"{shown(file.parent)}: cannot be written: {error.strerror}") from None

    @contextlib.contextmanager
    def claim(self, point: Point, *, waits: bool) -> Iterator[bool]:
        """Locks the point against other study processes. Yields whether it holds the lock, at once or after waiting."""
        file = self._file(point).with_suffix(".lock")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            lock = _locked(file)
            while lock is None and waits and not program.is_stopped():
                time.sleep(LOOK_AGAIN_S)
                lock = _locked(file)
        except OSError as error:
            raise StudyError(f"{shown(file.parent)}: cannot be written: {error.strerror}") from None
        if lock is None:
            yield False
            return
        try:
            yield True
        finally:
            file.unlink(missing_ok=True)
            os.close(lock)

    def load_all(self, points: Iterable[Point]) -> dict[Point, Outcome]:
        """The kept results."""
        return {point: outcome for point in points if (outcome := self.load(point)) is not None}


def _locked(file: Path) -> int | None:
    """Locks the file and returns its descriptor; None if another process holds the lock."""
    while True:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if file.exists() and os.path.samestat(os.fstat(lock), file.stat()):  # and not removed by its last holder
                return lock
        except FileNotFoundError:
            pass
        except BlockingIOError:
            os.close(lock)
            return None
        os.close(lock)
