"""The command line of scripts/study."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import StudyError, one_of
from .execution import describe, run_points, workers
from .measurements import measurements
from .project import RESULTS, STUDIES, from_here
from .results import STOPPED, Results, program_identity
from .study import Study, read_studies
from .verdicts import rows

USERS_MISTAKE = 2
INTERRUPTED = 130
FAILURES_SHOWN = 5


def _chosen(names: Sequence[str], studies: dict[str, Study]) -> list[Study]:
    """The studies of these names; a common first word, `itb` of `itb-tables` and `itb-load`, names all of them."""
    chosen: list[str] = []
    for name in names:
        family = [name] if name in studies else [study for study in studies if study.startswith(f"{name}-")]
        if not family:
            raise StudyError(f"no study '{name}': {one_of(name, studies)}")
        chosen += family
    return [studies[name] for name in dict.fromkeys(chosen)]


def list_studies(options: argparse.Namespace) -> int:
    """Lists each study and how many of its results are kept."""
    studies, _ = read_studies(options.studies)
    kept = Results(options.results)
    width = max(map(len, studies), default=0)
    print(f"{'study':<{width}}  {'points':>11}  {'quick':>11}")
    for study in studies.values():
        shares = []
        for quick in (False, True):
            points = study.points(quick)
            shares.append(f"{len(kept.load_all(points))}/{len(points)}")
        print(f"{study.name:<{width}}  {shares[0]:>11}  {shares[1]:>11}  {study.title}")
    return 0


def run_studies(options: argparse.Namespace) -> int:
    """Runs the points that have no result yet."""
    studies, _ = read_studies(options.studies)
    kept = Results(options.results)
    chosen = _chosen(options.names, studies)
    points = [point for study in chosen for point in study.points(options.quick)]
    program_identity()  # a missing program is told before anything else
    found = len(kept.load_all(points))
    print(f"{len(points)} points, {found} of them have results", file=sys.stderr)
    with workers(options.scheduler, options.jobs) as executor:
        failures = run_points(points, kept, executor)
    for point, failure in failures[:FAILURES_SHOWN]:
        print(f"study: failed: {describe(point)}\n  {failure.message}", file=sys.stderr)
    if failures:
        more = f", {len(failures) - FAILURES_SHOWN} more than shown" if len(failures) > FAILURES_SHOWN else ""
        print(f"study: {len(failures)} of {len(points)} points failed{more}; all else is kept", file=sys.stderr)
    return USERS_MISTAKE if failures else 0


def report(options: argparse.Namespace) -> int:
    """Writes tables and figures of all kept results."""
    from .report import document, markdown, page, pictures, summary  # drawing takes a second to load

    studies, targets = read_studies(options.studies)
    kept = Results(options.results)
    chosen = _chosen(options.names, studies) or list(studies.values())
    every = [measurements(study, kept) for study in studies.values()]
    mistakes: list[str] = []
    table = rows(every, targets, mistakes)
    if options.json is not None:
        listed = json.dumps([row.json() for row in table if not row.is_anchor], indent=2) + "\n"
        if str(options.json) == "-":
            print(listed, end="")
            return _tell(mistakes)
        options.json.write_text(listed, encoding="utf-8")

    measured = [one for one in every if one.study in chosen]
    names = {study.name for study in chosen}
    shown_rows = [row for row in table if not options.names or row.study in names]
    drawn = pictures(measured, targets, options.results / "figures", mistakes)
    tables = f"{markdown(shown_rows)}\n{summary(shown_rows)}\n"
    written = [options.html or options.results / "report.html", options.results / "report.md"]
    for file, content in zip(written, (page(measured, shown_rows, drawn, program_identity()), tables), strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    if options.markdown is not None:
        options.markdown.write_text(document(measured, shown_rows), encoding="utf-8")
        written.append(options.markdown)
    print(tables)
    for file in [*written, *(file for files in drawn.values() for file in files)]:
        print(f"  {from_here(file)}")
    return _tell(mistakes)


def _tell(mistakes: Sequence[str]) -> int:
    """Prints each mistake in study files once. @return the exit status"""
    for mistake in dict.fromkeys(mistakes):
        print(f"study: {mistake}", file=sys.stderr)
    return USERS_MISTAKE if mistakes else 0


class _EndedError(BaseException):
    """A signal ended the program."""


def _end(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # cleaning up must not be interrupted
    raise _EndedError(signal.Signals(number).name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="study", description="Runs the papers' experiments again and compares.")
    parser.add_argument("--studies", type=Path, default=STUDIES, help="folder of study files (%(default)s)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of results (%(default)s)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    commands.add_parser("list", help="the studies, and how many results there are").set_defaults(do=list_studies)

    run = commands.add_parser("run", help="run the points that have no result yet")
    run.add_argument("names", nargs="+", metavar="NAME")
    run.add_argument("--quick", action="store_true", help="fewer or shorter points: seconds")
    run.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://host:8786")
    run.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at a time here")
    run.set_defaults(do=run_studies)

    tell = commands.add_parser("report", help="papers' and measured values, and the figures")
    tell.add_argument("names", nargs="*", metavar="NAME", help="these studies alone; --json has all targets still")
    tell.add_argument("--json", type=Path, metavar="FILE", help="all targets as a list; -: on standard output, alone")
    tell.add_argument("--markdown", type=Path, metavar="FILE", help="a page of Markdown too: tables, study by study")
    tell.add_argument("--html", type=Path, metavar="FILE", help="where the page goes")
    tell.set_defaults(do=report)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. @return the exit status"""
    parser = _parser()
    options = parser.parse_args(arguments)
    if getattr(options, "jobs", 1) < 1:
        parser.error("--jobs must be at least 1")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    try:
        status: int = options.do(options)
        sys.stdout.flush()
        return status
    except StudyError as error:
        print(f"study: {error}", file=sys.stderr)
        return USERS_MISTAKE
    except BrokenPipeError:  # `study report | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at its exit
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename is not None else ""  # none: a file that was open already
        print(f"study: {place}{error.strerror or error}", file=sys.stderr)
        return USERS_MISTAKE
    except _EndedError as error:
        print(f"study: ended by {error}; what has run is kept", file=sys.stderr)
        return STOPPED
    except KeyboardInterrupt:
        print("\nstudy: interrupted; what has run is kept, and the same command goes on from there", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
