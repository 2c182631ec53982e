"""The command line of `sanvp draw`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import program
from .errors import DrawError
from .layout import plan_of
from .motion import MOST_CABLES, Part, motion_of
from .network import Network, cycle_of, network_of
from .page import folded_page, group_page, page
from .results import Source, require_same_cables, results_of, source_of
from .svg import Extra, picture
from .tiles import is_folded
from .trace import Timeline, read
from .views import Folded

USERS_MISTAKE = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sanvp draw",
        allow_abbrev=False,
        description="Draws a machine's network, results on it, or packets that move: FILE.svg is a picture, "
        "FILE.html a page that works from disk, with zoom, search and facts on hover.",
        epilog="examples: sanvp draw qsnet-64 -o machine.html; sanvp draw --results results/a results/b -o b.html; "
        "sanvp draw qsnet-64 -o worms.html --animate traffic uniform --load 0.3 --trace-until 3us",
    )
    parser.add_argument(
        "machine", nargs="?", metavar="MACHINE", help="a name of `sanvp list machines`, or a machine file"
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="FILE.svg or FILE.html")
    parser.add_argument(
        "-s", "--set", action="append", default=[], metavar="KEY=VALUE", help="a parameter of the machine"
    )
    parser.add_argument("--seed", metavar="N", help="of the machine's random choices")
    parser.add_argument("--topology", metavar="FILE", help="a text file instead of the machine's topology")
    parser.add_argument("--routes", metavar="FILE", help="a text file instead of the machine's routing")
    parser.add_argument("--part", action="append", default=[], metavar="FILE", help="a part of your own")
    parser.add_argument(
        "--route",
        nargs=2,
        action="append",
        default=[],
        metavar=("SRC", "DST"),
        help="draw the routes of a pair of hosts",
    )
    parser.add_argument(
        "--check", action="store_true", help="draw the cycle that `sanvp check` finds, if a deadlock is possible"
    )
    parser.add_argument(
        "--fold",
        action="store_true",
        help="draw groups as boxes that open by a click, as beyond 1,024 hosts; up to 128 switches are one group",
    )
    parser.add_argument(
        "--group",
        metavar="NAME",
        help="draw one group alone: by the name that the page of a folded machine shows, or as 'host 12', 'switch 5'",
    )
    parser.add_argument(
        "--results",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="folders of --out: use of links, waiting times; of two also the difference",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="FILE",
        help="a timeline of --trace: packets that move, or with --results use over time",
    )
    parser.add_argument(
        "--animate",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="the last option: traffic, replay or run without the machine; runs it with --fidelity flit and plays it",
    )
    return parser


def _options(options: argparse.Namespace) -> list[str]:
    """Those of the program, for the machine."""
    words = [word for setting in options.set for word in ("-s", setting)]
    words += [word for part in options.part for word in ("--part", part)]
    for name in ("seed", "topology", "routes"):
        if (value := getattr(options, name)) is not None:
            words += [f"--{name}", value]
    return words


def _animated(machine: str, words: list[str], command: Sequence[str]) -> tuple[Timeline, str, str]:
    """Runs a command with a timeline of every flit. @return the timeline, the command as text, what it said"""
    if not command or command[0] not in ("traffic", "replay", "run"):
        raise DrawError("--animate: say what runs: traffic PATTERN, replay --traffic FILE, or run APP")
    split = command.index("--") if "--" in command else len(command)
    own, behind = list(command[1:split]), list(command[split:])
    if "--trace" in own:
        raise DrawError(
            "--animate writes its own timeline: leave out --trace, or draw an existing one by --trace alone"
        )
    fidelity = [] if "--fidelity" in own else ["--fidelity", "flit"]
    if not fidelity and own[own.index("--fidelity") + 1 :][:1] != ["flit"]:
        raise DrawError("--animate needs --fidelity flit, which records where each flit is")
    if "--trace-until" in own[:-1] and "--until" not in own:  # what follows is not shown
        own += ["--until", own[own.index("--trace-until") + 1]]
    with tempfile.TemporaryDirectory(prefix="sanvp-draw-") as folder:
        file = Path(folder) / "run.json"
        line = [command[0], machine, *own, *words, *fidelity]
        ended = program.start([str(program.find()), *line, "--trace", str(file), *behind])
        shown = " ".join(["sanvp", *line, *behind])
        deadlock, until_reached = 3, 5
        if ended.status not in (0, deadlock, until_reached) or not file.is_file():
            raise DrawError(f"{shown}: {ended.errors.strip().removeprefix('error: ')}")
        return read(file), shown, ended.errors


def _extra(options: argparse.Namespace, network: Network, words: list[str]) -> Extra:
    """Routes and cycles over the network."""
    extra = Extra()
    for pair in network.json.get("routes", []):
        alternatives = pair["alternatives"]
        name = f"{pair['source']} to {pair['destination']}"
        if not alternatives:
            extra.notes.append(f"route {name}: {pair.get('why', 'none')}")
        for alternative in alternatives[:6]:
            which = f"route {alternative['id']} of {name}"
            if "hops" in alternative:
                _add_relation(extra, which, alternative)
                continue
            for i, path in enumerate(alternative["paths"]):
                second = " (second path)" if i else ""
                many = "; any of several cables at a step" if any(len(step) > 1 for step in path) else ""
                extra.routes.append((f"{which}{second}: {len(path)} cables{many}", path))
        if len(alternatives) > 6:
            extra.notes.append(f"route {name}: the first 6 of {len(alternatives)} alternatives")
    if options.check:
        extra.cycle = cycle_of(options.machine, words, network)
        said = (
            f"a deadlock is possible: {len(extra.cycle)} channels can wait for each other in a cycle"
            if extra.cycle
            else "no deadlock is possible"
        )
        extra.notes.append(f"check: {said}")
    return extra


def _add_relation(extra: Extra, which: str, alternative: Mapping[str, Any]) -> None:
    """All ways that a relation permits: each switch decides."""
    hops = alternative["hops"]
    ways = {channel["channel"]: channel for hop in hops for channel in hop}
    extra.escapes |= {number for number, one in ways.items() if one["escape"]}
    dashed = "; dashed: as an escape only" if any(one["escape"] for one in ways.values()) else ""
    choices = " ".join(str(len(hop)) for hop in hops)
    text = f"{which}: each switch decides; cables that are permitted at hops 1, 2, ...: {choices}{dashed}"
    extra.routes.append((text, alternative["paths"][0]))
    for number, hop in enumerate(hops, 1):
        for one in hop:
            vcs = f"VC {', '.join(map(str, one['vcs']))}"
            rank = f", rank {one['rank']}" if one["rank"] else ""
            escape = ", as an escape" if one["escape"] else ""
            said = [f"{which}, hop {number}", f"{vcs}{rank}{escape}"]
            extra.said_of_cables.setdefault(one["channel"] // 2, []).append(said)


def draw(options: argparse.Namespace) -> str:
    """@return the file's content"""
    suffix = options.output.suffix.lower()
    if suffix not in (".svg", ".html", ".htm"):
        raise DrawError(f"-o {options.output}: the name ends in .svg or .html")
    sources: list[Source] = [source_of(folder) for folder in options.results or []]
    words = _options(options)
    machine = options.machine
    others = sources[1:] if machine is None else []
    if machine is None:
        if not sources:
            raise DrawError("say which machine: `sanvp list machines` names them")
        machine, words = sources[0].machine, [*sources[0].options, *words]
    options.machine = machine
    network = network_of(machine, words, [",".join(pair) for pair in options.route])
    for source in others:
        require_same_cables(network, sources[0], source)
    extra = _extra(options, network, words)
    moving = options.animate is not None or options.trace is not None
    if suffix == ".svg" and (moving or sources):
        raise DrawError(
            f"-o {options.output}: results and motion need a page: -o {options.output.with_suffix('.html')}"
        )
    timeline = read(options.trace) if options.trace else None
    if options.group is not None:
        return _one_group(options, Folded(network, extra), words, sources, timeline)
    if options.fold and moving and not sources:
        raise DrawError("--fold: motion is drawn on switches: leave out --fold, or choose a group (--group NAME)")
    if (options.fold or is_folded(network)) and (sources or not moving):
        folded = Folded(network, extra)
        if folded.is_useful():
            results = results_of(network, sources, timeline) if sources else None
            return folded.picture(0, titles=True) + "\n" if suffix == ".svg" else folded_page(folded, results)
    if moving and len(network.cables) > MOST_CABLES:
        raise DrawError(
            f"{machine} has {len(network.cables)} cables, more than the {MOST_CABLES} on which a page can play: "
            "choose a group (--group 'host 0' plays the one of host 0; -o FILE.html without motion shows all groups)"
        )
    plan = plan_of(network)
    if suffix == ".svg":
        return picture(network, plan, extra, titles=True) + "\n"
    if options.animate is not None:
        moved, shown, said = _animated(machine, words, options.animate)
        return page(network, plan, extra, motion=motion_of(network, moved, source=shown, said=said))
    if sources:
        return page(network, plan, extra, results=results_of(network, sources, timeline))
    if timeline is not None:
        return page(network, plan, extra, motion=motion_of(network, timeline, source=options.trace.name))
    return page(network, plan, extra)


def _one_group(
    options: argparse.Namespace, folded: Folded, words: list[str], sources: list[Source], timeline: Timeline | None
) -> str:
    """@return the file's content, with one group of the machine alone"""
    fold = folded.named(options.group)
    network = folded.network
    if options.output.suffix.lower() == ".svg":
        return folded.picture(fold.number, titles=True) + "\n"
    if sources:
        return group_page(folded, fold, results=results_of(network, sources, timeline))
    shown, said = options.trace.name if options.trace else "", ""
    if options.animate is not None:
        timeline, shown, said = _animated(options.machine, words, options.animate)
    if timeline is None:
        return group_page(folded, fold)
    cables = frozenset(cable.number for switch in fold.switches for cable in network.cables_at[switch])
    hosts = frozenset(host for switch in fold.switches for host in network.hosts_at[switch])
    part = Part(fold.name, cables, frozenset(fold.switches), hosts)
    return group_page(folded, fold, motion=motion_of(network, timeline, source=shown, said=said, part=part))


def main(arguments: Sequence[str]) -> int:
    """Runs the command. @return the exit status"""
    words = list(arguments)
    # argparse would drop the -- in front of a program's arguments.
    split = words.index("--animate") if "--animate" in words else len(words)
    options = _parser().parse_args(words[:split])
    options.animate = words[split + 1 :] if split < len(words) else None
    try:
        content = draw(options)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(content, encoding="utf-8")
    except DrawError as error:
        print(f"error: {error}", file=sys.stderr)
        return USERS_MISTAKE
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return USERS_MISTAKE
    size = options.output.stat().st_size
    print(f"{options.output}: {size / 1e6:.1f} MB" if size > 1e6 else f"{options.output}: {size / 1e3:.0f} kB")
    return 0
