"""Networks of several planes: each as its family is drawn, one beside the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .network import Network
from .shapes import Box, Line, Plan, Point, Region, Text, around

ENDING = " planes"  #: of the family's name
_BETWEEN = 60.0


def planes(network: Network, plan_of: Callable[[Network], Plan]) -> Plan:
    """The first coordinate of a switch is its plane. @param plan_of  draws one"""
    plan = Plan()
    right = 0.0
    for number in range(network.shape[0]):
        switches = [switch for switch, at in enumerate(network.coordinates) if at[0] == number]
        part = network.part(switches)
        part.family = network.family.removesuffix(ENDING)
        part.shape = network.shape[1:]
        part.coordinates = [at[1:] for at in part.coordinates]
        one = plan_of(part)
        extent = one.extent()
        _add(plan, one, part, right - extent.left)
        plan.regions.append(Region(_shifted(around([extent], _BETWEEN / 4), right - extent.left), f"plane {number}"))
        right += extent.width + _BETWEEN
    return plan


def _shifted(box: Box, by: float) -> Box:
    return replace(box, x=box.x + by)


def _add(plan: Plan, one: Plan, part: Network, by: float) -> None:
    """A part's plan, in the numbers of the whole, moved to the right."""

    def moved(point: Point) -> Point:
        return point[0] + by, point[1]

    def line(of: Line) -> Line:
        return Line(moved(of.start), tuple(tuple(moved(point) for point in piece) for piece in of.pieces))

    for unit, box in one.boxes.items():
        plan.boxes[unit[0], part.number(unit)] = _shifted(box, by)
    for cable, lines in one.lines.items():
        plan.lines[cable] = [line(single) for single in lines]
    plan.texts += [Text(moved(text.at), text.text, text.kind, text.anchor, text.angle) for text in one.texts]
    plan.regions += [replace(region, box=_shifted(region.box, by)) for region in one.regions]
    plan.bands += [(line(band), text, count) for band, text, count in one.bands]
