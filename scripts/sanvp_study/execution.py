"""Where points run: processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import contextlib
import functools
import shlex
import site
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed

from tqdm import tqdm

from . import results
from .errors import StudyError
from .project import ROOT, SANVP, shown
from .results import Failure, Job, Outcome, Results
from .study import Point


@contextlib.contextmanager
def workers(scheduler: str | None, jobs: int) -> Iterator[Executor]:
    """An executor of points. Dask's workers need the project under the same path, and no packages."""
    if scheduler is None:
        with ThreadPoolExecutor(jobs) as pool:  # a thread waits for its process
            yield pool
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise StudyError(
            f"--scheduler needs Dask's '{error.name}', which is not installed: "
            "apt-get install python3-distributed, or leave --scheduler out to run here"
        ) from None
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise StudyError(f"--scheduler {scheduler}: {error}") from None
    with client:
        # a function of the standard library: workers know it before they know this package; later ones call it, too
        client.register_worker_callbacks(setup=functools.partial(site.addsitedir, str(ROOT / "scripts")))
        with client.get_executor(pure=False) as executor:
            yield executor


def run_points(points: Iterable[Point], kept: Results, executor: Executor) -> list[tuple[Point, Failure]]:
    """Runs what has no result yet, and keeps each result at once. Returns those that failed."""
    missing = {point.command + point.tables: point for point in points if kept.load(point) is None}
    failures: list[tuple[Point, Failure]] = []
    pending: dict[Future[Outcome | Failure], Point] = {
        executor.submit(results.perform, Job(str(SANVP), point.command, point.tables, str(ROOT))): point
        for point in missing.values()
    }
    try:
        for future in tqdm(as_completed(pending), total=len(pending), unit="run", disable=not sys.stderr.isatty()):
            point, outcome = pending[future], future.result()
            if isinstance(outcome, Failure):
                failures.append((point, outcome))
            else:
                kept.keep(point, outcome)
    except BaseException:  # interrupted: what has not begun must not begin
        for future in pending:
            future.cancel()
        raise
    return failures


def describe(point: Point) -> str:
    """The command to repeat a point by hand."""
    return f"{shown(SANVP)} {shlex.join(point.command)}"
