"""A plan as SVG: a file by itself, and the picture of a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from . import facts
from .network import HOST, SWITCH, Network
from .shapes import Box, Line, Plan, Text
from .tiles import is_folded

# Okabe and Ito's, which colour-blind readers can tell apart, somewhat calmer
COLOURS = ("#7d8894", "#2a6fb0", "#c7702b", "#1f8a70", "#9a5aa5", "#b8912a", "#4aa3c7")
ROUTE_COLOURS = ("#1565c0", "#c2410c", "#15803d", "#7e22ce", "#0e7490", "#a16207")
_LETTER = 0.6  # width of a letter, of its height
MOST_TEXTS = 60_000  # numbers of ports and cables; beyond, hover has them

STYLE = """
.picture { --paper: #fdfdfb; --ink: #26313c; --soft: #66727e; --box: #eef2f6; --edge: #5b6b7b; --host: #ffffff;
  --region: #f4f5f1; --region-edge: #cfd4cc; --bad: #c62828;
  font-family: "DejaVu Sans", "Segoe UI", Arial, sans-serif; }
.picture text { fill: var(--ink); }
.paper { fill: var(--paper); }
.region { fill: var(--region); stroke: var(--region-edge); stroke-width: 1; }
.region-name { fill: var(--soft) !important; font-weight: 600; }
.band { fill: none; stroke: #2a6fb0; opacity: .25; }
.band-name { font-size: 11px; text-anchor: middle; fill: var(--soft) !important; }
.cables path { fill: none; stroke-width: 1.4; stroke-linecap: round; }
.box { stroke: var(--edge); stroke-width: 1.1; fill: var(--box); }
.host { stroke: var(--edge); stroke-width: .8; fill: var(--host); }
.number { font-size: 12px; font-weight: 700; text-anchor: middle; }
.name { font-size: 6.5px; fill: var(--soft) !important; text-anchor: middle; }
.host-number { font-size: 9px; text-anchor: middle; font-weight: 600; }
.port { font-size: 6px; fill: var(--soft) !important; }
.cable-number { font-size: 7px; paint-order: stroke; stroke: var(--paper); stroke-width: 2px; stroke-linejoin: round; }
.far { font-size: 7px; fill: var(--soft) !important; font-style: italic; }
.failed { stroke: var(--bad) !important; stroke-dasharray: 5 3; opacity: .75; }
.strike { stroke: var(--bad); stroke-width: 2.2; fill: none; }
.box.failed { fill: #fbe9e7; }
.route { fill: none; stroke-width: 3.2; stroke-linecap: round; stroke-linejoin: round; opacity: .9; }
.cycle { fill: none; stroke: var(--bad); stroke-width: 4; stroke-linecap: round; }
.badge { font-size: 10px; font-weight: 700; text-anchor: middle; fill: #fff !important; }
.heading { font-weight: 700; }
.sub { fill: var(--soft) !important; }
.dimmed .cables path, .dimmed .cable-number, .dimmed .port { opacity: .28; }
@media (prefers-color-scheme: dark) {
  .picture { --paper: #14181d; --ink: #e3e8ee; --soft: #93a1af; --box: #232b34; --edge: #8595a5; --host: #1a2027;
    --region: #191f26; --region-edge: #323c46; --bad: #ff7b72; }
  .box.failed { fill: #3a1f1f; }
}
""".strip()


@dataclass
class Extra:
    """What is drawn over the network."""

    routes: list[tuple[str, list[list[int]]]] = field(default_factory=list)  #: a name, and channels by step
    cycle: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)


def colour_of(network: Network) -> dict[str, str]:
    """A colour for each class of cables; grey if they lead to hosts."""
    others = [name for name in network.classes if name != "host"]
    return {"host": COLOURS[0]} | {name: COLOURS[1 + i % (len(COLOURS) - 1)] for i, name in enumerate(others)}


def picture(network: Network, plan: Plan, extra: Extra, *, titles: bool) -> str:
    """The element `svg`. @param titles  whether each part has a tooltip of its own"""
    body = plan.extent()
    scale = max(1.0, body.width / 1500)
    header, height_of_header, width_of_header = _header(network, extra, body, scale)
    margin = 30 * scale
    left, top = body.left - margin, body.top - height_of_header - margin
    width = max(body.width, width_of_header) + 2 * margin
    height = body.height + height_of_header + 2 * margin
    texts = plan.texts if len(plan.texts) <= MOST_TEXTS else [one for one in plan.texts if one.kind == "far"]
    colours = colour_of(network)
    rules = "\n".join(f".k{i} {{ stroke: {colours[name]}; }}" for i, name in enumerate(network.classes))
    dimmed = " dimmed" if extra.routes or extra.cycle else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture{dimmed}" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}">',
        f"<style>\n{STYLE}\n{rules}\n</style>",
        f'<rect class="paper" x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"/>',
        '<g class="view">',
        *_bands(plan),
        *_regions(plan),
        '<g class="cables">',
        *_cables(network, plan, titles=titles),
        "</g>",
        *_units(network, plan, titles=titles),
        '<g class="texts">',
        *map(_text, texts),
        "</g>",
        *_strikes(network, plan),
        *_overlay(plan, extra),
        "</g>",
        f'<g class="header">{"".join(header)}</g>',
        "</svg>",
    ]
    return "\n".join(parts)


def _header(network: Network, extra: Extra, body: Box, scale: float) -> tuple[list[str], float, float]:
    """Title, counts and legend above the network. @return elements, height and width"""
    lines = [("heading", 20, facts.title(network)), ("sub", 12, network.summary), ("sub", 12, facts.counts(network))]
    if is_folded(network):
        lines.append(("sub", 12, "the hosts of each switch are one box, with the first of their cables"))
    lines += [("sub", 12, note) for note in extra.notes]
    colours = colour_of(network)
    entries = facts.class_facts(network)
    total = (sum(size * 1.5 for _, size, _ in lines) + 18 * (len(entries) + len(extra.routes)) + 16) * scale
    y = body.top - total
    parts = []
    for kind, size, text in lines:
        y += size * 1.5 * scale
        parts.append(
            f'<text class="{kind}" font-size="{size * scale:.1f}" x="{body.left:.1f}" y="{y:.1f}">{escape(text)}</text>'
        )
    legend = [(colours[name], 2.0, f"{name}: {text}") for name, text in entries]
    legend += [(ROUTE_COLOURS[i % len(ROUTE_COLOURS)], 4.0, name) for i, (name, _) in enumerate(extra.routes)]
    for colour, thick, text in legend:
        y += 18 * scale
        parts.append(
            f'<path stroke="{colour}" stroke-width="{thick * scale:.1f}" d="M{body.left:.1f} {y - 4 * scale:.1f}h{26 * scale:.1f}"/>'
            f'<text font-size="{11 * scale:.1f}" x="{body.left + 34 * scale:.1f}" y="{y:.1f}">{escape(text)}</text>'
        )
    widest = max([size * len(text) for _, size, text in lines] + [11 * len(text) + 60 for _, _, text in legend])
    return parts, total, _LETTER * widest * scale


def _regions(plan: Plan) -> Iterator[str]:
    for box, name in plan.regions:
        yield (
            f'<rect class="region" rx="10" x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"/>'
            f'<text class="region-name" font-size="{max(13, box.width / 26):.0f}" x="{box.left + 10:.1f}" y="{box.top - 6:.1f}">'
            f"{escape(name)}</text>"
        )


def _bands(plan: Plan) -> Iterator[str]:
    for line, text, count in plan.bands:
        x, y = middle(line)
        yield (
            f'<path class="band" stroke-width="{min(3.0 * count, 40):.0f}" d="{line.svg()}"/>'
            f'<text class="band-name" x="{x:.1f}" y="{y + 4:.1f}">{escape(text)}</text>'
        )


def _cables(network: Network, plan: Plan, *, titles: bool) -> Iterator[str]:
    kinds = {name: i for i, name in enumerate(network.classes)}
    for cable in network.cables:
        if cable.number not in plan.lines:
            continue
        path = "".join(line.svg() for line in plan.lines[cable.number])
        title = f"<title>{escape(facts.cable_text(network, cable))}</title>" if titles else ""
        failed = " failed" if cable.failed else ""
        yield f'<path id="c{cable.number}" class="k{kinds[cable.link_class]}{failed}" d="{path}">{title}</path>'


def _units(network: Network, plan: Plan, *, titles: bool) -> Iterator[str]:
    for (kind, which), box in plan.boxes.items():
        title = f"<title>{escape(facts.unit_text(network, kind, which))}</title>" if titles else ""
        place = f'x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
        if kind == HOST:
            label = _host_label(network, which)
            yield (
                f'<g id="h{which}"><rect class="host" rx="2.5" {place}/>'
                f'<text class="host-number" x="{box.x:.1f}" y="{box.y + 3.2:.1f}"{_fit(label, 9, box.width)}>{label}</text>{title}</g>'
            )
            continue
        failed = " failed" if which in network.failed_switches else ""
        name = network.switch_names[which].removeprefix("switch ")
        subtitle = ""
        if name != str(which):
            subtitle = f'<text class="name" x="{box.x:.1f}" y="{box.y + 9.5:.1f}"{_fit(name, 6.5, box.width - 22)}>{escape(name)}</text>'
        y = box.y + (1.5 if subtitle else 4)
        yield (
            f'<g id="s{which}"><rect class="box{failed}" rx="5" {place}/>'
            f'<text class="number" x="{box.x:.1f}" y="{y:.1f}">s{which}</text>{subtitle}{title}</g>'
        )


def _host_label(network: Network, host: int) -> str:
    """Its number; of folded hosts the first and the last one of the switch."""
    if not is_folded(network) or host not in network.switch_of:
        return str(host)
    hosts = network.hosts_at[network.switch_of[host]]
    return f"{hosts[0]}–{hosts[-1]}" if len(hosts) > 1 else str(host)


def _fit(text: str, size: float, width: float) -> str:
    """An attribute that squeezes a text which is too wide."""
    wanted = 0.62 * size * len(text)
    return f' textLength="{max(width - 2, 8):.1f}" lengthAdjust="spacingAndGlyphs"' if wanted > width - 2 else ""


def _text(one: Text) -> str:
    kind = {"port": "port", "cable": "cable-number", "far": "far"}[one.kind]
    rise = 2.1 if one.kind != "far" else 2.4
    return f'<text class="{kind}" text-anchor="{one.anchor}" x="{one.at[0]:.1f}" y="{one.at[1] + rise:.1f}">{escape(one.text)}</text>'


def _strikes(network: Network, plan: Plan) -> Iterator[str]:
    """A cross on each failed part."""
    for cable in network.cables:
        if cable.failed and cable.number in plan.lines:
            for line in plan.lines[cable.number]:
                x, y = middle(line)
                yield f'<path class="strike" d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"/>'
    for switch in sorted(network.failed_switches):
        box = plan.boxes[SWITCH, switch]
        yield f'<path class="strike" d="M{box.left:.1f} {box.top:.1f}L{box.right:.1f} {box.bottom:.1f}M{box.right:.1f} {box.top:.1f}L{box.left:.1f} {box.bottom:.1f}"/>'


def middle(line: Line) -> tuple[float, float]:
    """The point half-way along a line."""
    return at_share(line.points(), 0.5)[0]


def at_share(points: list[tuple[float, float]], share: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """A point on a line, and the direction there."""
    lengths = [math.dist(*pair) for pair in zip(points, points[1:], strict=False)]
    left = share * sum(lengths)
    for (a, b), length in zip(zip(points, points[1:], strict=False), lengths, strict=True):
        if left <= length and length > 0:
            t = left / length
            return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])), (
                (b[0] - a[0]) / length,
                (b[1] - a[1]) / length,
            )
        left -= length
    return points[-1], (0.0, 0.0)


def _overlay(plan: Plan, extra: Extra) -> Iterator[str]:
    for i, (_, steps) in enumerate(extra.routes):
        colour = ROUTE_COLOURS[i % len(ROUTE_COLOURS)]
        for channels in steps:
            for channel in channels:
                yield from _way(plan, channel, "route", colour, thin=len(channels) > 1)
    for place, channel in enumerate(extra.cycle):
        yield from _way(plan, channel, "cycle", "#c62828", thin=False)
        lines = plan.lines.get(channel // 2, [])
        if lines:
            x, y = at_share(lines[0].points(), 0.3 if channel % 2 == 0 else 0.7)[0]
            yield (
                f'<circle fill="#c62828" cx="{x:.1f}" cy="{y:.1f}" r="7.5"/>'
                f'<text class="badge" x="{x:.1f}" y="{y + 3.6:.1f}">{place + 1}</text>'
            )


def _way(plan: Plan, channel: int, kind: str, colour: str, *, thin: bool) -> Iterable[str]:
    """A channel and its direction."""
    width = ' stroke-width="2"' if thin else ""
    for line in plan.lines.get(channel // 2, []):
        points = line.points()
        if channel % 2:
            points = points[::-1]
        (x, y), (dx, dy) = at_share(points, 0.62)
        size = 5.0 if thin else 7.0
        wings = [
            (x - size * dx + side * 0.55 * size * -dy, y - size * dy + side * 0.55 * size * dx) for side in (1, -1)
        ]
        yield (
            f'<path class="{kind}" style="stroke:{colour}"{width} d="{line.svg()}"/>'
            f'<path fill="{colour}" d="M{x + 3 * dx:.1f} {y + 3 * dy:.1f}L{wings[0][0]:.1f} {wings[0][1]:.1f}'
            f'L{wings[1][0]:.1f} {wings[1][1]:.1f}Z"/>'
        )
