"""Irregular networks, and those of a file: a layout by forces, of networkx, with a fixed seed."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

from .errors import DrawError
from .network import SWITCH, Network
from .shapes import Plan, are_apart
from .tiles import bent, place, plug_in, tile

_SEED = 1
_ROUNDS = 400
_STEEP = 0.45  # slope from which on a cable leaves a switch at its top or bottom
_MORE = 1.15  # by which all is stretched as long as tiles overlap


def irregular(network: Network) -> Plan:
    """Switches that cables join are near each other; hosts below their switch."""
    try:
        networkx, _ = map(import_module, ("networkx", "numpy"))  # which networkx asks for only when it computes
    except ModuleNotFoundError:
        raise DrawError(
            f"a network of family {network.family} needs the Python packages networkx and numpy for its layout: "
            "apt-get install python3-networkx python3-numpy, or pip install networkx numpy"
        ) from None
    plan = Plan()
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(network.switch_names)))
    graph.add_edges_from((cable.a[1], cable.b[1]) for cable in network.between_switches)
    degree = Counter(end[1] for cable in network.between_switches for end in (cable.a, cable.b))
    tiles = {s: tile(network, s, (degree[s] + 1) // 2, 2) for s in graph}
    count = max(len(tiles), 1)
    at = networkx.spring_layout(graph, seed=_SEED, iterations=_ROUNDS, k=1.6 / count**0.5)
    width, height = max(t.width for t in tiles.values()) + 44, max(t.height for t in tiles.values()) + 44
    scale_x, scale_y = width * count**0.5 * 0.62, height * count**0.5 * 0.62
    order = sorted(tiles)
    while not are_apart([(at[s][0] * scale_x, at[s][1] * scale_y) for s in order], width, height):
        scale_x, scale_y = scale_x * _MORE, scale_y * _MORE
    for switch in order:
        place(plan, network, switch, tiles[switch], (at[switch][0] * scale_x, at[switch][1] * scale_y))
    sided = []
    for cable in network.between_switches:
        a, b = (plan.boxes[SWITCH, end[1]] for end in (cable.a, cable.b))
        upper_leads_right = (b.x - a.x if a.y < b.y else a.x - b.x) > a.width / 2
        slope = abs(b.y - a.y) / max(abs(b.x - a.x), 1)
        if slope > _STEEP:
            under = "right" if upper_leads_right else "bottom"  # not over the hosts below it
            sided.append((cable, "top", under) if a.y > b.y else (cable, under, "top"))
        else:
            sided.append((cable, "right", "left") if a.x < b.x else (cable, "left", "right"))
    narrow = {s: t.cables_width for s, t in tiles.items()}
    plug_in(plan, sided, bent, narrow=narrow, above_too=False)
    return plan
