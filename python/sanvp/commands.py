"""The program's commands as functions. Their options are those of `sanvp COMMAND --help`."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from . import program
from .errors import ProgramNotFoundError, error_of
from .results import CheckResult, Description, Listing, Network, ReplayResult, Result, RunResult, TrafficResult
from .words import One, Option, option_words, pair_words, repeated_words, setting_words, text_of

Settings = Mapping[str, One]
AnyResult = TypeVar("AnyResult", bound=Result)

USERS_MISTAKE, DEADLOCK, UNTIL_REACHED = 2, 3, 5


def run(
    machine: str | os.PathLike[str],
    app: str | os.PathLike[str],
    *arguments: One,
    np: int | None = None,
    map: str | Sequence[int | str] | None = None,
    jobs: str | Sequence[str] = (),
    settings: Settings | None = None,
    faults: str | Iterable[str] = (),
    seed: int | None = None,
    profile: bool = False,
    until: str | None = None,
    out: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> RunResult:
    """Boots a virtual machine and runs a program on it.

    @param machine    name (`sanvp list machines`) or path of a machine file
    @param app        name (`sanvp list apps`) or path of a program that sanvp-cc made
    @param arguments  of the program
    @param np         number of ranks; as many as the machine has nodes unless given
    @param map        where ranks run: "spread", "block", "cyclic", or nodes such as "0,4,8-15" or [0, 4, 8]
    @param jobs       other jobs at the same time, such as "alltoall --map 8-15 -- --bytes 4K"
    @param settings   parameters of the machine: {"host.pci.clock": 66.66}
    @param faults     such as "3ms link 12 down"
    @param seed       of all random choices
    @param profile    whether `profile` and `functions` are wanted
    @param until      simulated time at which the run stops; its status is then `until reached`
    @param out        folder in which results are to be left
    @param folder     where the program runs: relative paths start there
    @param options    any other option: `waits_from="1ms"` is --waits-from 1ms; a list repeats one that the command line
                      takes several times: `log=["node_3.nic=info", "node_4.nic=info"]`
    Raises SanvpError.
    """
    words = ["run", str(machine), str(app), *repeated_words("--job", jobs, "jobs")]
    options = {"np": np, "map": map, "profile": profile, "until": until, **options}
    own = _common(settings, faults, seed) + option_words(options)
    behind = ["--", *(text_of(argument, "arguments") for argument in arguments)] if arguments else []
    return _perform(RunResult, words + own, behind, out, folder)


def traffic(
    machine: str | os.PathLike[str],
    pattern: str,
    *,
    load: float | str | Sequence[float] | None = None,
    bytes: int | str | None = None,
    packets: int | None = None,
    saturation: bool = False,
    settings: Settings | None = None,
    faults: str | Iterable[str] = (),
    seed: int | None = None,
    until: str | None = None,
    out: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> TrafficResult:
    """Sends the traffic of a pattern through a machine's network and measures it.

    @param load        a share of the link's rate, "120MB/s" for each node, or a sweep: "0.1:0.9:0.2", [0.1, 0.3, 0.5]
    @param bytes       payload of messages: a number, or a law such as "uniform:16:4096"
    @param packets     to measure
    @param saturation  whether the largest load that is accepted is to be found
    @param options     any other option, also of the pattern: `share=0.3` of hot-spot
    The other parameters are those of `run`. Raises SanvpError.
    """
    options = {"load": load, "bytes": bytes, "packets": packets, "saturation": saturation, "until": until, **options}
    words = ["traffic", str(machine), pattern, *_common(settings, faults, seed), *option_words(options)]
    return _perform(TrafficResult, words, [], out, folder)


def replay(
    machine: str | os.PathLike[str],
    packets: str | os.PathLike[str] | Iterable[Sequence[float]],
    *,
    topology: str | os.PathLike[str] | None = None,
    routes: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
    faults: str | Iterable[str] = (),
    seed: int | None = None,
    until: str | None = None,
    out: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> ReplayResult:
    """Sends an explicit list of packets and says when each arrives.

    @param packets   the path of a file, or rows (time in ns, source, destination, bytes[, route])
    @param topology  a text file instead of the machine's topology
    @param routes    a text file instead of the machine's routing
    The other parameters are those of `run`. Raises SanvpError.
    """
    options = {"topology": topology, "routes": routes, "until": until, **options}
    words = ["replay", str(machine), *_common(settings, faults, seed), *option_words(options)]
    if isinstance(packets, (str, os.PathLike)):
        return _perform(ReplayResult, [*words, "--traffic", str(packets)], [], out, folder)
    with tempfile.NamedTemporaryFile("w", prefix="sanvp-", suffix=".txt", encoding="utf-8") as file:
        file.writelines(" ".join(map(str, row)) + "\n" for row in packets)
        file.flush()
        return _perform(ReplayResult, [*words, "--traffic", file.name], [], out, folder)


def check(
    machine: str | os.PathLike[str],
    *,
    topology: str | os.PathLike[str] | None = None,
    routes: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> CheckResult:
    """Counts a machine's parts, pairs and routes, and proves whether it can deadlock.

    Pairs of hosts without a route and a possible deadlock are results: `verdict` says so. Raises SanvpError otherwise.
    """
    options = {"topology": topology, "routes": routes, **options}
    words = ["check", str(machine), *_common(settings, (), seed), *option_words(options)]
    return _perform(CheckResult, words, [], None, folder, tables=False, verdicts=(USERS_MISTAKE, DEADLOCK))


def network(
    machine: str | os.PathLike[str],
    *,
    topology: str | os.PathLike[str] | None = None,
    routes: str | os.PathLike[str] | None = None,
    route: str | Iterable[Any] = (),
    settings: Settings | None = None,
    faults: str | Iterable[str] = (),
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> Network:
    """Hosts, switches, cables and channels of a machine, with their numbers.

    @param route  pairs of hosts whose routes are wanted: [(0, 5), (1, 2)]
    The other parameters are those of `run` and `replay`. Raises SanvpError.
    """
    options = {"topology": topology, "routes": routes, **options}
    own = [*pair_words("--route", route, "route"), *option_words(options)]
    words = ["network", str(machine), *_common(settings, faults, seed), *own]
    return _perform(Network, words, [], None, folder, tables=False)


def listing(kind: str | None = None, *, folder: str | os.PathLike[str] | None = None, **options: Option) -> Listing:
    """What there is, as `sanvp list` has it. Raises SanvpError.

    @param kind  "machines", "apps", "patterns" or "parts"; all of them unless given
    """
    words = ["list", *([kind] if kind else []), *option_words(options)]
    return _perform(Listing, words, [], None, folder, tables=False)


def describe(
    name: str | os.PathLike[str],
    *,
    settings: Settings | None = None,
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    **options: Option,
) -> Description:
    """The parameters of a machine, a part, an app or a pattern: value, unit, meaning, source. Raises SanvpError.

    Where several things have that name, such as a pattern and an app, it is the first with parameters or options.
    """
    words = ["describe", str(name), *_common(settings, (), seed), *option_words(options)]
    return _perform(Description, words, [], None, folder, tables=False)


def _common(settings: Settings | None, faults: str | Iterable[str], seed: int | None) -> list[str]:
    """Options that commands share."""
    words = [*setting_words(settings), *repeated_words("--fault", faults, "faults")]
    return words if seed is None else [*words, "--seed", str(seed)]


def _perform(
    kind: type[AnyResult],
    words: list[str],
    behind: list[str],
    out: str | os.PathLike[str] | None,
    folder: str | os.PathLike[str] | None,
    *,
    tables: bool = True,
    verdicts: Sequence[int] = (),
) -> AnyResult:
    """Runs a command. @param behind  what stands behind --  @param verdicts  exit statuses that are results, too"""
    found = program.find()
    if not os.access(found, os.X_OK):
        raise ProgramNotFoundError(
            f"there is no program {found}: build it (scripts/build), or say with $SANVP where it is", USERS_MISTAKE
        )
    command = (str(found), *words, *behind)
    with tempfile.TemporaryDirectory(prefix="sanvp-") as temporary:
        results = (Path(folder or ".") / out if out else Path(temporary) / "out") if tables else None
        json_file = Path(temporary) / "result.json"
        options = ["--json", str(json_file), *(["--out", str(results.resolve())] if results else [])]
        ended = program.start([str(found), *words, *options, *behind], folder, keep_output=True)
        content = json.loads(json_file.read_text(encoding="utf-8")) if json_file.is_file() else {}
        if isinstance(content, list):  # of `describe`, where several things have that name
            content = next((one for one in content if one.get("parameters") or one.get("options")), content[0])
        is_result = ended.status in (0, UNTIL_REACHED, *verdicts) and bool(content)
        if not is_result:
            error = error_of(ended.status, _message(ended.errors, content), command, content)
            error.output = ended.output + ended.errors
            raise error
        files = _texts(results) if results else {}
    return kind(command, content, ended.output, files)


def _texts(folder: Path) -> dict[str, str]:
    """The tables and the manifest of a result folder."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(folder.iterdir())
        if path.suffix == ".csv" or path.name == "manifest.json"
    }


def _message(errors: str, content: Mapping[str, Any]) -> str:
    """What the program says to its failure."""
    said = re.search(r"^error: (.*)", errors, re.MULTILINE | re.DOTALL)
    return str(content.get("message") or (said[1] if said else errors) or "it says nothing").strip()
