"""Interference: several jobs on one machine, each alone and all together.

An entry becomes runs: one with all jobs, which has the entry's name, and one with each job alone, `NAME_JOB`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import StudyError
from .expressions import Expression
from .yaml_file import known, scalars, text

TIME = "rank_time_ns"  # of a job: the mean time from a rank's start to its end
_RATE = re.compile(r"(MBps|GBps|_per_s|flops)$", re.IGNORECASE)
FEWEST_JOBS = 2
_RUN_KEYS = ("axes", "quick", "seeds")


@dataclass(frozen=True)
class Job:
    """One of the jobs: what is measured of it alone and beside the others."""

    name: str
    metric: str
    alone: Expression
    together: Expression
    slowdown: Expression


@dataclass(frozen=True)
class Interference:
    """Jobs that run together."""

    name: str
    place: str
    jobs: tuple[Job, ...]


def read_interference(name: str, value: object, place: str) -> tuple[Interference, dict[str, dict[str, object]]]:
    """Reads an entry. @return it, and the runs that it stands for, as a study file would have them"""
    entry = known(value, place, ("machine", "jobs"), ("metric", *_RUN_KEYS))
    jobs = {job: " ".join(str(words).split()) for job, words in scalars(entry["jobs"], f"{place}.jobs").items()}
    if len(jobs) < FEWEST_JOBS:
        raise StudyError(f"{place}.jobs: needs {FEWEST_JOBS} jobs at least")
    for job in jobs:
        if not job.isidentifier():
            raise StudyError(f"{place}.jobs: '{job}' cannot name a job")
    metrics = entry.get("metric", TIME)
    if not isinstance(metrics, dict):
        metrics = dict.fromkeys(jobs, text(metrics, f"{place}.metric"))
    metrics = dict.fromkeys(jobs, TIME) | scalars(known(metrics, f"{place}.metric", (), jobs), f"{place}.metric")
    machine = text(entry["machine"], f"{place}.machine")
    shared = {key: entry[key] for key in _RUN_KEYS if key in entry}
    runs = {name: {"command": _command(machine, list(jobs.values())), **shared}}
    runs |= {f"{name}_{job}": {"command": _command(machine, [words]), **shared} for job, words in jobs.items()}
    described = tuple(_job(name, i, job, str(metrics[job]), f"{place}.jobs.{job}") for i, job in enumerate(jobs))
    return Interference(name, place, described), runs


def _job(name: str, index: int, job: str, metric: str, place: str) -> Job:
    alone, together = f"{name}_{job}.job0.{metric}", f"{name}.job{index}.{metric}"
    slowdown = f"{alone} / {together}" if _RATE.search(metric) else f"{together} / {alone}"
    return Job(job, metric, *(Expression(one, place) for one in (alone, together, slowdown)))


def _command(machine: str, jobs: list[str]) -> list[str]:
    """The words of `run` with these jobs. A further job is one word."""
    options, dashes, arguments = jobs[0].partition(" -- ")
    app, _, rest = options.partition(" ")
    name, _, settings = machine.partition(" ")
    others = [word for job in jobs[1:] for word in ("--job", job)]
    behind = ["--", *arguments.split()] if dashes else []
    return ["run", name, app, *settings.split(), *rest.split(), *others, *behind]
