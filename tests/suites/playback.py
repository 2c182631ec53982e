#!/usr/bin/python3
"""Records a program on one machine, plays it back on others, and compares with the program's own run there.

usage: playback.py [--np 8] [--from qsnet-16] [--machines qsnet-16,myrinet-8,...] PROGRAM SHORT LONG
SHORT and LONG are its arguments for a short and a long run, such as "--count 2" and "--count 8": times are the
differences between the two, so that what comes before the first message and behind the last does not count.

For each machine: the program's own time, and the deviations of what was recorded as messages, as calls, and as OTF2
there; then of messages and of calls that were recorded on --from, by the ratio of calcs; and CPU times of the
simulation: of the program, of the played messages on the whole machine, and on the network alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SANVP = os.environ.get("SANVP", str(PROJECT / "build" / "sanvp"))
ALL = "qsnet-16,myrinet-8,macrame-clos-64,moc-2-1,gcel-64,tofu-36"
CONVERT = ["/usr/bin/python3", "-m", "sanvp.convert", "otf2"]


def run(*words: object) -> dict:
    """The JSON of a command that must succeed."""
    with tempfile.NamedTemporaryFile() as file:
        command = [*map(str, words)]
        dashes = command.index("--") if "--" in command else len(command)
        command[dashes:dashes] = ["--json", file.name]
        done = subprocess.run([SANVP, *command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}:\n{done.stderr}")
        return json.loads(Path(file.name).read_text())


def calcs(file: Path) -> int:
    """Nanoseconds that a recording computes."""
    return sum(map(int, re.findall(r": calc (\d+)", file.read_text())))


class Bench:
    """Runs of one program."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options = options
        self._folder = folder

    def _program(self, machine: str, arguments: str, *more: object) -> dict:
        words = ("run", machine, self._options.program, "--np", self._options.np, *more)
        return run(*words, "--", *shlex.split(arguments))

    def own(self, machine: str, arguments: str) -> tuple[float, Path, float]:
        """Microseconds from MPI_Init to MPI_Finalize, the recording as OTF2, and seconds of CPU time."""
        archive = self._folder / "own.otf2"
        file = self._folder / f"{machine}-otf2-{arguments}.goal".replace(" ", "_")
        self._program(machine, arguments, "--trace", archive)
        environment = {"PYTHONPATH": str(PROJECT / "python")}
        done = subprocess.run(
            [*CONVERT, archive, "-o", file], capture_output=True, text=True, check=True, env=environment
        )
        return float(re.search(r", ([\d.]+) us", done.stdout)[1]), file, self._program(machine, arguments)["cpu_time_s"]

    def record(self, machine: str, arguments: str, level: str) -> Path:
        file = self._folder / f"{machine}-{level}-{arguments}.goal".replace(" ", "_")
        if not file.exists():
            self._program(machine, arguments, "--record", file, "--record-level", level)
        return file

    def played(self, machine: str, files: list[Path], ratio: float = 1, by: str = "transport") -> tuple[float, float]:
        """The difference of the two files' times in microseconds, and CPU time of the longer one."""
        runs = [
            run(
                "run",
                machine,
                "goal",
                "--np",
                self._options.np,
                "--",
                "--file",
                file,
                "--by",
                by,
                "--cpu-ratio",
                f"{ratio:.4f}",
            )
            for file in files
        ]
        return runs[1]["time_us"] - runs[0]["time_us"], runs[1]["cpu_time_s"]

    def row(self, machine: str) -> str:
        """The machine's line of the table."""
        lengths = (self._options.short, self._options.long)
        (short, short_otf2, _), (long, long_otf2, own_cpu) = (self.own(machine, length) for length in lengths)
        own = long - short
        there, fractions, cpu = {}, {}, 0.0
        for level in ("messages", "calls"):
            files = [self.record(machine, length, level) for length in lengths]
            sources = [self.record(self._options.source, length, level) for length in lengths]
            there[level], seconds = self.played(machine, files)
            cpu = seconds if level == "messages" else cpu
            ratio = (calcs(files[1]) - calcs(files[0])) / max(1, calcs(sources[1]) - calcs(sources[0]))
            fractions[level] = self.played(machine, sources, ratio)[0]
        there["otf2"] = self.played(machine, [short_otf2, long_otf2], by="mpi")[0]
        network = run("traffic", machine, "goal", "--file", self.record(machine, lengths[1], "messages"))["cpu_time_s"]
        deviations = [*there.values(), *fractions.values()]
        shares = " | ".join(f"{100 * (one / own - 1):.1f}" for one in deviations)
        return f"| `{machine}` | {own:.1f} | {shares} | {own_cpu:.2f} | {cpu:.2f} | {network:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--np", type=int, default=8)
    parser.add_argument("--from", dest="source", default="qsnet-16")
    parser.add_argument("--machines", default=ALL)
    parser.add_argument("program")
    parser.add_argument("short")
    parser.add_argument("long")
    options = parser.parse_args()
    print(
        "| machine | us | messages | calls | OTF2 | messages from there | calls from there | CPU s | played | network |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, Path(folder))
        for machine in options.machines.split(","):
            print(bench.row(machine), flush=True)


if __name__ == "__main__":
    main()
