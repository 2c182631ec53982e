"""One HTML file with the picture in it, which works from disk: zoom, search, facts on hover; results and motion."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from .. import program
from . import facts
from .aggregated import Aggregated
from .errors import DrawError
from .folded import Fold
from .network import HOST, Network
from .results import only
from .shapes import Plan
from .svg import Extra, colour_of, picture
from .views import Folded, described, switch_described

_HERE = Path(__file__).resolve().parent
_COUNTED = {"c": "links", "h": "hosts", "s": "switches"}
_POINTS, _FEW_POINTS, _MANY_CABLES = 20, 6, 600  # of a curve, for motion


def _places() -> list[Path]:
    """Where D3 may be: beside the program, built or installed, and Debian's own."""
    found = program.find().resolve()
    return [
        found.parent / "share" / "d3.min.js",
        found.parents[1] / "share" / "sanvp" / "d3" / "d3.min.js",
        Path("/usr/share/nodejs/d3/dist/d3.min.js"),
    ]


@functools.cache
def d3() -> str:
    """D3's JavaScript."""
    for place in _places():
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise DrawError("a page needs D3: apt-get install node-d3 (scripts/install draw); -o FILE.svg needs none")


def script_json(value: Any) -> str:
    """For a value in a script of HTML, which must not contain `</script`."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _common(network: Network, extra: Extra) -> dict[str, Any]:
    """What the page's script knows of each network."""
    rules = [
        {
            "rate": facts.rate(one),
            "delay": one["delay_ns"],
            "wire": one["wire_ns"],
            "buffers": facts.buffers(one),
            "flow": one["flow_control"],
            "vcs": one["virtual_channels"],
            "flit_ns": one["flit_ns"],
        }
        for one in network.json["rules"]
    ]
    return {
        "machine": network.machine,
        "hostsPerNode": network.hosts_per_node,
        "counts": {kind: len(network.json["graph"][name]) for kind, name in _COUNTED.items()},
        "classes": network.classes,
        "colours": [colour_of(network)[name] for name in network.classes],
        "rules": rules,
        "sources": facts.sources(network),
        "routes": {str(cable): rows for cable, rows in sorted(extra.said_of_cables.items())},
    }


def content_of(network: Network, plan: Plan, extra: Extra) -> dict[str, Any]:
    """What the page's script knows of a network that is drawn whole."""
    points = _POINTS if len(network.cables) < _MANY_CABLES else _FEW_POINTS
    return (
        _common(network, extra)
        | {
            "hosts": network.host_names,
            "switches": [switch_described(network, i) for i in range(len(network.switch_names))],
            "cables": [described(network, cable) for cable in network.cables],
            "channelRules": [channel["rules"] for channel in network.json["channels"]],
            "channelNames": [channel["name"] for channel in network.json["channels"]],
        }
        | _drawn(network, plan, points)
    )


def _drawn(network: Network, plan: Plan, points: int) -> dict[str, Any]:
    """Where everything is, by its number in the whole network."""
    return {
        "lines": {
            str(number): [[round(v, 1) for point in line.points(points) for v in point] for line in lines]
            for number, lines in plan.lines.items()
        },
        "boxes": {
            ("h" if kind == HOST else "s") + str(network.number((kind, which))): [
                round(v, 1) for v in (box.x, box.y, box.width, box.height)
            ]
            for (kind, which), box in plan.boxes.items()
        },
    }


def folded_page(folded: Folded, results: dict[str, Any] | None = None) -> str:
    """The file of a network whose groups are folded."""
    network = folded.network
    known = _common(network, folded.extra) | {"hosts": {}, "switches": {}, "cables": {}}
    shown = Aggregated(folded, results) if results else None
    views = folded.views([shown.view] if shown else [])
    data = {"NETWORK": known, "VIEWS": views, "INDEX": folded.index(), "RESULTS": shown.whole() if shown else None}
    names = ["page.js", "folded.js", *(["results.js"] if shown else [])]
    title = f"{facts.title(network)}: {'results' if shown else 'network'}"
    return _file(title, folded.picture(0, titles=False), data, names)


def group_page(
    folded: Folded, fold: Fold, *, results: dict[str, Any] | None = None, motion: dict[str, Any] | None = None
) -> str:
    """The file of one group, which is drawn whole."""
    network = folded.network
    part, plan = folded.planned(fold)
    known = folded.parts(fold)
    channels = [channel for number in known["cables"] for channel in (2 * int(number), 2 * int(number) + 1)]
    also = [int(channel) for channel in (motion or {"channels": ()})["channels"]]
    of = network.json["channels"]
    data = {
        "NETWORK": _common(network, folded.extra)
        | known
        | {
            "channelRules": {str(channel): of[channel]["rules"] for channel in sorted({*channels, *also})},
            "channelNames": {str(channel): of[channel]["name"] for channel in channels},
        }
        | _drawn(part, plan, _POINTS),
        "RESULTS": results and only(results, channels, fold.switches),
        "MOTION": motion,
    }
    title = f"{facts.title(network)}, {fold.name}: {_kind(results, motion)}"
    return _file(title, folded.picture(fold.number, titles=False), data, _scripts(results, motion))


def _kind(results: object, motion: object) -> str:
    return "motion" if motion else "results" if results else "network"


def _scripts(results: object, motion: object) -> list[str]:
    return ["page.js", *(["results.js"] if results else []), *(["motion.js", "player.js"] if motion else [])]


def page(
    network: Network,
    plan: Plan,
    extra: Extra,
    *,
    results: dict[str, Any] | None = None,
    motion: dict[str, Any] | None = None,
) -> str:
    """The whole file."""
    data = {"NETWORK": content_of(network, plan, extra), "RESULTS": results, "MOTION": motion}
    title = f"{facts.title(network)}: {_kind(results, motion)}"
    return _file(title, picture(network, plan, extra, titles=False), data, _scripts(results, motion))


def _file(title: str, drawn: str, data: Mapping[str, Any], names: Sequence[str]) -> str:
    """A picture with constants and files of JavaScript."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    scripts = [(_HERE / name).read_text(encoding="utf-8") for name in names]
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f"<title>{escape(title)}</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}\n</style>",
            f"<script>\n{d3()}\n</script>",
            "</head><body>",
            '<div id="bar"><span id="path"></span>',
            '<input id="search" type="search" placeholder="cable 12, host 3, switch 5, or a name"',
            'aria-label="search"><span id="found"></span><button id="fit">all</button></div>',
            '<div id="stage">',
            drawn,
            '<canvas id="canvas"></canvas></div>',
            '<div id="panel"></div><div id="tip" hidden></div>',
            "<script>",
            *(f"const {name} = {script_json(value)};" for name, value in data.items() if value is not None),
            *scripts,
            "</script></body></html>\n",
        ]
    )
