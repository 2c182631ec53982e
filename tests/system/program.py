"""Runs the program as a user does. What several test files share."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SANVP = os.environ.get("SANVP", str(PROJECT / "build" / "sanvp"))
DONE, USER_MISTAKE, DEADLOCK, UNTIL_REACHED = 0, 2, 3, 5


@dataclass
class Result:
    """What a run left."""

    status: int
    out: str
    err: str  # without the lines that say what each job's time went for
    times: list[str] = field(default_factory=list)  # those

    @property
    def json(self) -> dict:
        """Standard output of `--json -`, which holds nothing else."""
        return json.loads(self.out)


JOB_LINE = re.compile(r"^job \d+ \(.*, \d+ ranks?\): computing [\d.]+ %, library .*\n", re.MULTILINE)


def result_of(run: subprocess.CompletedProcess) -> Result:
    """What a run of the program left, wherever it was started from."""
    return Result(run.returncode, run.stdout, JOB_LINE.sub("", run.stderr), JOB_LINE.findall(run.stderr))


def by_name(message: str) -> str:
    """A message with the wrappers that it names by name alone, wherever they are: build/sanvp-cc is sanvp-cc."""
    return re.sub(r"(?<!\S)\S*/(?=sanvp-)", "", message)


def sanvp(*arguments: object, cwd: Path | None = None, timeout: float = 120) -> Result:
    """Runs `sanvp ARGUMENTS`."""
    command = [SANVP, *map(str, arguments)]
    run = subprocess.run(
        command, capture_output=True, text=True, errors="replace", cwd=cwd, timeout=timeout, check=False
    )
    return result_of(run)


COST = ("cpu_time_s", "events")  # in the JSON: of the simulation, not of what is simulated
SHOWN = re.compile(r"^([\d.]+ us simulated, |warning: trace is empty: ).*\n", re.MULTILINE)


def left_by(
    folder: Path, *arguments: object, observers: tuple[str, ...] = (), out: bool = True, **environment: str
) -> dict[str, str]:
    """What a run leaves, by file; less what names the observers, and how long the simulation took."""
    folder.mkdir()
    results = folder / "out"
    begin, dashes, end = " ".join(map(str, arguments)).partition(" -- ")
    command = [*begin.split(), *observers, "--json", "json", *(("--out", "out") if out else ()), dashes.strip()]
    run = subprocess.run(
        [SANVP, *filter(None, command), *end.split()],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env=os.environ | environment,
    )
    left = {"status": str(run.returncode), "out": run.stdout, "err": SHOWN.sub("", run.stderr)}
    figures = json.loads((folder / "json").read_text())
    left["json"] = json.dumps({name: value for name, value in figures.items() if name not in COST})
    if out:
        left |= {file.name: file.read_text() for file in results.iterdir()}
        manifest = json.loads(left["manifest.json"])
        manifest["parameters"].pop("traffic.spy", None)
        left["manifest.json"] = json.dumps({**manifest, "command": "", "wall_seconds": 0})
    return left


def on_terminal(*arguments: object, cwd: Path | None = None, **environment: str) -> tuple[int, str]:
    """Runs `sanvp ARGUMENTS` on a pseudo-terminal: the status, and standard output and standard error as they come."""
    ours, theirs = os.openpty()
    own = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"} | environment
    with subprocess.Popen([SANVP, *map(str, arguments)], stdout=theirs, stderr=theirs, cwd=cwd, env=own) as run:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 1 << 16):
                shown += part
        except OSError:  # how the end of a pseudo-terminal is told
            pass
        os.close(ours)
    return run.returncode, shown.decode()


def done(*arguments: object, cwd: Path | None = None) -> Result:
    """As `sanvp`, and it must end well."""
    result = sanvp(*arguments, cwd=cwd)
    assert result.status == DONE, result.err
    return result


def machines() -> list[str]:
    """All machines by name."""
    return [entry["name"] for entry in done("list", "machines", "--json", "-").json["machines"]]


@dataclass
class Delivery:
    """A line that `replay` prints."""

    index: int
    generated: float
    source: int
    destination: int
    bytes: int
    route_id: int
    injected: float
    delivered: float
    latency: float
    itbs: int


def deliveries(out: str) -> list[Delivery]:
    """The lines that `replay` prints, in order."""
    rows = []
    for line in out.splitlines():
        i, gen, src, dst, size, route, inject, end, latency, itbs = line.split(" ")
        rows.append(
            Delivery(
                int(i),
                float(gen),
                int(src),
                int(dst),
                int(size),
                int(route),
                float(inject),
                float(end),
                float(latency),
                int(itbs),
            )
        )
    return rows


def replay(folder: Path, machine: str, packets: str, *arguments: object) -> list[Delivery]:
    """Replays a packet list that is given as text; both fidelities must agree."""
    traffic = folder / "traffic.txt"
    traffic.write_text(packets)
    worm, flit = (
        done("replay", machine, "--traffic", traffic, "--fidelity", fidelity, *arguments, cwd=folder).out
        for fidelity in ("worm", "flit")
    )
    assert worm == flit
    return deliveries(worm)
