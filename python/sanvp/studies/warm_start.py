"""Points that share their first part, as branches of one run (docs/branches.md)."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .. import program
from ..program import Cost
from .point import Point
from .results import Failure, Job, Outcome, object_of, reasons

MOST_BRANCHES = 20  # of one run, so that several processors have work
FAULT = "--fault"  # the option of a branch that leaves the result of a run which has it from the start


def parts(command: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a command has in common with others, and its faults."""
    end = command.index("--") if "--" in command else len(command)
    common: list[str] = []
    faults: list[str] = []
    words = iter(command[:end])
    for word in words:
        if word == FAULT:
            faults += [word, next(words, "")]
        elif word.startswith(FAULT + "="):
            faults.append(word)
        else:
            common.append(word)
    return (*common, *command[end:]), tuple(faults)


def bunches(points: Iterable[Point]) -> list[list[Point]]:
    """The points that one run makes: several if they differ in their faults alone and have a warm start."""
    found: list[list[Point]] = []
    open_ones: dict[tuple, list[Point]] = {}
    for point in points:
        if not point.warm_start:
            found.append([point])
            continue
        common, _ = parts(point.command)
        key = (common, point.tables, point.folder, point.warm_start)
        bunch = open_ones.get(key)
        if bunch is None or len(bunch) == MOST_BRANCHES:
            bunch = open_ones[key] = []
            found.append(bunch)
        bunch.append(point)
    return found


def perform(jobs: list[Job], warm_start: str) -> list[Outcome | Failure]:
    """Runs what jobs have in common once, up to the warm start, and from there each with its own faults."""
    first = jobs[0]
    common, _ = parts(first.command)
    end = common.index("--") if "--" in common else len(common)
    with tempfile.TemporaryDirectory(prefix="sanvp-study-") as temporary:
        metrics, out = Path(temporary) / "metrics.json", Path(temporary) / "out"
        options = ["--json", str(metrics), "--out", str(out), "--branch-at", warm_start]
        for job in jobs:
            options += ["--branch", shlex.join(parts(job.command)[1])]
        ended = program.start([first.program, *common[:end], *options, *common[end:]], first.folder)
        share = Cost(ended.cost.wall_s / len(jobs), ended.cost.cpu_s / len(jobs), ended.cost.peak_mb)
        failure = Failure(f"exit status {ended.status}: {reasons(ended.errors)}")
        try:
            branches = object_of(metrics.read_text(encoding="utf-8"))["branches"]
        except (OSError, ValueError, KeyError):
            return [failure for _ in jobs]
        return [
            _outcome(job, branch, out / f"branch-{number}", share, failure)
            for number, (job, branch) in enumerate(zip(jobs, branches, strict=True), 1)
        ]


def _outcome(job: Job, branch: dict, folder: Path, cost: Cost, failure: Failure) -> Outcome | Failure:
    if branch["exit_status"] != 0 or branch["result"] is None:
        return failure
    try:
        return Outcome(
            branch["result"], {name: (folder / name).read_text(encoding="utf-8") for name in job.tables}, cost
        )
    except OSError as error:
        return Failure(f"{error.filename}: {error.strerror}")
