"""What the tests of `sanvp draw` share: networks of each kind, and their pictures."""

from __future__ import annotations

import sys
from pathlib import Path

from program import PROJECT, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.draw.network import Network, from_json

EXERCISES = PROJECT / "examples" / "exercises"
HYPERX = ("-s", "topology.type=hyperx", "-s", "routing.type=hyperx", "-s", "switch.ports=10")
ANY = ("-s", "routing.type=ud", "-s", "switch.ports=16")
PALM_TREE = ("-s", "topology.type=dragonfly", "-s", "topology.arrangement=palm-tree", "-s", "routing.type=dragonfly")
MACHINES = {
    "fat tree": ("qsnet-32",),
    "Clos": ("macrame-clos-64",),
    "Mesh of Clos of two levels": ("moc-3-1",),
    "Mesh of Clos of routers": ("moc-3-2",),
    "grid": ("macrame-grid-64",),
    "torus": ("macrame-torus-256",),
    "transputers": ("gcel-64",),
    "irregular": ("myrinet-8",),
    "dragonfly": ("qsnet-dragonfly-72",),
    "dragonfly of another arrangement": ("qsnet-64", *PALM_TREE, *ANY[2:]),
    "dragonfly+": ("qsnet-64", "-s", "topology.type=dragonfly_plus", *ANY),
    "rail-optimised tree": ("qsnet-64", "-s", "topology.type=rail_tree", *ANY),
    "Slim Fly": ("qsnet-64", "-s", "topology.type=slim_fly", *ANY),
    "PolarFly": ("qsnet-64", "-s", "topology.type=polarfly", *ANY),
    "PolarFly of even order": ("qsnet-64", "-s", "topology.type=polarfly", "-s", "topology.q=4", *ANY),
    "Jellyfish": ("qsnet-64", "-s", "topology.type=jellyfish", *ANY),
    "HyperX": ("qsnet-16", *HYPERX),
    "flat TOFU": ("tofu-36",),
    "TOFU": ("tofu-96",),
    "file": ("myrinet-8", "--topology", str(EXERCISES / "ring.txt"), "--routes", str(EXERCISES / "clockwise.txt")),
}


def network_of(*machine: str) -> Network:
    return from_json(done("network", *machine, "--json", "-").json)


def draw(folder: Path, *words: object) -> str:
    """The file that a command leaves, as text."""
    done("draw", *words, cwd=folder)
    return (folder / str(words[words.index("-o") + 1])).read_text()
