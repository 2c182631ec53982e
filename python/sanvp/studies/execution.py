"""Where points run: processes of this machine, or the workers of a Dask scheduler."""

from __future__ import annotations

import contextlib
import functools
import shlex
import site
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed

from tqdm import tqdm

from .. import program
from . import results, warm_start
from .errors import StudyError
from .point import Point
from .project import PACKAGES, ROOT, SANVP, shown
from .results import Failure, Job, Outcome, Results, program_identity
from .study import Study


@contextlib.contextmanager
def workers(scheduler: str | None, jobs: int) -> Iterator[Executor]:
    """An executor of points. Dask's workers need the project at the same path, and no packages."""
    if scheduler is None:
        try:
            with ThreadPoolExecutor(jobs) as pool:  # a thread waits for its process
                yield pool
        finally:
            program.allow()  # after an interruption; all have ended
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
        client.register_worker_callbacks(setup=functools.partial(site.addsitedir, str(PACKAGES)))
        with client.get_executor(pure=False) as executor:
            yield executor


def run_all(
    studies: Iterable[Study],
    kept: Results,
    *,
    quick: bool,
    scheduler: str | None,
    jobs: int,
    tell: Callable[[str], None] = lambda message: None,
) -> list[tuple[Point, Failure]]:
    """Compiles the studies' programs and runs the points that have no result yet. Returns the failures."""
    program_identity()  # a missing program is told before anything else
    studies = list(studies)
    for one in (one for study in studies for one in study.programs if not one.is_current()):
        tell(f"compiling {shown(one.file)}")
        one.compile()
    for trace in (trace for study in studies for trace in study.traces(quick) if not trace.is_current()):
        tell(f"making {shown(trace.file)}")
        trace.make()
    points = [point for study in studies for point in study.points(quick)]
    tell(f"{len(points)} points, {len(kept.load_all(points))} of them have results")
    with workers(scheduler, jobs) as executor:
        return run_points(points, kept, executor)


def run_points(points: Iterable[Point], kept: Results, executor: Executor) -> list[tuple[Point, Failure]]:
    """Runs the points that have no result yet and keeps each result at once. Returns the failures.

    What another study runs at the same time is left to it, and looked at again when all else is done.
    """
    missing = {point.command + point.tables: point for point in points if kept.load(point) is None}
    waiting = list(missing.values())
    program.allow()
    failures: list[tuple[Point, Failure]] = []
    with tqdm(total=len(waiting), unit="run", disable=not sys.stderr.isatty()) as shown_progress:
        for waits in (False, True):
            waiting = _run_each(waiting, kept, executor, failures, shown_progress, waits=waits)
    return failures


def _run_each(
    points: list[Point],
    kept: Results,
    executor: Executor,
    failures: list[tuple[Point, Failure]],
    shown_progress: tqdm,
    *,
    waits: bool,
) -> list[Point]:
    """Runs the points that no other study process runs. Returns the others."""
    is_local = isinstance(executor, ThreadPoolExecutor)
    left: list[Point] = []
    with contextlib.ExitStack() as claims:
        pending: dict[Future[list[Outcome | Failure | None]], list[Point]] = {}
        try:
            for bunch in warm_start.bunches(points):
                if is_local:
                    pending[executor.submit(_run_once, bunch, kept, waits)] = bunch
                    continue
                ours = [point for point in bunch if claims.enter_context(kept.claim(point, waits=waits))]
                left += [point for point in bunch if point not in ours]
                ours = [point for point in ours if kept.load(point) is None]
                if ours:
                    pending[executor.submit(_perform, [_job(point) for point in ours], bunch[0].warm_start)] = ours
            for future in as_completed(pending):
                for point, outcome in zip(pending[future], future.result(), strict=True):
                    if outcome is None:
                        left.append(point)
                        continue
                    shown_progress.update()
                    if isinstance(outcome, Failure):
                        failures.append((point, outcome))
                    elif not is_local:
                        kept.keep(point, outcome)
        except BaseException:  # interrupted: no further point begins, and running ones end
            for future in pending:
                future.cancel()
            program.stop()
            raise
    return left


def _job(point: Point) -> Job:
    return Job(str(SANVP), point.command, point.tables, str(point.folder))


def _perform(jobs: list[Job], start: str) -> list[Outcome | Failure]:
    return [results.perform(jobs[0])] if len(jobs) == 1 else warm_start.perform(jobs, start)


def _run_once(points: list[Point], kept: Results, waits: bool) -> list[Outcome | Failure | None]:
    """Runs points together and keeps their results. None in place of one that another study process runs."""
    with contextlib.ExitStack() as claims:
        ours = [point for point in points if claims.enter_context(kept.claim(point, waits=waits))]
        outcomes: dict[Point, Outcome | Failure | None] = {point: kept.load(point) for point in ours}
        missing = [point for point in ours if outcomes[point] is None]
        made = _perform([_job(point) for point in missing], points[0].warm_start) if missing else []
        for point, done in zip(missing, made, strict=True):
            outcomes[point] = done
            if isinstance(done, Outcome):
                kept.keep(point, done)
        return [outcomes.get(point) for point in points]


def describe(point: Point) -> str:
    """The command that repeats a point by hand; of a study from elsewhere with its folder, where paths start."""
    if point.folder == ROOT:
        return f"{shown(SANVP)} {shlex.join(point.command)}"
    return f"cd {shlex.quote(str(point.folder))} && {SANVP.resolve()} {shlex.join(point.command)}"
