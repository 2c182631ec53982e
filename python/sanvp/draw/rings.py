"""Groups of switches around an ellipse, or in two lines face to face: dragonflies, PolarFly, Jellyfish, Slim Fly.

A group is a row of switches, or several rows, its hosts at the outside; cables to other groups leave at the inside.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from .detours import around_others
from .network import SWITCH, Cable, Network
from .shapes import Box, Line, Plan, Point, Region, are_apart, around, curve, straight
from .tiles import SIDES, SWITCH_HEIGHT, Tile, boxes_of, place, plug_in, tile

_MARGIN = 26.0  # of a group around its switches
_BETWEEN = 56.0  # two switches of a row, for the cable that joins them
_LEAST_RISE, _RISE = 100.0, 0.2  # between two rows of a group, for the cables that join them; to the width of a row
_MORE = 1.08  # by which an ellipse is stretched as long as groups overlap
_ASPECT = 0.62  # of an ellipse
_FACING = 0.34  # distance of two facing lines, to their width


@dataclass(frozen=True)
class Group:
    """Switches by row, the row nearest to other groups first."""

    name: str
    rows: list[list[int]]

    @property
    def members(self) -> list[int]:
        """All its switches."""
        return [switch for row in self.rows for switch in row]


def dragonfly(network: Network) -> Plan:
    """Groups around an ellipse; cables within a group as arcs, others through the middle."""
    groups: dict[int, list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        groups[at[0]].append(switch)
    return on_ellipse(network, [Group(f"group {number}", [members]) for number, members in sorted(groups.items())])


def dragonfly_plus(network: Network) -> Plan:
    """Groups around an ellipse: spines inside, leaves with their hosts outside."""
    _, leaves, spines, _, groups = network.shape
    first_spine = groups * leaves
    found = []
    for number in range(groups):
        inner = first_spine + number * spines
        rows = [list(range(inner, inner + spines)), list(range(number * leaves, (number + 1) * leaves))]
        found.append(Group(f"group {number}", rows))
    return on_ellipse(network, found)


def polarfly(network: Network) -> Plan:
    """Quadrics and fans around an ellipse."""
    return on_ellipse(network, fans(network))


def fans(network: Network) -> list[Group]:
    """Of a PolarFly: the quadrics (switches with a cable less than others), then each neighbour of the first one with
    the switches that it is joined to, in pairs that a cable joins (Lakhotia et al., SC 2022, section V).
    """
    joined = _joined(network)
    fewest = min(len(others) for others in joined.values())
    quadrics = [s for s in joined if len(joined[s]) == fewest]
    left = set(joined) - set(quadrics)
    groups = [Group("quadrics", [quadrics])]
    for centre in [*sorted(joined[quadrics[0]] & left), *sorted(left)]:
        if centre in left:
            left.remove(centre)
            members = [centre]
            for one in sorted(joined[centre] & left):
                if one in left:
                    pair = [one, *sorted(joined[one] & joined[centre] & left - {one})[:1]]
                    members += pair
                    left -= set(pair)
            groups.append(Group(f"fan of switch {centre}", [members]))
    return groups


def jellyfish(network: Network) -> Plan:
    """Switches around an ellipse, in the order of their numbers."""
    return on_ellipse(network, [Group("", [[switch]]) for switch in range(len(network.switch_names))])


def slim_fly(network: Network) -> Plan:
    """The two subgraphs face each other: the columns x of one, the columns m of the other, each with q switches."""
    q = network.shape[0]
    plan = Plan()
    tiles = _tiles(network)
    width = q * (max(one.width for one in tiles.values()) + _BETWEEN) + 2 * _MARGIN + 24
    groups = []
    for side, name in enumerate(("x", "m")):
        y = (1 if side else -1) * _FACING * q * width / 2
        for column in range(q):
            first = (side * q + column) * q
            groups.append(Group(f"{name} = {column}", [list(range(first, first + q))]))
            _place(plan, network, groups[-1], tiles, ((column - (q - 1) / 2) * width, y))
    _join(plan, network, groups)
    return plan


def _joined(network: Network) -> dict[int, set[int]]:
    """The switches that cables join to each switch."""
    found: dict[int, set[int]] = {switch: set() for switch in range(len(network.switch_names))}
    for cable in network.between_switches:
        found[cable.a[1]].add(cable.b[1])
        found[cable.b[1]].add(cable.a[1])
    return found


def _tiles(network: Network) -> dict[int, Tile]:
    degree = Counter(end[1] for cable in network.between_switches for end in (cable.a, cable.b))
    return {switch: tile(network, switch, degree[switch]) for switch in range(len(network.switch_names))}


def on_ellipse(network: Network, groups: Sequence[Group]) -> Plan:
    """Places all groups and joins them."""
    plan = Plan()
    tiles = _tiles(network)
    pitch = max(one.width for one in tiles.values()) + _BETWEEN
    longest = max(len(row) for group in groups for row in group.rows)
    rows = max(len(group.rows) for group in groups)
    width = longest * pitch + (2 * _MARGIN if longest > 1 else 0)
    hosts_height = max(one.hosts_height for one in tiles.values())
    height = (
        rows * SWITCH_HEIGHT
        + (rows - 1) * _rise(longest * pitch)
        + hosts_height
        + 2 * _MARGIN
        + (20 if longest > 1 else 0)
    )
    count = len(groups)
    radius_x = max(width * count / (1.9 * math.pi), width)
    radius_y = max(_ASPECT * radius_x, height * 1.6)
    radius_x = max(radius_x, radius_y / _ASPECT)

    def centres() -> list[Point]:
        angles = (2 * math.pi * (i + 0.5) / count for i in range(count))
        return [(-radius_x * math.cos(angle), -radius_y * math.sin(angle)) for angle in angles]

    while not are_apart(centres(), width, height):
        radius_x, radius_y = radius_x * _MORE, radius_y * _MORE
    for group, centre in zip(groups, centres(), strict=True):
        _place(plan, network, group, tiles, centre)
    _join(plan, network, groups)
    return plan


def _rise(width: float) -> float:
    """Between two rows of a group of this width."""
    return max(_LEAST_RISE, _RISE * width)


def _place(plan: Plan, network: Network, group: Group, tiles: dict[int, Tile], centre: Point) -> None:
    """Puts a group at a point: its hosts above if it is above the middle of the picture, else below."""
    above = centre[1] < 1e-6
    pitch = max(tiles[switch].width for switch in group.members) + _BETWEEN
    for depth, row in enumerate(group.rows):
        rise = _rise(max(map(len, group.rows)) * pitch) + SWITCH_HEIGHT
        y = centre[1] + (-1 if above else 1) * depth * rise
        for i, switch in enumerate(row):
            x = centre[0] + (i - (len(row) - 1) / 2) * pitch
            place(plan, network, switch, tiles[switch], (x, y), above=above)
    if group.name:
        plan.regions.append(Region(around(boxes_of(plan, network, group.members), _MARGIN), group.name, not above))


def _join(plan: Plan, network: Network, groups: Sequence[Group]) -> None:
    """All cables between switches: those of neighbours straight, others of a row as arcs, others as long curves."""
    group_of = {switch: i for i, group in enumerate(groups) for switch in group.members}

    def is_inside(cable: Cable) -> bool:
        return group_of[cable.a[1]] == group_of[cable.b[1]]

    sided = []
    for cable in network.between_switches:
        a, b = (plan.boxes[SWITCH, end[1]] for end in (cable.a, cable.b))
        if not is_inside(cable):
            sided.append((cable, _inner(a), _inner(b)))
        elif abs(a.y - b.y) > 1:
            sided.append((cable, "top", "bottom") if a.y > b.y else (cable, "bottom", "top"))
        elif abs(a.x - b.x) < max(a.width, b.width) + _BETWEEN + 1:
            sided.append((cable, "right", "left") if a.x < b.x else (cable, "left", "right"))
        else:
            sided.append((cable, _inner(a), _inner(b)))

    def draw(cable: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
        if not is_inside(cable):
            return [curve(a, SIDES[side_a], b, SIDES[side_b], 0.3 * math.dist(a, b) + 40)]
        if side_a != side_b:
            return [straight(a, b)]
        return [curve(a, SIDES[side_a], b, SIDES[side_b], 20 + 0.22 * abs(a[0] - b[0]))]

    plug_in(plan, sided, around_others(plan, network, draw))


def _inner(box: Box) -> str:
    """The side of a switch that looks to the middle of the picture."""
    return "bottom" if box.y < 1e-6 else "top"
