"""Pictures of each kind of network are those of docs/pictures, which were looked at.

`SANVP=build/sanvp python3 -B tests/system/test_draw_references.py` draws them again after a change: look at each.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from drawings import ANY, EXERCISES, HYPERX
from program import PROJECT, SANVP

PICTURES = PROJECT / "docs" / "pictures"


def settings(*all_of_them: str) -> tuple[str, ...]:
    return tuple(word for setting in all_of_them for word in ("-s", setting))


LARGE = settings(
    *("topology.type=dragonfly", "topology.groups=128", "topology.switches_per_group=32"),
    *("topology.hosts_per_switch=16", "topology.global_cables=16", "routing.type=dragonfly", "switch.ports=64"),
)
TORUS = settings(
    *("topology.type=torus", "topology.hosts_per_switch=2", "topology.cables=1"),
    *("routing.type=minimal_adaptive", "switch.virtual_channels=3"),
)
REFERENCES = {
    "clos": ("macrame-clos-64",),
    "cycle": ("myrinet-8", "--topology", "ring.txt", "--routes", "clockwise.txt", "--check"),
    "dragonfly": ("qsnet-dragonfly-72",),
    "dragonfly-plus": ("qsnet-64", "-s", "topology.type=dragonfly_plus", *ANY),
    "folded": ("qsnet-64", *LARGE),
    "gcel": ("gcel-64",),
    "grid": ("macrame-grid-64",),
    "hyperx": ("qsnet-16", *HYPERX),
    "irregular": ("myrinet-8",),
    "mesh-of-clos": ("moc-3-2",),
    "polarfly": ("qsnet-64", "-s", "topology.type=polarfly", *ANY),
    "rail-tree": ("qsnet-64", "-s", "topology.type=rail_tree", *ANY),
    "relation": ("qsnet-64", *TORUS, "--route", 0, 13),
    "route": ("qsnet-64", "--route", 3, 60),
    "slim-fly": ("qsnet-64", "-s", "topology.type=slim_fly", *ANY),
    "subtrees": ("qsnet-1024", "--fold"),
    "tofu": ("tofu-36",),
}
MOST_MOVED = 1.0  # units: layouts by forces differ in their last digits from one library to the next
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def draw(name: str, folder: Path) -> str:
    command = ["draw", *map(str, REFERENCES[name]), "-o", str(folder / f"draw-{name}.svg")]
    subprocess.run([Path(SANVP).resolve(), *command], check=True, stdout=subprocess.DEVNULL, cwd=EXERCISES)
    return (folder / f"draw-{name}.svg").read_text()


@pytest.mark.parametrize("name", REFERENCES)
def test_a_picture_is_the_one_that_was_looked_at(name, tmp_path):
    drawn, reference = draw(name, tmp_path), (PICTURES / f"draw-{name}.svg").read_text()
    assert NUMBER.sub("#", drawn) == NUMBER.sub("#", reference)
    for new, old in zip(NUMBER.findall(drawn), NUMBER.findall(reference), strict=True):
        assert abs(float(new) - float(old)) <= MOST_MOVED


def test_each_picture_of_the_page_has_a_command_here():
    page = (PROJECT / "docs" / "pictures.md").read_text()
    assert set(re.findall(r"pictures/draw-([\w-]+)\.svg", page)) == set(REFERENCES)


if __name__ == "__main__":
    for one in sys.argv[1:] or REFERENCES:
        draw(one, PICTURES)
