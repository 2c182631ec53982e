"""Irregular networks, and those of a file: a layout by forces, of networkx, with a fixed seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib import import_module

from .detours import around_others
from .errors import DrawError
from .network import Network
from .shapes import Plan, Point, are_apart
from .tiles import Sided, Tile, bent, place, plug_in, tile

_SEED = 1
_ROUNDS = 400
_STEEP = 0.45  # slope from which on a cable leaves a switch at its top or bottom
_MORE = 1.15  # by which all is stretched as long as tiles overlap
_TRIES = 6  # to find sizes for all plugs: higher tiles are further apart, which moves plugs to other sides


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
    count = max(len(graph), 1)
    at = networkx.spring_layout(graph, seed=_SEED, iterations=_ROUNDS, k=1.6 / count**0.5)
    at_sides: Counter[int] = Counter()  # plugs at the left or right of a switch, whichever are more
    for _ in range(_TRIES):
        tiles = {s: tile(network, s, (degree[s] + 1) // 2, 2, at_sides[s]) for s in graph}
        places = _apart(at, tiles)
        sided = _sided(network, places, tiles)
        needed = _most_at_sides(sided)
        if needed <= at_sides:
            break
        at_sides |= needed
    for switch in sorted(tiles):
        place(plan, network, switch, tiles[switch], places[switch])
    narrow = {s: t.cables_width for s, t in tiles.items()}
    plug_in(plan, sided, around_others(plan, network, bent), narrow=narrow, above_too=False)
    return plan


def _apart(at: Mapping[int, Point], tiles: Mapping[int, Tile]) -> dict[int, Point]:
    """The layout, as large as tiles that do not overlap require."""
    count = max(len(tiles), 1)
    width, height = max(t.width for t in tiles.values()) + 44, max(t.height for t in tiles.values()) + 44
    scale_x, scale_y = width * count**0.5 * 0.62, height * count**0.5 * 0.62
    while True:
        places = {switch: (at[switch][0] * scale_x, at[switch][1] * scale_y) for switch in sorted(tiles)}
        if are_apart(list(places.values()), width, height):
            return places
        scale_x, scale_y = scale_x * _MORE, scale_y * _MORE


def _sided(network: Network, places: Mapping[int, Point], tiles: Mapping[int, Tile]) -> list[Sided]:
    """The sides at which cables leave their switches."""
    found: list[Sided] = []
    for cable in network.between_switches:
        (ax, ay), (bx, by) = places[cable.a[1]], places[cable.b[1]]
        upper_leads_right = (bx - ax if ay < by else ax - bx) > tiles[cable.a[1]].width / 2
        if abs(by - ay) / max(abs(bx - ax), 1) > _STEEP:
            under = "right" if upper_leads_right else "bottom"  # not over the hosts below it
            found.append((cable, "top", under) if ay > by else (cable, under, "top"))
        else:
            found.append((cable, "right", "left") if ax < bx else (cable, "left", "right"))
    return found


def _most_at_sides(sided: list[Sided]) -> Counter[int]:
    """Of each switch, the plugs at its left or right, whichever are more."""
    plugs = Counter(
        (end[1], side) for cable, *sides in sided for end, side in zip((cable.a, cable.b), sides, strict=True)
    )
    most: Counter[int] = Counter()
    for (switch, side), count in plugs.items():
        if side in ("left", "right"):
            most[switch] = max(most[switch], count)
    return most
