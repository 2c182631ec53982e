"""Pictures of a folded network: one for each group, in which its groups are boxes joined by bundles of cables."""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from . import facts
from .errors import DrawError
from .folded import Fold, fold_of
from .forced import irregular
from .grouped import mesh_of_clos, tofu
from .lattices import hyperx, lattice
from .levels import levels
from .network import SWITCH, Cable, Network
from .rings import Group, on_ellipse
from .shapes import Box, Line, Plan, around, curve, straight
from .svg import ROUTE_COLOURS, Extra, at_share, colour_of, fitted, framed, header, picture, rectangle, tag
from .tiles import SIDES, place, tile

_WIDTH, _HEIGHT = 118.0, 56.0  # of a group's box
_BETWEEN_X, _BETWEEN_Y = 30.0, 58.0
_RISE = 200.0  # between two rows of few boxes, so that bundles can be told apart
_ARC = 0.12  # height of an arc over boxes, to its length
_STUB, _STUBS = 22.0, 13.0  # length of a bundle that is not drawn whole, and between two at a side
_MOST_LABELS = 40  # bundles of a picture with their number of cables
_MOST_NUMBERS = 12  # cables of a bundle that are named
_LONG_ROW = 16  # switches, from which on those of a group stand on an ellipse

_WHOLE: dict[str, Callable[[Network], Plan]] = {
    "fat_tree": levels,
    "clos": levels,
    "rail_tree": levels,
    "mesh_of_clos": mesh_of_clos,
    "grid": lattice,
    "torus": lattice,
    "processor_grid": lattice,
    "tofu_flat": lattice,
    "tofu": tofu,
    "hyperx": hyperx,
}
_LATTICES = ("grid", "torus", "processor_grid", "tofu_flat", "tofu", "mesh_of_clos")
_IN_GROUPS = ("dragonfly", "dragonfly_plus", "slim_fly", "polarfly", "jellyfish")


@dataclass
class _Bundle:
    """The cables between two groups."""

    classes: Counter[str] = field(default_factory=Counter)
    numbers: list[int] = field(default_factory=list)  #: the first of them
    failed: int = 0

    @property
    def count(self) -> int:
        """Of all cables."""
        return sum(self.classes.values())

    def add(self, other: _Bundle) -> None:
        """Joins two bundles."""
        self.classes += other.classes
        self.numbers = sorted([*self.numbers, *other.numbers])[: _MOST_NUMBERS + 1]
        self.failed += other.failed


class Folded:
    """A network with its groups."""

    def __init__(self, network: Network, extra: Extra) -> None:
        self.network = network
        self.extra = extra
        self.root = fold_of(network)
        self.folds = list(self.root.all())
        self.parent = [-1] * len(self.folds)
        self.leaf_of = [0] * len(network.switch_names)
        for fold in self.folds:
            for child in fold.children:
                self.parent[child.number] = fold.number
            if not fold.children:
                for switch in fold.switches:
                    self.leaf_of[switch] = fold.number
        self._bundles: dict[int, dict[tuple[int, int], _Bundle]] = defaultdict(lambda: defaultdict(_Bundle))
        self._leaving = [0] * len(self.folds)
        self._latest: tuple[int, Network, Plan] | None = None
        self._count_bundles()

    def is_useful(self) -> bool:
        """Whether anything is folded."""
        return bool(self.root.children)

    def path(self, number: int) -> list[int]:
        """From the whole network to a group."""
        found = [number]
        while self.parent[found[0]] >= 0:
            found.insert(0, self.parent[found[0]])
        return found

    def named(self, name: str) -> Fold:
        """The group that is drawn whole and has this name, or this host or switch. Raises DrawError without one."""
        leaves = [fold for fold in self.folds if not fold.children]
        if part := re.fullmatch(r"(host|switch)\s+(\d+)", name):
            number = int(part[2])
            switch = self.network.switch_of.get(number, -1) if part[1] == "host" else number
            if 0 <= switch < len(self.leaf_of):
                return self.folds[self.leaf_of[switch]]
        found = [fold for fold in self.folds if name in (fold.name, self._name(fold.number))]
        whole = [fold for fold in found if not fold.children]
        if len(whole) == 1:
            return whole[0]
        if found and not whole:
            inside = ", ".join(child.name for child in found[0].children)
            raise DrawError(f"--group '{name}' has groups inside: name one of them: {inside}")
        if whole:
            raise DrawError(f"--group '{name}': say which: {'; '.join(self._name(fold.number) for fold in whole)}")
        raise DrawError(
            f"there is no group '{name}': name one that the page shows, such as '{leaves[0].name}', "
            "or a part that is in it, such as 'host 0' or 'switch 5'"
        )

    def picture(self, number: int, *, titles: bool) -> str:
        """Of a group; 0 is the whole network."""
        fold = self.folds[number]
        return self._boxes(fold, titles=titles) if fold.children else self._switches(fold, titles=titles)

    def views(self, more: Sequence[Callable[[Fold], dict[str, Any]]] = ()) -> list[dict[str, Any]]:
        """All pictures but the first one for a page, compressed, each with what the page says of its parts.

        @param more  gives what the page shows besides
        """
        found: list[dict[str, Any]] = []
        for fold in self.folds:
            content = {} if fold.number == 0 else {"svg": self.picture(fold.number, titles=False)}
            if not fold.children:
                content |= self.parts(fold)
            for give in more if fold.number else ():
                content |= give(fold)
            data = zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6) if content else b""
            found.append(
                {
                    "name": fold.name,
                    "parent": self.parent[fold.number],
                    "data": base64.b64encode(data).decode(),
                }
            )
        return found

    def index(self) -> str:
        """For the page's search, compressed: names, the picture of each switch, the switch of each host and cable."""
        network = self.network
        content = {
            "switches": network.switch_names,
            "hosts": network.host_names,
            "leaf": self.leaf_of,
            "host": [network.switch_of.get(host, -1) for host in range(len(network.host_names))],
            "cable": [next((end[1] for end in (c.a, c.b) if end[0] == SWITCH), -1) for c in network.cables],
        }
        return base64.b64encode(zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6)).decode()

    # ---- bundles

    def _count_bundles(self) -> None:
        pairs: dict[tuple[int, int], _Bundle] = defaultdict(_Bundle)
        for cable in self.network.between_switches:
            one, other = self.leaf_of[cable.a[1]], self.leaf_of[cable.b[1]]
            if one != other:
                bundle = pairs[min(one, other), max(one, other)]
                bundle.classes[cable.link_class] += 1
                bundle.failed += cable.failed
                if len(bundle.numbers) <= _MOST_NUMBERS:
                    bundle.numbers.append(cable.number)
        for (one, other), bundle in pairs.items():
            way, back = self.path(one), self.path(other)
            common = next(i for i in range(len(way)) if way[i] != back[i])
            ends = (way[common], back[common])
            self._bundles[way[common - 1]][min(ends), max(ends)].add(bundle)
            for inner in (*way[common:], *back[common:]):
                self._leaving[inner] += bundle.count

    def bundles(self, number: int) -> list[tuple[int, int]]:
        """Those of a picture, each as the numbers of two groups."""
        return list(self._bundles[number])

    def bundle_of(self, cable: Cable) -> tuple[int, tuple[int, int]] | None:
        """In which picture a cable is part of which bundle."""
        if cable.a[0] != SWITCH or cable.b[0] != SWITCH:
            return None
        way, back = self.path(self.leaf_of[cable.a[1]]), self.path(self.leaf_of[cable.b[1]])
        for i in range(1, min(len(way), len(back))):
            if way[i] != back[i]:
                return way[i - 1], (min(way[i], back[i]), max(way[i], back[i]))
        return None

    def lines(self, number: int) -> dict[int, list[Line]]:
        """Those of a picture, by the place of their bundle; of a group that is drawn whole, by cable."""
        fold = self.folds[number]
        if not fold.children:
            return self.planned(fold)[1].lines
        return dict(enumerate(self._placed(fold)[1].values()))

    # ---- groups as boxes

    def _placed(self, fold: Fold) -> tuple[dict[int, Box], dict[tuple[int, int], list[Line]], list[str]]:
        """The boxes of a picture, the lines of its bundles, and texts at those that are cut."""
        places = _places(fold, arcs=self.network.family == "hyperx")
        boxes = dict(zip((child.number for child in fold.children), places, strict=True))
        stubs = _Stubs()
        is_lattice = bool(fold.cells) and self.network.family in _LATTICES
        lines = {}
        for pair in self._bundles[fold.number]:
            one, other = boxes[pair[0]], boxes[pair[1]]
            names = (self.folds[pair[0]].name, self.folds[pair[1]].name)
            whole = not is_lattice or _are_neighbours(one, other)
            lines[pair] = _joined(one, other, fold) if whole else stubs.add(one, names[0], other, names[1])
        return boxes, lines, stubs.texts

    def _boxes(self, fold: Fold, *, titles: bool) -> str:
        boxes, lines, far = self._placed(fold)
        bundles = self._bundles[fold.number]
        is_crowded = len(bundles) > _MOST_LABELS or self.network.family == "hyperx"
        thickest = 3.0 if is_crowded else 12.0
        content = [
            '<g class="bundles">',
            *(
                self._bundle(i, pair, lines[pair], thickest, titles=titles)
                for i, pair in enumerate(self._bundles[fold.number])
            ),
            "</g>",
            f'<g class="over">{"".join(self._routes(fold, lines))}</g>',
            *(self._box(child, boxes[child.number], titles=titles) for child in fold.children),
        ]
        if len(bundles) <= _MOST_LABELS:
            content += [_label(lines[pair][0], bundles[pair].count) for pair in bundles if len(lines[pair]) == 1]
        content += far
        points = [point for both in lines.values() for line in both for point in line.points(6)]
        body = around([*boxes.values(), *(Box(x, y, 0, 0) for x, y in points)], 24)
        scale = max(1.0, body.width / 1500)
        extra = replace(self.extra, name=self._name(fold.number))
        over = header(_heading(self.network, extra), self._notes(fold), self.network, extra, body, scale)
        return framed(self.network, content, body, over, scale)

    def _name(self, number: int) -> str:
        return ", ".join(self.folds[one].name for one in self.path(number)[1:])

    def _notes(self, fold: Fold) -> list[str]:
        notes = [*facts.about(self.network), facts.counts(self.network)] if fold.number == 0 else [self._size(fold)]
        boxes = "a box is a group, a line the cables between two groups; in the page, a click opens a group"
        return [*notes, boxes, *(self.extra.notes if fold.number == 0 else [])]

    def _size(self, fold: Fold) -> str:
        hosts = sum(len(self.network.hosts_at[switch]) for switch in fold.switches)
        leaving = f", {self._leaving[fold.number]} cables to other groups" if self._leaving[fold.number] else ""
        return f"{_counted(len(fold.switches), 'switch', 'switches')}, {_counted(hosts, 'host', 'hosts')}{leaving}"

    def _box(self, fold: Fold, box: Box, *, titles: bool) -> str:
        hosts = sum(len(self.network.hosts_at[switch]) for switch in fold.switches)
        failed = sum(switch in self.network.failed_switches for switch in fold.switches)
        second = _counted(len(fold.switches), "switch", "switches") + (f", {failed} failed" if failed else "")
        inner = [
            rectangle(box, class_="box", rx=7),
            fitted(fold.name, 12, box.width, class_="number", x=box.x, y=box.y - 8),
            tag("text", second, class_="size", x=box.x, y=box.y + 8),
            tag("text", _counted(hosts, "host", "hosts"), class_="size", x=box.x, y=box.y + 22),
        ]
        title = f"<title>{escape(f'{fold.name}: {self._size(fold)}')}</title>" if titles else ""
        text = escape(self._size(fold), quote=True)
        return f'<g id="g{fold.number}" class="group" data-text="{text}">{"".join(inner)}{title}</g>'

    def _bundle(self, place: int, pair: tuple[int, int], lines: list[Line], thickest: float, *, titles: bool) -> str:
        bundle = self._bundles[self.parent[pair[0]]][pair]
        classes = ", ".join(f"{count} of class {name}" for name, count in sorted(bundle.classes.items()))
        numbers = f": {', '.join(map(str, bundle.numbers))}" if bundle.count <= _MOST_NUMBERS else ""
        failed = f", {bundle.failed} failed" if bundle.failed else ""
        names = " to ".join(self.folds[one].name for one in pair)
        text = f"{names}: {_counted(bundle.count, 'cable', 'cables')} ({classes}){failed}{numbers}"
        return tag(
            "path",
            f"<title>{escape(text)}</title>" if titles else "",
            id=f"b{place}",
            class_="bundle",
            stroke=colour_of(self.network)[bundle.classes.most_common(1)[0][0]],
            stroke_width=min(1.2 + 1.1 * math.log2(bundle.count), thickest),
            data_text=escape(text, quote=True),
            d="".join(line.svg() for line in lines),
        )

    def _routes(self, fold: Fold, lines: dict[tuple[int, int], list[Line]]) -> Iterator[str]:
        """Routes over bundles, each bundle once."""
        for i, (_, steps) in enumerate(self.extra.routes):
            pairs = set()
            for channel in (channel for step in steps for channel in step):
                found = self.bundle_of(self.network.cables[channel // 2])
                if found is not None and found[0] == fold.number:
                    pairs.add(found[1])
            for pair in sorted(pairs):
                drawn = "".join(line.svg() for line in lines[pair])
                yield tag("path", class_="route", stroke=ROUTE_COLOURS[i % len(ROUTE_COLOURS)], d=drawn)

    # ---- a group whose switches are drawn

    def _switches(self, fold: Fold, *, titles: bool) -> str:
        part, plan = self.planned(fold)
        extra = replace(self.extra, name=self._name(fold.number), notes=[])
        return picture(part, plan, extra, titles=titles)

    def planned(self, fold: Fold) -> tuple[Network, Plan]:
        """A group that is drawn whole. The latest one is kept."""
        if self._latest is None or self._latest[0] != fold.number:
            part = self.network.part(fold.switches)
            self._latest = (fold.number, part, self._plan(fold, part))
        return self._latest[1:]

    def _plan(self, fold: Fold, part: Network) -> Plan:
        family = self.network.family
        if not part.between_switches:
            return _shelves(part)
        if family in _IN_GROUPS:
            local = {number: i for i, number in enumerate(fold.switches)}
            rows = [[local[switch] for switch in row] for row in fold.rows]
            if max(map(len, rows)) > _LONG_ROW or family == "jellyfish":
                return on_ellipse(part, [Group("", [[switch]]) for row in rows for switch in row])
            rows = rows if family == "dragonfly_plus" else [[switch for row in rows for switch in row]]
            return on_ellipse(part, [Group("", rows)])
        return _WHOLE.get(family, irregular)(part)

    def parts(self, fold: Fold) -> dict[str, Any]:
        """What the page's script knows of the parts of a picture."""
        network = self.network
        cables = {cable.number: cable for switch in fold.switches for cable in network.cables_at[switch]}
        switches = {end[1] for cable in cables.values() for end in (cable.a, cable.b) if end[0] == SWITCH}
        hosts = [host for switch in fold.switches for host in network.hosts_at[switch]]
        return {
            "cables": {str(number): described(network, cable) for number, cable in sorted(cables.items())},
            "switches": {str(s): switch_described(network, s) for s in sorted({*switches, *fold.switches})},
            "hosts": {str(host): network.host_names[host] for host in hosts},
        }


def described(network: Network, cable: Cable) -> list[Any]:
    """A cable for the page's script: ends, class, failed, rules."""
    rules = network.json["channels"][2 * cable.number]["rules"]
    return [list(cable.a), list(cable.b), network.classes.index(cable.link_class), int(cable.failed), rules]


def switch_described(network: Network, switch: int) -> list[Any]:
    """A switch for the page's script: name, ports, failed."""
    return [network.switch_names[switch], network.ports[switch], int(switch in network.failed_switches)]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _heading(network: Network, extra: Extra) -> str:
    return f"{network.machine} · {extra.name}" if extra.name else network.machine


def _places(fold: Fold, *, arcs: bool) -> list[Box]:
    """Where the boxes of groups stand. @param arcs  whether rows are joined by arcs"""
    count = len(fold.children)
    if fold.cells:
        columns = [sum(cell[1] == row for cell in fold.cells) for row in range(max(c[1] for c in fold.cells) + 1)]
        widest, step_x = max(columns), _WIDTH + _BETWEEN_X
        in_rows = fold.is_levels
        step_y = max(_RISE, 0.22 * widest * step_x) if in_rows else _HEIGHT + _BETWEEN_Y
        if arcs:
            step_y += _ARC * widest * step_x
        found = []
        for column, row in fold.cells:
            pitch = widest * step_x / columns[row] if in_rows else step_x
            found.append(Box((column + 0.5) * pitch, row * step_y, _WIDTH, _HEIGHT))
        return found
    radius_x = max(count * (_WIDTH + _BETWEEN_X) / (2 * math.pi) * 1.25, 1.2 * _WIDTH)
    radius_y = max(0.62 * radius_x, count * (_HEIGHT + 16) / math.pi / 1.6, 2 * _HEIGHT)
    angles = [2 * math.pi * i / count - math.pi / 2 for i in range(count)]
    return [Box(radius_x * math.cos(a), radius_y * math.sin(a), _WIDTH, _HEIGHT) for a in angles]


def _joined(one: Box, other: Box, fold: Fold) -> list[Line]:
    """A bundle between two boxes; as an arc, if boxes stand between them."""
    if not fold.cells or (fold.is_levels and abs(one.y - other.y) > 1):
        return [straight((one.x, one.y), (other.x, other.y))]
    if abs(one.y - other.y) < 1 and abs(one.x - other.x) > 1.5 * (_WIDTH + _BETWEEN_X):
        tops = ((one.x, one.top), (other.x, other.top))
        return [curve(tops[0], (0, -1), tops[1], (0, -1), 14 + 1.3 * _ARC * abs(one.x - other.x))]
    if abs(one.x - other.x) < 1 and abs(one.y - other.y) > 1.5 * (_HEIGHT + _BETWEEN_Y):
        sides = ((one.left, one.y), (other.left, other.y))
        return [curve(sides[0], (-1, 0), sides[1], (-1, 0), 10 + _ARC * abs(one.y - other.y))]
    return [straight((one.x, one.y), (other.x, other.y))]


def _are_neighbours(one: Box, other: Box) -> bool:
    dx, dy = abs(one.x - other.x) / (_WIDTH + _BETWEEN_X), abs(one.y - other.y) / (_HEIGHT + _BETWEEN_Y)
    return dx + dy < 1.5


class _Stubs:
    """Both ends of bundles of a lattice that lead around a ring, or to another plane. Each names the other group."""

    def __init__(self) -> None:
        self.taken: Counter[tuple[Box, str]] = Counter()
        self.texts: list[str] = []

    def add(self, one: Box, name: str, other: Box, other_name: str) -> list[Line]:
        """@return the two ends"""
        level = abs(one.y - other.y) < 1 or abs(one.x - other.x) > abs(one.y - other.y)
        first = one.x < other.x if level else one.y < other.y
        sides = (("left", "right") if level else ("top", "bottom"))[:: 1 if first else -1]
        return [self._end(one, sides[0], other_name), self._end(other, sides[1], name)]

    def _end(self, box: Box, side: str, far: str) -> Line:
        dx, dy = SIDES[side]
        shift = _STUBS * (self.taken[box, side] + (0 if dx else 1)) * (1 if dx else 2)
        self.taken[box, side] += 1
        at = (getattr(box, side), box.y + shift) if dx else (box.x + shift, getattr(box, side))
        end = (at[0] + _STUB * dx, at[1] + _STUB * dy)
        anchor = "middle" if dy else ("start" if dx > 0 else "end")
        short = far.removeprefix("at ")
        self.texts.append(
            tag("text", escape(short), class_="far", text_anchor=anchor, x=end[0] + 3 * dx, y=end[1] + 5 * dy + 2.2)
        )
        return straight(at, end)


def _label(line: Line, count: int) -> str:
    is_long_and_straight = len(line.pieces[0]) == 1 and math.dist(line.start, line.end) > 2 * _WIDTH
    (x, y), _ = at_share(line.points(), 0.36 if is_long_and_straight else 0.5)  # chords cross at their middles
    return tag("text", str(count), class_="bundle-count", x=x, y=y + 3)


def _shelves(part: Network) -> Plan:
    """Switches that no cable of the picture joins: in rows."""
    plan = Plan()
    count = len(part.switch_names)
    tiles = [tile(part, switch, 0) for switch in range(count)]
    width, height = max(one.width for one in tiles) + 24, max(one.height for one in tiles) + 74
    columns = max(1, round((count * 1.7 * height / width) ** 0.5))
    for switch in range(count):
        row, column = divmod(switch, columns)
        place(plan, part, switch, tiles[switch], (column * width, row * height))
    return plan
