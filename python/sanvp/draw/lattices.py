"""Grids, tori and HyperX: switches at the points of a box."""

from __future__ import annotations

from collections import Counter

from .network import SWITCH, Cable, Network
from .shapes import Line, Plan, Point, curve, straight
from .tiles import PITCH, SIDES, cut, place, plug_in, tile

_BETWEEN_X, _BETWEEN_Y = 74.0, 52.0
_STUB = 30.0
_BETWEEN_PLANES = 150.0


def _plane_of(at: list[int]) -> tuple[int, ...]:
    """All coordinates but the last two, which are y and x within a plane."""
    return tuple(at[:-2])


def _yx(at: list[int]) -> tuple[int, int]:
    return (at[-2] if len(at) > 1 else 0, at[-1])


def _planes_at(network: Network) -> dict[tuple[int, ...], tuple[int, int]]:
    """Column and row of each plane: the axes outside of a plane take turns in x and y, the innermost in x."""
    planes = sorted({_plane_of(at) for at in network.coordinates})
    sizes = [max(plane[i] for plane in planes) + 1 for i in range(len(planes[0]))]
    found = {}
    for plane in planes:
        column = row = 0
        columns = rows = 1
        for i, axis in enumerate(reversed(range(len(sizes)))):
            if i % 2 == 0:
                column, columns = column + plane[axis] * columns, columns * sizes[axis]
            else:
                row, rows = row + plane[axis] * rows, rows * sizes[axis]
        found[plane] = (column, row)
    return found


def _place_all(plan: Plan, network: Network, between: tuple[float, float]) -> dict[int, float]:
    """Puts each switch at its point. @return widths for cables at the upper and lower edges"""
    vertical, level = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for cable in network.between_switches:
        a, b = (network.coordinates[end[1]] for end in (cable.a, cable.b))
        axis = _differ(network, cable)
        for end, mine, other in ((cable.a, a, b), (cable.b, b, a)):
            (level if axis % 2 == 0 else vertical)[end[1], "on" if other > mine else "back"] += 1
    switches = range(len(network.switch_names))
    across = max((vertical.values()), default=0)
    sides = max((level.values()), default=0)
    tiles = {switch: tile(network, switch, across, across, sides) for switch in switches}
    width = max(one.width for one in tiles.values()) + between[0]
    height = max(one.height for one in tiles.values()) + between[1]
    most_y = max(_yx(at)[0] for at in network.coordinates) + 1
    most_x = max(_yx(at)[1] for at in network.coordinates) + 1
    planes = _planes_at(network)
    gap = _BETWEEN_PLANES if len(planes) > 1 else 0
    for switch in switches:
        y, x = _yx(network.coordinates[switch])
        column, row = planes[_plane_of(network.coordinates[switch])]
        at = (x * width + column * (most_x * width + gap), y * height + row * (most_y * height + gap))
        place(plan, network, switch, tiles[switch], at)
    return {switch: max(one.cables_width, PITCH) for switch, one in tiles.items()}


def _differ(network: Network, cable: Cable) -> int:
    """Along which axis, from the last one on."""
    a, b = (network.coordinates[end[1]] for end in (cable.a, cable.b))
    return next((i for i in range(len(a)) if a[-1 - i] != b[-1 - i]), 0)


def lattice(network: Network) -> Plan:
    """Cables to neighbours are straight. Those around a ring and to other planes are cut: each end names the other."""
    plan = Plan()
    narrow = _place_all(plan, network, (_BETWEEN_X, _BETWEEN_Y))
    sided = []
    seen = Counter[tuple[int, int]]()
    for cable in network.between_switches:
        a, b = (network.coordinates[end[1]] for end in (cable.a, cable.b))
        axis = _differ(network, cable)
        ahead = b[-1 - axis] - a[-1 - axis]
        wraps = abs(ahead) > 1
        pair = (min(cable.a[1], cable.b[1]), max(cable.a[1], cable.b[1]))
        cables_before = seen[pair]
        seen[pair] += 1
        size_two = abs(ahead) == 1 and _is_second_ring(network, cable, axis, cables_before)
        forward = (ahead > 0) != (wraps or size_two)
        sides = ("right", "left") if axis % 2 == 0 else ("bottom", "top")
        if not forward:
            sides = sides[::-1]
        sided.append((cable, *sides))

    def draw(cable: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
        box_a, box_b = plan.boxes[SWITCH, cable.a[1]], plan.boxes[SWITCH, cable.b[1]]
        axis = _differ(network, cable)
        toward = (box_b.x - box_a.x) * SIDES[side_a][0] + (box_b.y - box_a.y) * SIDES[side_a][1]
        steps = abs(network.coordinates[cable.a[1]][-1 - axis] - network.coordinates[cable.b[1]][-1 - axis])
        if axis < 2 and toward > 0 and steps == 1:
            return [straight(a, b)]
        return cut(plan, network, cable, a, side_a, b, side_b, _STUB)

    plug_in(plan, sided, draw, narrow=narrow)
    return plan


def _is_second_ring(network: Network, cable: Cable, axis: int, cables_before: int) -> bool:
    """Whether this is the way around of a ring of two: the second half of the cables between its two points."""
    if network.family not in ("torus", "tofu_flat"):
        return False
    size = max(at[-1 - axis] for at in network.coordinates) + 1
    between = (
        sum({one.a[1], one.b[1]} == {cable.a[1], cable.b[1]} for one in network.between_switches) if size == 2 else 1
    )
    return size == 2 and between > 1 and cables_before >= between / 2


def hyperx(network: Network) -> Plan:
    """Each row is joined all to all, by arcs: rows above, columns at the left."""
    plan = Plan()
    most = max(max(at) for at in network.coordinates)
    narrow = _place_all(plan, network, (60.0 + 14 * most, 90.0 + 12 * most))
    sided = []
    for cable in network.between_switches:
        axis = _differ(network, cable)
        sides = ("top", "top") if axis % 2 == 0 else ("left", "left")
        a, b = (network.coordinates[end[1]][-1 - axis] for end in (cable.a, cable.b))
        if axis < 2 and abs(a - b) == 1:
            sides = ("right", "left") if axis == 0 else ("bottom", "top")
            if a > b:
                sides = sides[::-1]
        sided.append((cable, *sides))

    def draw(cable: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
        if side_a != side_b:
            return [straight(a, b)]
        axis = _differ(network, cable)
        steps = abs(network.coordinates[cable.a[1]][-1 - axis] - network.coordinates[cable.b[1]][-1 - axis])
        reach = (26.0 + 16 * steps) * (1 if axis < 2 else 1.8)
        return [curve(a, SIDES[side_a], b, SIDES[side_b], reach)]

    plug_in(plan, sided, draw, narrow=narrow)
    return plan
