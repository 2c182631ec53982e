"""A folder with a study, targets, and a script that stands for the program.

It notes each call, so that what runs twice is seen.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from program import PROJECT

USERS_MISTAKE = 2

FAKE = """\
#!{python}
import json, pathlib, sys
here = pathlib.Path(__file__).parent
words = sys.argv[1:]
options = dict(zip(words, words[1:]))
with (here / "calls").open("a") as calls:
    print(*(word if not word.startswith("/tmp") else "FILE" for word in words), file=calls)
load = float(options["--load"])
if load in json.loads((here / "broken").read_text()):
    sys.exit("sanvp: load: too much of it")
metrics = {{"rate": 100 * load, "latency_ns": {{"mean": 7.0}}, "nothing": None}}
metrics["drawn"] = int(options.get("--seed", 1)) ** 2
metrics["odd"] = int(options.get("--seed", 1)) % 2 == 1
metrics["named"] = "by " + options.get("--seed", "nothing")
metrics["jobs"] = [{{"app": "a", "metrics": {{"rate": {{"value": factor * load, "unit": "B"}}}}}} for factor in (1, 5)]
pathlib.Path(options["--json"]).write_text(json.dumps(metrics))
if "--out" in options:
    pathlib.Path(options["--out"]).mkdir()
    (pathlib.Path(options["--out"]) / "each.csv").write_text(f"who,got\\na,{{load}}\\nb,{{2 * load}}\\n")
if "unserved" in words:
    sys.exit(2)
"""

STUDY = """\
title: A study
runs:
  sent:
    command: traffic qsnet-16 uniform --load {load} --seed {seed}
    axes: {load: [0.1, 0.2, 0.4], seed: [1, 2]}
    quick: {seed: [1]}
    tables:
      each: {index: {who: who}}
values:
  rate: mean(sent.rate, 'seed')
targets:
  number: {measured: rate(load=0.4), cause: It is so.}
  "family.{seed}": {measured: "sent.rate(load=0.1)"}
  shape: {measured: "rises(rate, 'load') and max(sent.job1.rate) == 5 * max(sent.job0.rate)", shows: "{rate:.0f}"}
  never: {cause: The mechanism is unknown.}
anchors:
  mine: {value: 0.8, ref: here, measured: "sent.each.got(load=0.4, seed=1, who='b')"}
figures:
  one: {x: load, y: rate, x_label: load, y_label: rate, marks: [{target: number, at: {load: 0.4}}]}
"""

TARGETS = """\
targets:
- {id: number, kind: exact, value: 50, unit: MB/s, rel_tol_suggested: 0.1}
- {id: family.1, kind: exact, value: 10, rel_tol_suggested: 0.1}
- {id: family.2, kind: exact, value: 10, rel_tol_suggested: 0.1}
- {id: shape, kind: qualitative, claim: it rises}
- {id: never, kind: exact, value: 1}
- {id: other, kind: range, value: [1, 2]}
"""


@dataclass
class Bench:
    """A folder with a study, targets and the script that stands for the program."""

    folder: Path
    program: Path

    def study(self, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs scripts/study there."""
        command = [
            sys.executable,
            "-B",
            "-m",
            "sanvp.studies",
            "--studies",
            self.folder,
            "--results",
            self.folder / "results",
        ]
        return subprocess.run(
            [*map(str, command), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=self.folder,
            env={**os.environ, "SANVP": str(self.program), "PYTHONPATH": str(PROJECT / "python"), **environment},
        )

    def calls(self) -> list[str]:
        """The program's calls since the last time."""
        log = self.folder / "calls"
        found = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return found

    def break_at(self, *loads: float) -> None:
        """From now on the program fails at these."""
        (self.folder / "broken").write_text(json.dumps(loads))

    def write(self, study: str) -> None:
        """The study file."""
        (self.folder / "small.yaml").write_text(study)

    def rows(self) -> dict[str, dict]:
        """What `report --json -` says, by id."""
        told = self.study("report", "--json", "-")
        assert told.returncode == 0, told.stderr
        return {row["id"]: row for row in json.loads(told.stdout)}


def make_bench(folder: Path) -> Bench:
    """With the script."""
    (folder / "targets.yaml").write_text(TARGETS)
    program = folder / "sanvp"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    made = Bench(folder, program)
    made.write(STUDY)
    made.break_at()
    return made


def done(run: subprocess.CompletedProcess[str]) -> str:
    """Standard output of a command that must end well."""
    assert run.returncode == 0, run.stderr
    return run.stdout
