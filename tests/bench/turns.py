"""Commands that run in turns: CPU time and memory of each, and ratios of what ran in one turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent.parent / "build"


@dataclass
class Cost:
    """What a run took."""

    cpu_s: float
    peak_mb: float


def cost(command: list[object]) -> Cost:
    """Runs a command, whose output is discarded."""
    command = [str(word) for word in command]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        complaints = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}\n{complaints}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3)  # which counts kilobytes


def in_turns(commands: dict[str, list[object]], turns: int) -> dict[str, list[Cost]]:
    """The costs of each command, by turn: A B A B."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(turns):
        for name, command in commands.items():
            costs[name].append(cost(command))
    return costs


def ratio(costs: list[Cost], base: list[Cost]) -> float:
    """The median of the ratios of CPU time in one turn."""
    return statistics.median(one.cpu_s / other.cpu_s for one, other in zip(costs, base, strict=True))


def require_programs(*programs: Path) -> None:
    for program in programs:
        if not program.exists():
            sys.exit(f"{program}: not built. Build it with: scripts/build")
