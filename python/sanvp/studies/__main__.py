"""The command line of scripts/study."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ..program import STOPPED
from ..streams import prepare_streams
from .errors import StudyError
from .execution import describe, run_all
from .measurements import measurements
from .project import RESULTS, STUDIES, from_here, shown
from .results import Results, program_identity
from .selection import select
from .verdicts import rows

USERS_MISTAKE = 2
INTERRUPTED = 130
FAILURES_SHOWN = 5


def list_studies(options: argparse.Namespace) -> int:
    """Lists each study and how many of its results are kept."""
    selected = select(options.names, options.studies, options.results)
    kept = Results(selected.results)
    width = max((len(study.name) for study in selected.chosen), default=0)
    print(f"{'study':<{width}}  {'points':>11}  {'quick':>11}")
    for study in selected.chosen:
        shares = []
        for quick in (False, True):
            points = study.points(quick)
            shares.append(f"{len(kept.load_all(points))}/{len(points)}")
        print(f"{study.name:<{width}}  {shares[0]:>11}  {shares[1]:>11}  {study.title}")
    return 0


def run_studies(options: argparse.Namespace) -> int:
    """Runs the points that have no result yet."""
    selected = select(options.names, options.studies, options.results)
    kept = Results(selected.results)
    failures = run_all(
        selected.chosen,
        kept,
        quick=options.quick,
        scheduler=options.scheduler,
        jobs=options.jobs,
        tell=lambda message: print(message, file=sys.stderr),
    )
    for point, failure in failures[:FAILURES_SHOWN]:
        print(f"study: failed: {describe(point)}\n  {failure.message}", file=sys.stderr)
    if failures:
        points = sum(len(study.points(options.quick)) for study in selected.chosen)
        more = f", {len(failures) - FAILURES_SHOWN} more than shown" if len(failures) > FAILURES_SHOWN else ""
        print(f"study: {len(failures)} of {points} points failed{more}; all else is kept", file=sys.stderr)
    return USERS_MISTAKE if failures else 0


def report(options: argparse.Namespace) -> int:
    """Writes tables and figures of all kept results."""
    from .report import (
        document,
        interference_markdown,
        markdown,
        page,
        pictures,
        sections,
        summary,
        with_pictures,
    )  # drawing takes a second to load

    selected = select(options.names, options.studies, options.results)
    kept = Results(selected.results)
    every = [measurements(study, kept) for study in selected.every]
    mistakes: list[str] = []
    table = rows(every, selected.targets, mistakes)
    if options.json is not None:
        listed = json.dumps([row.json() for row in table], indent=2) + "\n"
        if str(options.json) == "-":
            print(listed, end="")
            return _tell(mistakes)
        options.json.write_text(listed, encoding="utf-8")

    measured = [one for one in every if one.study in selected.chosen]
    names = {study.name for study in selected.chosen}
    shown_rows = [row for row in table if not options.names or row.study in names]
    notes: list[str] = []
    drawn = pictures(measured, selected.targets, selected.results / "figures", mistakes, notes, static=options.static)
    compared = [text for one in measured for text in interference_markdown(one, mistakes)]
    tables = "\n".join(part for part in (*compared, markdown(shown_rows), summary(shown_rows)) if part)
    tables = tables.rstrip("\n") + "\n" if tables else ""
    text = sections(measured, drawn, selected.results, mistakes) + (f"\n{tables}" if tables else "")
    written = [options.html or selected.results / "report.html", selected.results / "report.md"]
    for file, content in zip(written, (page(measured, shown_rows, drawn, program_identity()), text), strict=True):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", errors="backslashreplace")
    if options.markdown is not None:
        try:
            earlier = options.markdown.read_text(encoding="utf-8") if options.markdown.is_file() else ""
        except UnicodeDecodeError:
            raise StudyError(f"--markdown {options.markdown}: is no page of Markdown: no UTF-8") from None
        content = document(measured, shown_rows, earlier)
        every_figure = [one for figures in drawn.values() for one in figures]
        content, copied = with_pictures(content, options.markdown.parent, every_figure)
        options.markdown.write_text(content, encoding="utf-8", errors="backslashreplace")
        written += [options.markdown, *copied]
    if tables:
        print(tables)
    for file in [*written, *(one.picture for figures in drawn.values() for one in figures)]:
        print(f"  {from_here(file)}")
    for note in dict.fromkeys(notes):
        print(f"study: note: {note}", file=sys.stderr)
    return _tell(mistakes)


def compare_two(options: argparse.Namespace) -> int:
    """Says which parameters of two studies or result folders differ, and which metrics moved."""
    from .compare import compare, read_side, text

    sides = [read_side(name, options.studies, options.results) for name in (options.a, options.b)]
    found = compare(*sides)
    if options.json is None:
        print(text(found, *("AB" if sides[0].label == sides[1].label else (side.label for side in sides))), end="")
        return 0
    content = json.dumps(found.json(), indent=2) + "\n"
    if str(options.json) == "-":
        print(content, end="")
    else:
        options.json.write_text(content, encoding="utf-8")
    return 0


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


def _folders(*, inside: bool) -> argparse.ArgumentParser:
    """The options that stand before a command or behind it. @param inside  behind it, where they have no default"""
    default = {"default": argparse.SUPPRESS} if inside else {}
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument(
        "--studies", type=Path, metavar="DIR", help=f"folder of study files ({shown(STUDIES)})", **default
    )
    options.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help=f"folder of results ({shown(RESULTS)}; of a study that is given by its path: results/study beside it)",
        **default,
    )
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sanvp study",
        description="Runs sweeps of the program, the papers' or your own, and draws the results.",
        parents=[_folders(inside=False)],
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    folders = _folders(inside=True)

    listed = commands.add_parser("list", help="the studies, and how many results there are", parents=[folders])
    listed.add_argument("names", nargs="*", metavar="NAME", help="these studies alone")
    listed.set_defaults(do=list_studies)

    run = commands.add_parser("run", help="run the points that have no result yet", parents=[folders])
    run.add_argument("names", nargs="+", metavar="NAME", help="of a study, or the path of a study file of your own")
    run.add_argument("--quick", action="store_true", help="fewer or shorter points: seconds")
    run.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://host:8786")
    run.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at a time here")
    run.set_defaults(do=run_studies)

    tell = commands.add_parser("report", help="papers' and measured values, and the figures", parents=[folders])
    tell.add_argument("names", nargs="*", metavar="NAME", help="these studies alone; --json has all targets still")
    tell.add_argument(
        "--json", type=Path, metavar="FILE", help="all targets, then all anchors, as a list; -: on standard output"
    )
    tell.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="a page of Markdown too; of an earlier one the head is kept, and its figures are copied beside it",
    )
    tell.add_argument("--html", type=Path, metavar="FILE", help="where the page goes")
    tell.add_argument("--static", action="store_true", help="a page with pictures, not with Plotly's figures: smaller")
    tell.set_defaults(do=report)

    two = commands.add_parser(
        "compare", help="which parameters of two studies differ, and which metrics moved", parents=[folders]
    )
    place = "a study, a folder of --results, or a result folder of the program (--out)"
    two.add_argument("a", metavar="A", help=place)
    two.add_argument("b", metavar="B", help="the same")
    two.add_argument("--json", type=Path, metavar="FILE", help="all that differs as JSON; -: on standard output, alone")
    two.set_defaults(do=compare_two)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. @return the exit status"""
    prepare_streams()
    parser = _parser()
    options = parser.parse_args(arguments)
    if getattr(options, "jobs", 1) < 1:
        parser.error("--jobs must be at least 1")
    for name in ("html", "markdown"):
        if str(getattr(options, name, None)) == "-":
            parser.error(f"--{name}: '-' is standard output for --json alone; name a file")
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
