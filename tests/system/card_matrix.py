"""Six cards on nine kinds of network: MPI runs, or sanvp says why not. docs/any-network.md shows the table.

usage: card_matrix.py [--update]     prints the table; --update writes it into the page
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from program import DONE, PROJECT, SANVP, sanvp

PAGE = PROJECT / "docs" / "any-network.md"
PROGRAM = Path(SANVP).with_name("sw") / "tests" / "mpi_card_matrix.so"
BEGIN, END = "<!-- card matrix -->\n", "<!-- end of the card matrix -->\n"
MOST_SECONDS = 300
PORTS_CURE = re.compile(r"explore -s (switch\.ports=\d+)")
# From a card, as `nic.type` names it, to a machine that has it.
CARDS = {
    "elan3": "qsnet-16",
    "lanai": "myrinet-8",
    "ds_link": "macrame-clos-64",
    "tofu": "tofu-36",
    "vcp": "moc-2-1",
    "transputer": "gcel-64",
}


@dataclass(frozen=True)
class Network:
    """A network, and the routings to try: its own first."""

    name: str
    topology: tuple[str, ...]
    routings: tuple[str, ...] = ()

    def attempts(self) -> list[tuple[str, ...]]:
        """The settings of each routing."""
        return [tuple(f"routing.{setting}" for setting in routing.split()) for routing in (*self.routings, "type=ud")]


PLAIN = ("topology.sizes=4x4", "topology.hosts_per_switch=1", "topology.cables=1")
NETWORKS = (
    Network("fat tree", ("topology.type=fat_tree", "topology.levels=2"), ("type=fat_tree_adaptive",)),
    Network(
        "slimmed fat tree",
        ("topology.type=fat_tree", "topology.levels=2", "topology.up_links=2"),
        ("type=fat_tree_adaptive",),
    ),
    Network("Clos", ("topology.type=clos", "topology.nodes=16", "topology.radix=8"), ("type=clos_grouped",)),
    Network("grid", ("topology.type=grid", *PLAIN), ("type=dimension_order",)),
    Network("torus", ("topology.type=torus", *PLAIN), ("type=dimension_order", "type=dimension_order wrap=first-hop")),
    Network("irregular", ("topology.type=irregular", "topology.hosts_per_switch=2")),
    Network("text file", ("topology.type=file", f"topology.file={PROJECT}/examples/any-network/petersen.txt")),
    Network(
        "dragonfly",
        ("topology.type=dragonfly", "topology.switches_per_group=2", "topology.global_cables=1"),
        ("type=dragonfly",),
    ),
    Network("HyperX", ("topology.type=hyperx", *PLAIN), ("type=hyperx",)),
)


@dataclass(frozen=True)
class Cell:
    """What came of a card on a network."""

    settings: tuple[str, ...] | None  # with which MPI ran beside topology and the network's own routing; None: not
    reasons: tuple[str, ...]  # why not with those that were tried before


def reason_of(err: str) -> str:
    """An error's cause: its first line, or the example below it."""
    lines = err.split("error: ")[-1].splitlines()
    is_about_pairs = lines[0].endswith("are not served:")
    return lines[1].strip() if is_about_pairs else lines[0].rstrip(":")


def attempt(machine: str, settings: tuple[str, ...]) -> str:
    """Runs the program on all nodes. @return why it did not run; empty where it ran and its results are right"""
    words = [word for setting in settings for word in ("-s", setting)]
    result = sanvp("run", machine, PROGRAM, *words, timeout=MOST_SECONDS)
    if result.status != DONE:
        return reason_of(result.err)
    return "" if "PASS" in result.out else "the program did not say PASS"


def with_ports(machine: str, settings: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The same, with larger switches where the real ones have too few ports. @return settings of these, and why not"""
    why = attempt(machine, settings)
    larger = PORTS_CURE.search(why)
    return ((larger[1],), attempt(machine, (*settings, larger[1]))) if larger else ((), why)


def cell(card: str, network: Network) -> Cell:
    """Tries one routing after the other."""
    reasons = []
    for number, routing in enumerate(network.attempts()):
        ports, why = with_ports(CARDS[card], (*network.topology, *routing))
        if not why:
            own = network.attempts()[0]
            named = tuple(setting for setting in routing if number > 0 and setting not in own)
            return Cell((*named, *ports), tuple(reasons))
        reasons.append(f"with `{' '.join(routing)}`: {why}")
    return Cell(None, tuple(reasons))


def table(cells: dict[tuple[str, str], Cell]) -> str:
    """Markdown: a row for each network, and the reasons as notes."""
    notes: dict[str, int] = {}
    lines = ["| | " + " | ".join(f"`{card}`" for card in CARDS) + " |", "|---" * (len(CARDS) + 1) + "|"]
    for network in NETWORKS:
        texts = []
        for card in CARDS:
            this = cells[card, network.name]
            marks = [notes.setdefault(reason, len(notes) + 1) for reason in this.reasons]
            text = "no" if this.settings is None else " ".join(["runs", *(f"`{setting}`" for setting in this.settings)])
            texts.append(text + "".join(f" ({mark})" for mark in marks))
        lines.append(f"| {network.name} | " + " | ".join(texts) + " |")
    lines += ["", *(f"{number}. {reason}" for reason, number in notes.items())]
    return "\n".join(lines) + "\n"


def measured() -> str:
    """The table as it is now."""
    return table({(card, network.name): cell(card, network) for network in NETWORKS for card in CARDS})


def of_page() -> str:
    """The table of the page."""
    return PAGE.read_text().split(BEGIN)[1].split(END)[0].strip() + "\n"


def update(text: str) -> None:
    """Writes it into the page."""
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    now = measured()
    update(now) if sys.argv[1:] == ["--update"] else print(now)
