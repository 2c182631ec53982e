"""Random command lines with parts, parameters, faults and remaps. Each must do its work, or refuse it or end by a
status that says why: no crash, no hang, no exit status 1, no message of a library's exception.

usage: commands.py SANVP SECONDS [SEED]
"""

from __future__ import annotations

import json
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STATUSES = {0, 2, 3, 4, 5}
PROCESSOR_S = 120  # a thousand nodes with routes between all of them take some ten seconds
TIMEOUT_S = 30 * PROCESSOR_S  # a program that sleeps for ever
MEMORY = 12 << 30  # bytes of address space of a command: a bound of the program must come before it
MACHINES = ["qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
NUMBERS = ["0", "1", "2", "3", "5", "8", "17", "64", "1000", "-1", "1e9", "18446744073709551616", "nan", "0.5", "x", ""]
TIMES = ["0ns", "1ps", "7ns", "1us", "20us", "1ms", "10s", "-1ns", "1", "inf", "1e30s"]
SIZES = ["0B", "1B", "32B", "4KiB", "100MB", "1e30B", "-1B", "3"]
RATES = ["0MB/s", "1MB/s", "40MB/s", "10GB/s", "-1MB/s", "1"]
CLASSES = ["topology", "routing", "switch", "nic"]
# From a kind of part, as `list` calls it, to the key that chooses it.
PART_KEYS = {
    "NIC": "nic",
    "cpu": "host.cpu",
    "arbitration policy": "switch.arbitration",
    "output-selection policy": "switch.selection",
    "route selection": "routing.selection",
}


class Machines:
    """What the program says of its machines, apps, patterns and parts."""

    def __init__(self, sanvp: Path) -> None:
        self.sanvp = sanvp
        self.parts: dict[str, list[str]] = {}
        listed = self.told("list")
        for part in listed["parts"]:
            self.parts.setdefault(PART_KEYS.get(part["kind"], part["kind"]), []).append(part["name"])
        self.patterns = [pattern["name"] for pattern in listed["patterns"]]
        self.parameters = {name: self.told("describe", name)["parameters"] for name in MACHINES}

    def told(self, *arguments: str) -> dict:
        """The JSON that a command writes."""
        done = subprocess.run([self.sanvp, *arguments, "--json", "-"], capture_output=True, check=True)
        return json.loads(done.stdout)


def value_of(parameter: dict, machines: Machines, dice: random.Random) -> str:
    """A value that may or may not suit the parameter."""
    kind, key = parameter["kind"], parameter["key"]
    part = key.removesuffix(".type")
    if part in machines.parts and dice.random() < 0.9:
        return dice.choice(machines.parts[part])
    by_kind = {
        "time": TIMES,
        "size": SIZES,
        "rate": RATES,
        "flag": ["yes", "no", "perhaps"],
        "text": ["", "all", "0-3", "4x4", "9,9", "\u2026"],
        "choice": ["on", "off", "none", "fifo", "round-robin", "first", "random", "adaptive"],
    }
    return dice.choice(by_kind.get(kind, NUMBERS))


def fault(dice: random.Random) -> list[str]:
    """A fault or a repair of something that may not be there."""
    when = dice.choice(["0ns", "1us", "5us", "20us", "21us", "1ms", "3ms"])
    what = dice.choice(["link", "switch", "node"])
    return ["--fault", f"{when} {what} {dice.randrange(40)} {dice.choice(['down', 'down', 'up'])}"]


def settings(machine: str, machines: Machines, dice: random.Random) -> list[str]:
    """Parameters and other parts for the machine."""
    chosen: list[str] = []
    for _ in range(dice.choice([0, 1, 1, 2, 4])):
        parameter = dice.choice(machines.parameters[machine])
        chosen += ["-s", f"{parameter['key']}={value_of(parameter, machines, dice)}"]
    if dice.random() < 0.4:
        kind = dice.choice(CLASSES)
        chosen += ["-s", f"{kind}.type={dice.choice(machines.parts[kind])}"]
    if dice.random() < 0.3:
        chosen += ["-s", "fault.remap=yes"]
        for key in ("detect", "switch", "host"):
            chosen += ["-s", f"fault.remap_{key}={dice.choice(['0ns', '1us', '10us', '1ms'])}"]
    return chosen


def command(machines: Machines, dice: random.Random) -> list[str]:
    """A command line; its work is small if its parameters are sensible."""
    machine = dice.choice(MACHINES)
    verb = dice.choice(["check", "traffic", "traffic", "traffic", "run"])
    line = [verb, machine]
    if verb == "traffic":
        line += [dice.choice(machines.patterns), "--packets", dice.choice(["1", "300", "2000", "20000"])]
        line += ["--load", dice.choice(["0.05", "0.5", "0.9", "1.5", "0", "10MB/s", "0.1,0.9@20us"])]
        line += ["--until", dice.choice(["30us", "1ms", "10ms"])]
        if dice.random() < 0.2:
            line += ["--arrivals", dice.choice(["constant", "exponential", "uniform"])]
        if dice.random() < 0.2:
            line += ["--bytes", dice.choice(["1", "64", "uniform:1:1000", "exp:200", "bimodal:8:4096:0.1", "0", "1e6"])]
    elif verb == "run":
        line += [dice.choice(["hello", "ping", "cg", "nothing"]), "--np", dice.choice(["1", "2", "3", "4", "9", "0"])]
        line += ["--until", dice.choice(["100us", "5ms"])]
    line += settings(machine, machines, dice)
    if verb != "check":
        for _ in range(dice.choice([0, 0, 1, 1, 3])):
            line += fault(dice)
        if dice.random() < 0.2:
            line += ["--fidelity", "flit"]
        if dice.random() < 0.1:
            line += ["--force"] if verb == "traffic" else ["--profile"]
    return [*line, "--seed", str(dice.randrange(1000)), "--progress", "off"]


def set_limits() -> None:
    """Before a command's program starts: what runs away fails instead of taking the computer with it."""
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_S, PROCESSOR_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def complaint(line: list[str], sanvp: Path, folder: str) -> str | None:
    """What is wrong with a command's end, if anything."""
    try:
        done = subprocess.run(
            [sanvp, *line],
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            preexec_fn=set_limits,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return f"no end in {TIMEOUT_S} s"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"no end in {PROCESSOR_S} s of processor time"
    if done.returncode not in STATUSES:
        return f"status {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 2 and "error: " not in done.stderr:
        return "refused without an error message"
    if "vector::" in done.stderr or "std::" in done.stderr or "terminate called" in done.stderr:
        return f"an internal message: {done.stderr[-300:]}"
    return None


def main() -> int:
    """Runs random commands until the time is up; writes the complaints, and returns 1 if there was one."""
    sanvp, seconds = Path(sys.argv[1]).resolve(), float(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    machines = Machines(sanvp)
    end, count, found = time.monotonic() + seconds, 0, 0
    with tempfile.TemporaryDirectory(prefix="sanvp-fuzz-") as folder:
        while time.monotonic() < end:
            count += 1
            line = command(machines, dice)
            wrong = complaint(line, sanvp, folder)
            if wrong is not None:
                found += 1
                print(f"fuzz: sanvp {shlex.join(line)}: {wrong}", file=sys.stderr, flush=True)
    print(f"{'command':<10} {count:>8}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
