"""`sanvp convert`: traces of other tools, and training steps of models, as GOAL."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TextIO

from ..streams import prepare_streams
from . import chakra, dumpi, otf2_archive, simgrid, training
from .collectives import ALGORITHMS
from .errors import ConvertError
from .goal import Writer

USERS_MISTAKE = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sanvp convert",
        description="Writes a program as GOAL, for `sanvp traffic MACHINE goal --file F` and "
        "`sanvp run MACHINE goal -- --file F`.",
    )
    formats = parser.add_subparsers(dest="format", required=True, metavar="FORMAT")

    def add(name: str, about: str, algorithms: Sequence[str] = ALGORITHMS) -> argparse.ArgumentParser:
        one = formats.add_parser(name, help=about, description=about)
        one.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the GOAL file")
        one.add_argument("--quiet", action="store_true", help="print no summary")
        one.add_argument(
            "--algorithm",
            choices=algorithms,
            default=algorithms[0],
            help=f"of collective operations (default: {algorithms[0]})",
        )
        return one

    one = add("simgrid", "time-independent traces of SimGrid (SMPI)")
    one.add_argument("trace", type=Path, help="the file that lists the ranks' traces, or one with all ranks")
    one.add_argument("--flops", type=_positive, default=1e9, help="operations per second of `compute` (1e9)")
    one = add("dumpi", "DUMPI's traces as text (dumpi2ascii)")
    one.add_argument("traces", type=Path, nargs="+", metavar="TRACE", help="the ranks' files, in order")
    one.add_argument("--type-bytes", type=int, default=0, metavar="N", help="of an element of the program's own types")
    one.add_argument("--cpu-ratio", type=_positive, default=1.0, help="by which computation becomes longer (1)")
    one = add("chakra", "execution traces of Chakra (MLCommons)")
    one.add_argument("traces", type=Path, nargs="+", metavar="TRACE", help="the ranks' files, in order")
    one.add_argument("--groups", type=Path, metavar="FILE", help='process groups: JSON such as {"tp": [0, 1]}')
    one.add_argument("--flops", type=_positive, help="operations per second, for nodes without a time")
    one = add("otf2", "OTF2 archives (Score-P; `sanvp run --trace F.otf2`)", (otf2_archive.CALLS, *ALGORITHMS))
    one.add_argument("trace", type=Path, help="the anchor file, such as traces.otf2")
    one.add_argument("--cpu-ratio", type=_positive, default=1.0, help="by which computation becomes longer (1)")
    one = add("training", "a step of training a transformer")
    for field in fields(training.Step):
        if field.name != "algorithm":
            kind = {"flops": _positive, "node_rate": float}.get(field.name, int)
            one.add_argument(_option(field.name), type=kind, default=field.default, help=f"({field.default:g})")
    return parser


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _groups(path: Path | None) -> dict[str, list[int]]:
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConvertError(f'{path}: is no JSON: {error}: write it like {{"tp": [0, 1]}}') from None
    if not isinstance(found, dict) or not all(
        isinstance(ranks, list) and ranks and all(isinstance(one, int) and one >= 0 for one in ranks)
        for ranks in found.values()
    ):
        raise ConvertError(f'{path}: is no list of ranks for each group: write it like {{"tp": [0, 1]}}')
    return found


def _write(options: argparse.Namespace, out: TextIO, words: Sequence[str]) -> Writer:
    origin = "sanvp convert " + shlex.join(words)

    def writer_of(ranks: int) -> Writer:
        return Writer(out, ranks, origin.replace("\n", " "))

    if options.format == "simgrid":
        return simgrid.convert(options.trace, writer_of, flops=options.flops, algorithm=options.algorithm)
    if options.format == "dumpi":
        more: dict[str, Any] = {"type_bytes": options.type_bytes, "cpu_ratio": options.cpu_ratio}
        return dumpi.convert(options.traces, writer_of, algorithm=options.algorithm, **more)
    if options.format == "chakra":
        more = {"groups": _groups(options.groups), "flops": options.flops}
        return chakra.convert(options.traces, writer_of, algorithm=options.algorithm, **more)
    if options.format == "otf2":
        return otf2_archive.convert(options.trace, writer_of, algorithm=options.algorithm, cpu_ratio=options.cpu_ratio)
    step = training.Step(**{field.name: getattr(options, field.name) for field in fields(training.Step)})
    return training.generate(step, writer_of)


def main(words: Sequence[str]) -> int:
    """Runs the command. A file that could not be written whole is not left. @return the exit status"""
    options = _parser().parse_args(words)
    part = options.output.with_name(options.output.name + ".part")
    try:
        if str(options.output) == "-":
            raise ConvertError("--output: '-' is no name of a file; name one, such as program.goal")
        with part.open("w", encoding="utf-8") as out:
            writer = _write(options, out, words)
        part.replace(options.output)
    except ConvertError as error:
        message = str(error)
    except UnicodeDecodeError as error:
        message = f"a trace is no text: {error}: convert it to text first"
    except OSError as error:
        message = f"{error.filename}: {error.strerror}"
    else:
        if not options.quiet:
            print(f"{options.output}: {writer.ranks} ranks, {writer.operations} operations{writer.about}")
        return 0
    part.unlink(missing_ok=True)
    print(f"error: {message}", file=sys.stderr)
    return USERS_MISTAKE


if __name__ == "__main__":
    prepare_streams()
    sys.exit(main(sys.argv[1:]))
