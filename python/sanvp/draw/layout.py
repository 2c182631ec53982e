"""Where the parts of a network stand in its picture, by the family of its topology."""

from __future__ import annotations

from collections.abc import Callable

from .forced import irregular
from .grouped import mesh_of_clos, tofu
from .lattices import hyperx, lattice
from .levels import levels, rail_tree
from .network import Network
from .planes import ENDING, planes
from .rings import dragonfly, dragonfly_plus, jellyfish, polarfly, slim_fly
from .shapes import Plan

_LAYOUTS: dict[str, Callable[[Network], Plan]] = {
    "fat_tree": levels,
    "clos": levels,
    "mesh_of_clos": mesh_of_clos,
    "grid": lattice,
    "torus": lattice,
    "processor_grid": lattice,
    "tofu_flat": lattice,
    "tofu": tofu,
    "hyperx": hyperx,
    "dragonfly": dragonfly,
    "dragonfly_plus": dragonfly_plus,
    "rail_tree": rail_tree,
    "slim_fly": slim_fly,
    "polarfly": polarfly,
    "jellyfish": jellyfish,
}


def plan_of(network: Network) -> Plan:
    """The picture of a network: as an engineer draws its family, and any other by forces."""
    if network.family.endswith(ENDING):
        return planes(network, plan_of)
    return _LAYOUTS.get(network.family, irregular)(network)
