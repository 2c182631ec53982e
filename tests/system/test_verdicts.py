"""How a command ended is said by its text, its JSON, its manifest and its exit status, and they say the same.

The table in docs/result-folder.md is what they are held to.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from compiled import MACHINE, compile_program
from program import PROJECT, UNTIL_REACHED, done, sanvp

ROW = re.compile(r"^\| `([a-z ]+)` \| (\d+) \|", re.MULTILINE)


def documented() -> set[tuple[str, int]]:
    """Each status of the page with its exit status."""
    page = (PROJECT / "docs" / "result-folder.md").read_text(encoding="utf-8")
    return {(status, int(code)) for status, code in ROW.findall(page)}


@dataclass
class Case:
    """A command, how it ends, and what its text says of that, on standard output and standard error."""

    command: str
    status: str
    exit: int
    out: str = ""
    err: str = ""
    verdict: str = ""  # of the JSON, where it has one
    numbers: tuple[str, ...] = ()  # of the JSON, not 0


# A ring of four switches and a host each: routes clockwise all round, that can deadlock, and the packets that do.
RING = (
    "switches 4\nports 4\n"
    + "".join(f"host {i} {i} 0\n" for i in range(4))
    + "".join(f"link {i} 1 {(i + 1) % 4} 2\n" for i in range(4))
)
CIRCLE = "".join(f"route {i} {(i + 2) % 4} 0 1 1 0\n" for i in range(4))
ROUND = "".join(f"route {i} {(i + d) % 4} 0 {'1 ' * d}0\n" for i in range(4) for d in (1, 2, 3))
LONG = "".join(f"0 {i} {(i + 2) % 4} 1000\n" for i in range(4))
FILES = "--topology net.txt --routes routes.txt"
BROKEN = "--fault '1ns switch 0 down'"
SMALL_POOLS = "-s nic.pool=4KiB -s nic.full_pool=back-pressure"
PAST = "traffic myrinet-16 uniform --bytes 512 --load 0.22 --seed 3 --packets 1000000000 --warmup 0ns"

TRAFFIC = {
    "carried": Case(
        "traffic myrinet-8 uniform --load 0.05 --packets 500", "done", 0, "not saturated", "", "not saturated"
    ),
    "saturated": Case("traffic myrinet-8 uniform --load 0.9 --packets 5000", "done", 0, "saturated", "", "saturated"),
    "lost": Case(
        "traffic qsnet-64 uniform --load 0.1 --packets 2000 --fault '1ns link 64 down'",
        *("done", 0, "packets lost", "", "packets lost"),
        numbers=("lost_packets",),
    ),
    "corrupt": Case(
        "traffic gcel-64 uniform --load 0.02 --packets 500 -s link.bit_error_rate=1e-4",
        *("done", 0, "corrupt", "", "not saturated"),
        numbers=("corrupt_packets",),
    ),
    "spilled": Case(
        f"{PAST} --until 5ms -s nic.pool=4KiB",
        *("until reached", 5, "sent on to hosts' memory", "", "until reached"),
        numbers=("in_transit_spilled_packets",),
    ),
    "until": Case(
        "traffic myrinet-8 uniform --load 0.1 --until 20us", "until reached", 5, "until reached", "", "until reached"
    ),
    "deadlock": Case(f"{PAST} --until 625ms {SMALL_POOLS}", "deadlock", 3, "deadlock", "in-transit pool", "deadlock"),
    "stuck in a run that ends before the regular look": Case(
        "traffic myrinet-8 uniform --topology net.txt --routes round.txt --force --load 0.9 --packets 100 --bytes 1000",
        *("deadlock", 3, "deadlock", "can never move", "deadlock"),
    ),
    "sweep": Case(
        "traffic myrinet-8 uniform --load 0.1:0.3:0.1 --packets 500 --until 45us",
        *("until reached", 5, "until reached", "", "until reached"),
    ),
}
REPLAY = {
    "delivered": Case("replay myrinet-8 --traffic one.txt", "done", 0, "0 0 0 1 8", "", "done", numbers=("delivered",)),
    "lost": Case(
        f"replay myrinet-8 --traffic one.txt {BROKEN}", "packets lost", 0, " -1 -1 ", "", "packets lost", ("lost",)
    ),
    "corrupt": Case(
        "replay gcel-64 --traffic one.txt -s link.bit_error_rate=0.1", "done", 0, "0 0 0 1 8", "", "done", ("corrupt",)
    ),
    "until": Case(
        "replay myrinet-8 --traffic one.txt --until 10ns", "until reached", 5, " -1 -1 ", "", "until reached"
    ),
    "deadlock": Case(
        f"replay myrinet-8 {FILES} --traffic long.txt --force", "deadlock", 3, " -1 -1 ", "can never move", "deadlock"
    ),
}
RUN = {
    "done": Case("run {machine} hello --np 2", "done", 0, "[0] "),
    "failed": Case("run {machine} {failing} --np 2", "failed", 4, "", "exited with status 7"),
    "hangs": Case("run {machine} {waiting} --np 2", "hangs", 3, "", "nothing more can happen"),
    "until": Case(
        "run {machine} hello --np 2 --until 100ns", "until reached", 5, "", "is reached, and programs still run"
    ),
    "deadlock": Case(
        "run myrinet-8 alltoall --np 32 -s nic.pool=4300B -s nic.full_pool=back-pressure"
        " -- --least 8K --most 8K --count 2",
        *("deadlock", 3, "", "error: deadlock: "),
    ),
}
CHECK = {
    "free": Case("check myrinet-8", "done", 0, "verdict: deadlock-free\n", "", "deadlock-free"),
    "conditional": Case(
        "check myrinet-8 -s nic.full_pool=back-pressure",
        *("done", 0, "verdict: deadlock-free while pools have room\n", "", "deadlock-free while pools have room"),
        numbers=("pool_cycle",),
    ),
    "unserved": Case(
        "check qsnet-64 -s topology.failed_switches=0",
        *("failed", 2, "verdict: pairs not served\n", "are not served", "pairs not served"),
        numbers=("pairs_unserved",),
    ),
    "deadlock": Case(
        f"check myrinet-8 {FILES}", "deadlock", 3, "verdict: deadlock\n", "in a cycle", "deadlock", ("cycle",)
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, text in {"net": RING, "routes": CIRCLE, "round": ROUND, "long": LONG, "one": "0 0 1 8\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def say_the_same(case: Case, folder: Path, has_folder: bool, **words: object) -> None:
    """Runs the command and compares all that says how it ended."""
    command = shlex.split(case.command.format(machine=MACHINE, **words))
    at = command.index("--") if "--" in command else len(command)
    options = ["--progress", "off", "--json", "json", *(["--out", "out"] if has_folder else [])]
    result = sanvp(*command[:at], *options, *command[at:], cwd=folder)
    left = json.loads((folder / "json").read_text())
    assert result.status == case.exit, result.err
    assert left["status"] == case.status
    assert (case.status, case.exit) in documented()
    assert left.get("verdict", "") == case.verdict
    assert case.out in result.out
    assert case.err in result.err
    assert ("error: " in result.err) == (case.exit in (2, 3, 4) or (case.exit == 5 and command[0] == "run"))
    for number in case.numbers:
        assert left[number]
    if not has_folder:
        return
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert manifest["status"] == case.status
    if case.exit in (3, 4):
        assert manifest["message"] in result.err


@pytest.mark.parametrize("case", TRAFFIC.values(), ids=TRAFFIC)
def test_traffic_says_the_same_everywhere(case: Case, folder: Path) -> None:
    say_the_same(case, folder, has_folder=True)
    assert (folder / "out" / "latency.csv").read_text().strip().endswith(case.verdict)


@pytest.mark.parametrize("case", REPLAY.values(), ids=REPLAY)
def test_replay_says_the_same_everywhere(case: Case, folder: Path) -> None:
    say_the_same(case, folder, has_folder=True)


@pytest.mark.parametrize("case", CHECK.values(), ids=CHECK)
def test_check_says_the_same_everywhere(case: Case, folder: Path) -> None:
    say_the_same(case, folder, has_folder=False)


@pytest.mark.parametrize("case", RUN.values(), ids=RUN)
def test_run_says_the_same_everywhere(case: Case, folder: Path) -> None:
    (folder / "failing").mkdir()
    (folder / "waiting").mkdir()
    wait = "int n; MPI_Init(0, 0); MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    words = {
        "failing": compile_program(folder / "failing", "return 7;") if "{failing}" in case.command else "",
        "waiting": compile_program(folder / "waiting", wait) if "{waiting}" in case.command else "",
    }
    say_the_same(case, folder, has_folder=True, **words)


@pytest.mark.parametrize(("command", "what"), [("traffic", "uniform"), ("run", "hello")])
def test_what_the_proof_refuses_has_no_folder_and_the_same_verdict(command: str, what: str, folder: Path) -> None:
    own = PROJECT / "examples" / "own-machine"
    clockwise = ("-s", f"routing.file={own / 'clockwise.txt'}")
    result = sanvp(command, own / "ring.ini", what, *clockwise, "--json", "json", "--out", "out", cwd=folder)
    assert result.status == 3
    left = json.loads((folder / "json").read_text())
    assert left["status"] == left["verdict"] == "deadlock"
    assert "channels can wait for each other in a cycle" in result.err
    assert not (folder / "out").exists()


def test_a_search_for_saturation_that_time_ends_says_so(folder: Path) -> None:
    search = ("--saturation", "--until", "100us", "-s", "traffic.highest=0.2", "--packets", 4000)
    left_behind = ("--json", "json", "--out", "out", "--progress", "off")
    result = sanvp("traffic", "myrinet-8", "uniform", *search, *left_behind, cwd=folder)
    left = json.loads((folder / "json").read_text())
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert left["status"] == manifest["status"] == "until reached"
    assert result.status == UNTIL_REACHED
    assert "saturation: none of the loads was accepted" in result.out


def test_a_short_window_whose_verdict_may_be_chance_says_so() -> None:
    # A message of 1024 nodes takes some 1.4 us, and 100 packets are generated in less.
    few = ("traffic", "qsnet-1024", "uniform", "--load", 0.02)
    short = done(*few, "--packets", 100)
    assert " saturated\n" in short.out
    assert "`saturated` may be chance" in short.out
    longer = done(*few, "--packets", 1000)
    assert "not saturated" in longer.out
    assert "may be chance" not in longer.out


def test_only_messages_of_the_window_count_as_those_without_a_route(folder: Path) -> None:
    # Each host picks among three others and has a route to one. The window ends with the 1000th message that has one:
    # the number of those without is negative binomial.
    window = ("--load", 0.05, "--packets", 1000, "--bytes", 100, "--json", "json")
    done("traffic", "myrinet-8", "uniform", *FILES.split(), "--force", *window, cwd=folder)
    left = json.loads((folder / "json").read_text())
    served, chance = 1000, 1 / 3
    expected, deviation = served * (1 - chance) / chance, (served * (1 - chance)) ** 0.5 / chance
    assert abs(left["unserved_messages"] - expected) < 5 * deviation
