"""Machines that differ in one respect from each other. What the tests of properties of answers share."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from program import done

UNITS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}  # in ps
RATES = {"MB/s": 1, "GB/s": 1000}
OF_THE_SIMULATING_COMPUTER = "in CPU time of the simulating computer"
ABSENT = ("host.disk.",)  # refused without a disk
SMALL = ("qsnet-16", "myrinet-8", "macrame-clos-64", "macrame-torus-64", "moc-2-1", "gcel-64", "tofu-36")

REST = """
[switch]
type = simple
flow_through = 20ns
routing = 30ns
buffer = 8
virtual_channels = 2
arbitration = fifo
[link]
rate = 100MB/s
delay = 5ns
[nic]
type = plain
"""


@cache
def described(machine: str) -> dict[str, dict]:
    """All parameters of a machine by name: kind, value, documentation."""
    return {entry["key"]: entry for entry in done("describe", machine, "--json", "-").json["parameters"]}


def parts_of(value: str) -> tuple[float, str]:
    """The number of a value, and its unit."""
    number, unit = re.fullmatch(r"([\d.]+)([a-zA-Z/]*)", value).groups()
    return float(number), unit


def times_of(machine: str, factor: int) -> dict[str, str]:
    """Every time of a machine multiplied by this, and every rate and clock divided by it."""
    settings = {}
    for name, entry in described(machine).items():
        value, text = entry["value"], entry["documentation"]
        if name.startswith(ABSENT):
            continue
        if entry["kind"] == "time" and value[0].isdigit() and OF_THE_SIMULATING_COMPUTER not in text:
            number, unit = parts_of(value)
            settings[name] = f"{round(number * UNITS[unit]) * factor}ps"
        elif entry["kind"] == "rate":
            number, unit = parts_of(value)
            settings[name] = f"{1e6 / (round(1e6 / (number * RATES[unit])) * factor):.15g}MB/s"
        elif entry["kind"] == "real" and "in MHz" in text:
            settings[name] = f"{1e6 / (round(1e6 / float(value)) * factor):.15g}"
    return settings


def options(settings: dict[str, object]) -> list[str]:
    """As `-s` takes them."""
    return [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]


def multiplied(value: str, factor: float) -> str:
    """A value with its unit, multiplied."""
    number, unit = parts_of(value)
    return f"{number * factor:g}{unit}"


def box(folder: Path, kind: str, routing: str, sizes: tuple[int, ...]) -> Path:
    """A machine whose switches are the points of a box, with a host each."""
    machine = folder / f"{kind}.ini"
    text = "x".join(map(str, sizes))
    topology = f"[topology]\ntype = {kind}\nsizes = {text}\ncables = 1\nhosts_per_switch = 1\n"
    machine.write_text(f"{topology}[routing]\ntype = {routing}\n{REST}")
    return machine
