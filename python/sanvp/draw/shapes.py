"""Boxes and lines of a picture, in its own units: a unit is a pixel at scale 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .network import Unit

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """Its smallest x."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its largest x."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """Its smallest y."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Its largest y."""
        return self.y + self.height / 2


def around(boxes: Sequence[Box], margin: float = 0) -> Box:
    """The smallest box that has all of them and a margin."""
    left, right = min(box.left for box in boxes) - margin, max(box.right for box in boxes) + margin
    top, bottom = min(box.top for box in boxes) - margin, max(box.bottom for box in boxes) + margin
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def are_apart(points: Sequence[Point], width: float, height: float) -> bool:
    """Whether no two boxes of one size overlap, with their centres at these points."""
    by_x = sorted(points)
    for i, (x, y) in enumerate(by_x):
        for other_x, other_y in by_x[i + 1 :]:
            if other_x - x >= width:
                break
            if abs(other_y - y) < height:
                return False
    return True


@dataclass(frozen=True)
class Line:
    """A line of straight pieces and Bezier curves: each piece has its control points, none or two, and its end."""

    start: Point
    pieces: tuple[tuple[Point, ...], ...]

    @property
    def end(self) -> Point:
        """Its last point."""
        return self.pieces[-1][-1]

    def svg(self) -> str:
        """The attribute `d` of a path."""
        words = [f"M{_number(self.start[0])} {_number(self.start[1])}"]
        for piece in self.pieces:
            letter = "L" if len(piece) == 1 else "C"
            words.append(letter + " ".join(f"{_number(x)} {_number(y)}" for x, y in piece))
        return "".join(words)

    def points(self, per_curve: int = 12) -> list[Point]:
        """Points on it: all ends, and some on each curve."""
        found = [self.start]
        for piece in self.pieces:
            if len(piece) == 1:
                found.append(piece[0])
                continue
            p0, (p1, p2, p3) = found[-1], piece
            for i in range(1, per_curve + 1):
                t = i / per_curve
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                found.append(tuple(a * p0[k] + b * p1[k] + c * p2[k] + d * p3[k] for k in (0, 1)))  # type: ignore[arg-type]
        return found


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def straight(*points: Point) -> Line:
    """A line through points."""
    return Line(points[0], tuple((point,) for point in points[1:]))


def curve(start: Point, leaves: Point, end: Point, arrives: Point, reach: float | None = None) -> Line:
    """A curve that leaves and arrives in the directions of two unit vectors, both away from its ends."""
    if reach is None:
        reach = 0.4 * math.dist(start, end)
    c1 = (start[0] + reach * leaves[0], start[1] + reach * leaves[1])
    c2 = (end[0] + reach * arrives[0], end[1] + reach * arrives[1])
    return Line(start, ((c1, c2, end),))


@dataclass(frozen=True)
class Text:
    """A text in the picture. @param anchor  start, middle or end"""

    at: Point
    text: str
    kind: str
    anchor: str = "middle"
    angle: float = 0


@dataclass(frozen=True)
class Region:
    """A rectangle behind parts that belong together. @param below  whether its name is at its lower edge"""

    box: Box
    name: str
    below: bool = False


@dataclass
class Plan:
    """Where everything of a network is."""

    boxes: dict[Unit, Box] = field(default_factory=dict)
    lines: dict[int, list[Line]] = field(default_factory=dict)  #: by cable; several where a wrap is cut in two
    texts: list[Text] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    exits: dict[tuple[int, str], float] = field(default_factory=dict)  #: width of an edge that exits take, by side
    bands: list[tuple[Line, str, int]] = field(default_factory=list)  #: for cables that are cut: a text, how many

    def extent(self) -> Box:
        """All of it."""
        boxes = [*self.boxes.values(), *(around([region.box], 26) for region in self.regions)]
        for lines in self.lines.values():
            for line in lines:
                boxes += [Box(x, y, 0, 0) for x, y in line.points(6)]
        return around(boxes)
