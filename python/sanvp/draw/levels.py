"""Trees: switches in levels, hosts below. Fat trees and folded Clos networks."""

from __future__ import annotations

from collections import Counter, defaultdict

from .network import SWITCH, Cable, Network
from .shapes import Plan, Region, around
from .tiles import SWITCH_HEIGHT, boxes_of, direct, place, plug_in, tile

_GAP = 16.0  # between neighbours of a level
_LEAST_RISE = 90.0
_MARGIN = 7.0  # of a pod around its leaves and their hosts
_ASPECT = 0.5  # of the height of all levels, to their width: so that cables between levels can be told apart


def levels(network: Network) -> Plan:
    """A switch's first coordinate is its level, its second one the place there."""
    plan = Plan()
    rows: dict[int, list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        rows[at[0]].append(switch)
    up, down = _cables_by_side(network)
    tiles = {
        switch: tile(network, switch, max(up[switch], down[switch] if not network.hosts_at[switch] else 0))
        for switch in range(len(network.switch_names))
    }
    widest = max(sum(tiles[switch].width + _GAP for switch in row) for row in rows.values())
    rise = max(_LEAST_RISE, _ASPECT * widest / len(rows)) + SWITCH_HEIGHT
    for level, row in sorted(rows.items()):
        for i, switch in enumerate(sorted(row, key=lambda one: network.coordinates[one][1:])):
            place(plan, network, switch, tiles[switch], ((i + 0.5) * widest / len(row), -level * rise))
    sided = [(cable, *_sides(plan, cable)) for cable in network.between_switches]
    plug_in(plan, sided, direct)
    return plan


def rail_tree(network: Network) -> Plan:
    """Leaves of a pod together, in the order of their rails."""
    plan = levels(network)
    pods: dict[int, list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        if at[0] == 0:
            pods[at[1]].append(switch)
    for pod, members in pods.items():
        plan.regions.append(Region(around(boxes_of(plan, network, members), _MARGIN), f"pod {pod}", below=True))
    return plan


def _cables_by_side(network: Network) -> tuple[Counter[int], Counter[int]]:
    """How many cables lead up from each switch, and down to other switches."""
    up, down = Counter[int](), Counter[int]()
    for cable in network.between_switches:
        a, b = cable.a[1], cable.b[1]
        low, high = (a, b) if network.coordinates[a][0] < network.coordinates[b][0] else (b, a)
        up[low] += 1
        down[high] += 1
    return up, down


def _sides(plan: Plan, cable: Cable) -> tuple[str, str]:
    a, b = (plan.boxes[SWITCH, end[1]] for end in (cable.a, cable.b))
    return ("top", "bottom") if a.y > b.y else ("bottom", "top")
