"""One HTML file with the picture in it, which works from disk: zoom, search, facts on hover; results and motion."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from .. import program
from . import facts
from .errors import DrawError
from .network import HOST, Network
from .shapes import Plan
from .svg import Extra, colour_of, picture

_HERE = Path(__file__).resolve().parent
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


def content_of(network: Network, plan: Plan) -> dict[str, Any]:
    """What the page's script knows of the network."""
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
    points = _POINTS if len(network.cables) < _MANY_CABLES else _FEW_POINTS
    return {
        "machine": network.machine,
        "hosts": network.host_names,
        "hostsPerNode": network.hosts_per_node,
        "switches": [
            [name, network.ports[i], int(i in network.failed_switches)] for i, name in enumerate(network.switch_names)
        ],
        "cables": [
            [list(cable.a), list(cable.b), network.classes.index(cable.link_class), int(cable.failed)]
            for cable in network.cables
        ],
        "classes": network.classes,
        "colours": [colour_of(network)[name] for name in network.classes],
        "channelRules": [channel["rules"] for channel in network.json["channels"]],
        "channelNames": [channel["name"] for channel in network.json["channels"]],
        "rules": rules,
        "sources": facts.sources(network),
        "lines": {
            str(number): [[round(v, 1) for point in line.points(points) for v in point] for line in lines]
            for number, lines in plan.lines.items()
        },
        "boxes": {
            ("h" if kind == HOST else "s") + str(which): [round(v, 1) for v in (box.x, box.y, box.width, box.height)]
            for (kind, which), box in plan.boxes.items()
        },
    }


def page(
    network: Network,
    plan: Plan,
    extra: Extra,
    *,
    results: dict[str, Any] | None = None,
    motion: dict[str, Any] | None = None,
) -> str:
    """The whole file."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    names = ["page.js", *(["results.js"] if results else []), *(["motion.js", "player.js"] if motion else [])]
    scripts = "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
    data = [f"const NETWORK = {script_json(content_of(network, plan))};"]
    data += [f"const RESULTS = {script_json(results)};"] if results else []
    data += [f"const MOTION = {script_json(motion)};"] if motion else []
    title = f"{facts.title(network)}: {'motion' if motion else 'results' if results else 'network'}"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f"<title>{title}</title>",
            '<link rel="icon" href="data:,">',
            f"<style>\n{style}\n</style>",
            f"<script>\n{d3()}\n</script>",
            "</head><body>",
            '<div id="bar"><input id="search" type="search" placeholder="cable 12, host 3, switch 5, or a name"',
            'aria-label="search"><span id="found"></span><button id="fit">all</button></div>',
            '<div id="stage">',
            picture(network, plan, extra, titles=False),
            '<canvas id="canvas"></canvas></div>',
            '<div id="panel"></div><div id="tip" hidden></div>',
            "<script>",
            "\n".join(data),
            scripts,
            "</script></body></html>\n",
        ]
    )
