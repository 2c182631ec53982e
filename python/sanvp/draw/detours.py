"""Cables that would pass behind another switch, as if they were plugged in there, go around it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from .network import SWITCH, Cable, Network
from .shapes import Box, Line, Plan, Point, around
from .tiles import SIDES, Draw, boxes_of

_STEP, _STEPS = 22.0, 16  # by which a cable is moved to one side and to the other, until it is clear
_MARGIN = 4.0  # around a switch with its hosts
_SHARES = (0.5, 0.3, 0.7)  # of the cable, at which it passes the point that it is moved to
_REACH = 0.22  # of the control points, to the length of the cable
_PER_CURVE = 40  # points at which a curve is looked at


def around_others(plan: Plan, network: Network, first: Draw) -> Draw:
    """Draws a cable as `first` does where that is clear of other switches and their hosts, else past them."""
    switches = range(len(network.switch_names))
    own = {switch: [_shrunk(box) for box in boxes_of(plan, network, [switch])] for switch in switches}
    tiles = {switch: around(boxes_of(plan, network, [switch]), _MARGIN) for switch in switches}

    def draw(cable: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
        ends = {end[1] for end in (cable.a, cable.b) if end[0] == SWITCH}
        obstacles = [tiles[s] for s in switches if s not in ends] + [box for s in ends for box in own[s]]
        best, fewest = first(cable, a, side_a, b, side_b), math.inf
        for lines in (best, *([line] for line in _past(a, SIDES[side_a], b, SIDES[side_b]))):
            hits = sum(_hits(line, obstacles) for line in lines)
            if hits < fewest:
                best, fewest = lines, hits
            if not hits:
                break
        return best

    return draw


def _past(a: Point, leaves: Point, b: Point, arrives: Point) -> Iterator[Line]:
    """Lines through a point beside the straight one, the nearest ones first."""
    length = math.dist(a, b) or 1.0
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    reach = _REACH * length
    for step in range(1, _STEPS + 1):
        for by, share in product((step * _STEP, -step * _STEP), _SHARES):
            on = _moved(a, along, share * length)
            via = (on[0] - by * along[1], on[1] + by * along[0])
            bend = reach + abs(by) / 2
            yield Line(
                a,
                (
                    (_moved(a, leaves, bend), _moved(via, along, -reach), via),
                    (_moved(via, along, reach), _moved(b, arrives, bend), b),
                ),
            )


def _moved(point: Point, way: Point, by: float) -> Point:
    return point[0] + by * way[0], point[1] + by * way[1]


def _shrunk(box: Box) -> Box:
    """A cable may touch the edge at which it is plugged in."""
    return Box(box.x, box.y, max(box.width - 2, 0), max(box.height - 2, 0))


def _hits(line: Line, obstacles: Sequence[Box]) -> int:
    """How many boxes it passes behind."""
    points = line.points(_PER_CURVE)
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return sum(
        any(box.left < x < box.right and box.top < y < box.bottom for x, y in points)
        for box in obstacles
        if box.left < right and box.right > left and box.top < bottom and box.bottom > top
    )
