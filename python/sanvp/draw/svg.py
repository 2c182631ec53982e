"""A plan as SVG: a file by itself, and the picture of a page."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path

from . import facts
from .network import HOST, SWITCH, Network
from .shapes import Box, Line, Plan, Text
from .tiles import is_folded

# Okabe and Ito's, which colour-blind readers can tell apart, somewhat calmer
COLOURS = ("#7d8894", "#2a6fb0", "#c7702b", "#1f8a70", "#9a5aa5", "#b8912a", "#4aa3c7")
ROUTE_COLOURS = ("#1565c0", "#c2410c", "#15803d", "#7e22ce", "#0e7490", "#a16207")
_DASH = 9  # of a route's colour on a channel that it shares
_LETTER = 0.6  # width of a letter, of its height
MOST_TEXTS = 60_000  # numbers of ports and cables; beyond, hover has them

STYLE = (Path(__file__).resolve().parent / "picture.css").read_text(encoding="utf-8").strip()


@dataclass
class Extra:
    """What is drawn over the network."""

    routes: list[tuple[str, list[list[int]]]] = field(default_factory=list)  #: a name, and channels by step
    escapes: set[int] = field(default_factory=set)  #: channels that routes take as an escape only
    said_of_cables: dict[int, list[list[str]]] = field(default_factory=dict)  #: rows of facts about routes
    cycle: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    name: str = ""  #: of the part of the network that is drawn


def colour_of(network: Network) -> dict[str, str]:
    """A colour for each class of cables; grey if they lead to hosts."""
    others = [name for name in network.classes if name != "host"]
    return {"host": COLOURS[0]} | {name: COLOURS[1 + i % (len(COLOURS) - 1)] for i, name in enumerate(others)}


def tag(element: str, content: str = "", **attributes: object) -> str:
    """An element; `class_` is its class, `stroke_width` its stroke-width. Numbers have one decimal."""
    words = [element]
    for name, value in attributes.items():
        if value is not None:
            text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
            words.append(f'{name.strip("_").replace("_", "-")}="{text}"')
    return f"<{' '.join(words)}>{content}</{element}>" if content else f"<{' '.join(words)}/>"


def rectangle(box: Box, **attributes: object) -> str:
    """An element of this size."""
    return tag("rect", x=box.left, y=box.top, width=box.width, height=box.height, **attributes)


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def picture(network: Network, plan: Plan, extra: Extra, *, titles: bool) -> str:
    """The element `svg`. @param titles  whether each part has a tooltip of its own"""
    body = plan.extent()
    scale = max(1.0, body.width / 1500)
    ways = [channels for _, steps in extra.routes for channels in steps]
    over = {channel // 2 for channels in [*ways, extra.cycle] for channel in channels}  # cables of routes and cycles
    texts = plan.texts if len(plan.texts) <= MOST_TEXTS else [one for one in plan.texts if one.kind == "far"]
    content = [
        *_bands(plan),
        *_regions(plan, body),
        '<g class="cables">',
        *_cables(network, plan, titles=titles),
        "</g>",
        '<g class="over">',
        *_ways(plan, extra),
        "</g>",
        *_units(network, plan, titles=titles),
        '<g class="texts">',
        *(_text(one, over) for one in texts),
        "</g>",
        '<g class="over">',
        *_strikes(network, plan),
        *_places(plan, extra),
        "</g>",
    ]
    dimmed = any(cable in plan.lines for cable in over)
    return framed(network, content, body, _header(network, extra, body, scale), scale, dimmed=dimmed)


def framed(
    network: Network,
    content: list[str],
    body: Box,
    above: tuple[list[str], float, float],
    scale: float,
    *,
    dimmed: bool = False,
) -> str:
    """The element `svg` around elements that fill a box, with a header above."""
    parts, height_of_header, width_of_header = above
    margin = 30 * scale
    left, top = body.left - margin, body.top - height_of_header - margin
    width = max(body.width, width_of_header) + 2 * margin
    height = body.height + height_of_header + 2 * margin
    colours = colour_of(network)
    rules = "\n".join(f".k{i} {{ stroke: {colours[name]}; }}" for i, name in enumerate(network.classes))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="picture{" dimmed" if dimmed else ""}"'
            f' viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">',
            f"<style>\n{STYLE}\n{rules}\n</style>",
            rectangle(Box(left + width / 2, top + height / 2, width, height), class_="paper"),
            '<g class="view">',
            *content,
            "</g>",
            f'<g class="header">{"".join(parts)}</g>',
            "</svg>",
        ]
    )


def _header(network: Network, extra: Extra, body: Box, scale: float) -> tuple[list[str], float, float]:
    """Title, counts and legend above the network. @return elements, height and width"""
    notes = [*(facts.about(network) if not extra.name else []), facts.counts(network)]
    if is_folded(network):
        notes.append("the hosts of each switch are one box, with the first of their cables")
    heading = f"{network.machine} · {extra.name}" if extra.name else network.machine
    return header(heading, [*notes, *extra.notes], network, extra, body, scale)


def header(
    heading: str, notes: list[str], network: Network, extra: Extra, body: Box, scale: float
) -> tuple[list[str], float, float]:
    """Lines of text, classes of cables and routes above a picture. @return elements, height and width"""
    lines = [("heading", 20, heading), *(("sub", 12, note) for note in notes)]
    colours = colour_of(network)
    entries = facts.class_facts(network)
    total = (sum(size * 1.5 for _, size, _ in lines) + 18 * (len(entries) + len(extra.routes)) + 16) * scale
    y = body.top - total
    parts = []
    for kind, size, text in lines:
        y += size * 1.5 * scale
        parts.append(tag("text", escape(text), class_=kind, font_size=size * scale, x=body.left, y=y))
    legend = [(colours[name], 2.0, f"{name}: {text}") for name, text in entries]
    legend += [(ROUTE_COLOURS[i % len(ROUTE_COLOURS)], 4.0, name) for i, (name, _) in enumerate(extra.routes)]
    for colour, thick, text in legend:
        y += 18 * scale
        sample = f"M{body.left:.1f} {y - 4 * scale:.1f}h{26 * scale:.1f}"
        parts.append(tag("path", stroke=colour, stroke_width=thick * scale, d=sample))
        parts.append(tag("text", escape(text), font_size=11 * scale, x=body.left + 34 * scale, y=y))
    widest = max([size * len(text) for _, size, text in lines] + [11 * len(text) + 60 for _, _, text in legend])
    return parts, total, _LETTER * widest * scale


def _regions(plan: Plan, body: Box) -> Iterator[str]:
    for region in plan.regions:
        box = region.box
        yield rectangle(box, class_="region", rx=10)
        size = max(13.0, min(box.width / 40, body.width / 90))
        y = box.bottom + 4 + size if region.below else box.top - 6
        yield tag("text", escape(region.name), class_="region-name", font_size=size, x=box.left + 10, y=y)


def _bands(plan: Plan) -> Iterator[str]:
    for line, text, count in plan.bands:
        is_upright = line.start[0] == line.end[0]
        (x, y), _ = at_share(line.points(), 0.84 if is_upright else 0.5)  # not where a band passes below a row
        yield tag("path", class_="band", stroke_width=min(3.0 * count, 40.0), d=line.svg())
        yield tag("text", escape(text), class_="band-name", x=x, y=y + 4)


def _cables(network: Network, plan: Plan, *, titles: bool) -> Iterator[str]:
    kinds = {name: i for i, name in enumerate(network.classes)}
    for cable in [*network.cables, *(one.cable for exits in network.exits.values() for one in exits)]:
        if cable.number not in plan.lines:
            continue
        path = "".join(line.svg() for line in plan.lines[cable.number])
        kind = f"k{kinds[cable.link_class]}{' failed' if cable.failed else ''}"
        title = _title(facts.cable_text(network, cable)) if titles else ""
        yield tag("path", title, id=f"c{cable.number}", class_=kind, d=path)


def _units(network: Network, plan: Plan, *, titles: bool) -> Iterator[str]:
    for (kind, which), box in plan.boxes.items():
        title = _title(facts.unit_text(network, kind, which)) if titles else ""
        shown = network.number((kind, which))
        if kind == HOST:
            label = _host_label(network, which)
            number = fitted(label, 9, box.width, class_="host-number", x=box.x, y=box.y + 3.2)
            yield tag("g", rectangle(box, class_="host", rx=2.5) + number + title, id=f"h{shown}")
            continue
        failed = " failed" if which in network.failed_switches else ""
        name = network.switch_names[which].removeprefix("switch ")
        subtitle = ""
        if name != str(shown):
            subtitle = fitted(name, 6.5, box.width - 22, class_="name", x=box.x, y=box.y + 9.5)
        number = tag("text", f"s{shown}", class_="number", x=box.x, y=box.y + (1.5 if subtitle else 4))
        yield tag("g", rectangle(box, class_=f"box{failed}", rx=5) + number + subtitle + title, id=f"s{shown}")


def _host_label(network: Network, host: int) -> str:
    """Its number; of folded hosts the first and the last one of the switch."""
    if not is_folded(network) or host not in network.switch_of:
        return str(network.number((HOST, host)))
    hosts = network.hosts_at[network.switch_of[host]]
    return f"{hosts[0]}-{hosts[-1]}" if len(hosts) > 1 else str(host)


def fitted(text: str, size: float, width: float, **attributes: object) -> str:
    """A text that is squeezed if it is wider than `width`."""
    if _LETTER * size * len(text) > width - 2:
        attributes |= {"textLength": max(width - 2, 8.0), "lengthAdjust": "spacingAndGlyphs"}
    return tag("text", escape(text), **attributes)


def _text(one: Text, stressed: Container[int]) -> str:
    kind = {"port": "port", "cable": "cable-number", "far": "far"}[one.kind]
    if one.kind == "cable" and int(one.text) in stressed:
        kind += " stressed"
    x, y = one.at
    return f'<text class="{kind}" text-anchor="{one.anchor}" x="{x:.1f}" y="{y + 2.1:.1f}">{one.text}</text>'


def _strikes(network: Network, plan: Plan) -> Iterator[str]:
    """A cross on each failed part."""
    for cable in [*network.cables, *(one.cable for exits in network.exits.values() for one in exits)]:
        if cable.failed and cable.number in plan.lines:
            for line in plan.lines[cable.number]:
                x, y = middle(line)
                yield f'<path class="strike" d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"/>'
    for switch in sorted(network.failed_switches):
        box = plan.boxes[SWITCH, switch]
        down = f"M{box.left:.1f} {box.top:.1f}L{box.right:.1f} {box.bottom:.1f}"
        yield tag("path", class_="strike", d=f"{down}M{box.right:.1f} {box.top:.1f}L{box.left:.1f} {box.bottom:.1f}")


def middle(line: Line) -> tuple[float, float]:
    """The point half-way along a line."""
    return at_share(line.points(), 0.5)[0]


def at_share(points: list[tuple[float, float]], share: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """A point on a line, and the direction there."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    left = share * sum(lengths)
    for ((x, y), (to_x, to_y)), length in zip(pairwise(points), lengths, strict=True):
        if left <= length and length > 0:
            dx, dy = (to_x - x) / length, (to_y - y) / length
            return (x + left * dx, y + left * dy), (dx, dy)
        left -= length
    return points[-1], (0.0, 0.0)


def _ways(plan: Plan, extra: Extra) -> Iterator[str]:
    """Routes and the cycle. A channel of several routes has the colours of all, in turn."""
    routes_of: dict[int, list[int]] = defaultdict(list)
    for i, (_, steps) in enumerate(extra.routes):
        for channel in {channel for channels in steps for channel in channels}:
            routes_of[channel].append(i)
    for i, (_, steps) in enumerate(extra.routes):
        for channels in steps:
            for channel in channels:
                sharing = routes_of[channel]
                kind = "route escape" if channel in extra.escapes else "route"
                route = (i, sharing.index(i), len(sharing))
                yield from _way(plan, channel, kind, route, thin=len(channels) > 1)
    for channel in extra.cycle:
        yield from _way(plan, channel, "cycle", None, thin=False)


def _places(plan: Plan, extra: Extra) -> Iterator[str]:
    """The places of a cycle's channels in it."""
    for place, channel in enumerate(extra.cycle):
        lines = plan.lines.get(channel // 2, [])
        if lines:
            x, y = at_share(lines[0].points(), 0.3 if channel % 2 == 0 else 0.7)[0]
            yield (
                f'<circle fill="#c62828" cx="{x:.1f}" cy="{y:.1f}" r="7.5"/>'
                f'<text class="badge" x="{x:.1f}" y="{y + 3.6:.1f}">{place + 1}</text>'
            )


def _way(plan: Plan, channel: int, kind: str, route: tuple[int, int, int] | None, *, thin: bool) -> Iterable[str]:
    """A channel and its direction.

    @param route  its number, its place among the routes that share the channel, and how many these are; None: a cycle
    """
    number, place, sharing = route or (0, 0, 1)
    colour = ROUTE_COLOURS[number % len(ROUTE_COLOURS)] if route else "#c62828"
    width = ' stroke-width="2"' if thin else ""
    style = f"stroke:{colour}"
    if sharing > 1 and kind == "route":
        style += (
            f";stroke-dasharray:{_DASH} {_DASH * (sharing - 1)};stroke-dashoffset:{-_DASH * place};stroke-linecap:butt"
        )
    for line in plan.lines.get(channel // 2, []):
        points = line.points()
        if channel % 2:
            points = points[::-1]
        (x, y), (dx, dy) = at_share(points, 0.62 - 0.1 * (place % 4))
        size = 5.0 if thin else 7.0
        wings = [
            (x - size * dx + side * 0.55 * size * -dy, y - size * dy + side * 0.55 * size * dx) for side in (1, -1)
        ]
        yield (
            f'<path class="{kind}" style="{style}"{width} d="{line.svg()}"/>'
            f'<path fill="{colour}" d="M{x + 3 * dx:.1f} {y + 3 * dy:.1f}L{wings[0][0]:.1f} {wings[0][1]:.1f}'
            f'L{wings[1][0]:.1f} {wings[1][1]:.1f}Z"/>'
        )
