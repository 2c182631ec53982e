"""Networks of clusters that are a grid: Meshes of Clos, TOFU."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from .network import Cable, Network
from .shapes import Box, Line, Plan, Point, Region, around, curve, straight
from .tiles import SIDES, SWITCH_HEIGHT, boxes_of, cut, direct, place, plug_in, tile


def mesh_of_clos(network: Network) -> Plan:
    """Clusters in a grid. In each, the routers of the mesh layers stand as stairs at the right, so that no cable of
    the mesh crosses a tree.
    """
    plan = Plan()
    top = max(at[2] for at in network.coordinates)
    clusters: dict[tuple[int, int], list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        clusters[at[0], at[1]].append(switch)
    up = Counter[int]()
    for cable in network.between_switches:
        low = min((cable.a[1], cable.b[1]), key=lambda s: network.coordinates[s][2])
        if cable.link_class != "mesh":
            up[low] += 1
    layers = sum(network.coordinates[s][2] == top for s in clusters[0, 0])
    routers = top == 0 and layers == 1
    down = Counter(
        max((cable.a[1], cable.b[1]), key=lambda s: network.coordinates[s][2])
        for cable in network.between_switches
        if cable.link_class != "mesh"
    )
    tiles = {
        s: tile(network, s, up[s], 1 if routers else 0, down[s] + 1 if at[2] == top and top else 0)
        for s, at in enumerate(network.coordinates)
    }
    step = max(tiles[s].box_height for s in clusters[0, 0] if network.coordinates[s][2] == top) + 12
    stair_x = 78.0
    below = max(
        sum(tiles[s].width + 18 for s in clusters[0, 0] if network.coordinates[s][2] == level)
        for level in range(max(top, 1))
    )
    width = (0 if top == 0 else below) + layers * stair_x + 110
    rise = SWITCH_HEIGHT + 90
    stairs = layers * step
    height = stairs + top * rise + max(one.hosts_height for one in tiles.values()) + 90
    for (row, column), members in sorted(clusters.items()):
        left, base = column * width, row * height
        for level in range(top + 1):
            of_level = [s for s in members if network.coordinates[s][2] == level]
            x = left
            for i, switch in enumerate(of_level):
                if level == top and not routers:
                    at = (left + (0 if top == 0 else below) + 30 + i * stair_x, base + (i + 0.5) * step)
                elif level == top:
                    at = (left + tiles[switch].width / 2, base)
                else:
                    share = below / len(of_level)
                    at = (x + share / 2, base + stairs + (top - level - 1) * rise + rise)
                    x += share
                place(plan, network, switch, tiles[switch], at)
        boxes = boxes_of(plan, network, members)
        plan.regions.append(Region(around(boxes, 14), f"cluster {row},{column}"))
    sided = []
    for cable in network.between_switches:
        a, b = network.coordinates[cable.a[1]], network.coordinates[cable.b[1]]
        if cable.link_class != "mesh":
            under = "left" if max(a[2], b[2]) == top else "bottom"
            sided.append((cable, "top", under) if a[2] < b[2] else (cable, under, "top"))
        elif a[0] == b[0]:
            sided.append((cable, "right", "left") if a[1] < b[1] else (cable, "left", "right"))
        else:
            sided.append((cable, "bottom", "top") if a[0] < b[0] else (cable, "top", "bottom"))
    plug_in(plan, sided, direct, narrow={s: one.cables_width for s, one in tiles.items()})
    return plan


def tofu(network: Network) -> Plan:
    """Groups of twelve, in each a and c across and b down. A cable to another group is cut: each end names the other
    one, and a band between the groups says how many there are.
    """
    plan = Plan()
    tiles = {s: tile(network, s, 7, 1, 1) for s in range(len(network.switch_names))}
    width, height = max(t.width for t in tiles.values()) + 60, max(t.height for t in tiles.values()) + 66
    sizes = [max(at[i] for at in network.coordinates) + 1 for i in range(3)]
    group_width, group_height = 4 * width + 150, 3 * height + 150
    planes_in_row = math.ceil(sizes[2] ** 0.5)
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        x, y, z, a, b, c = at
        z_row, z_column = divmod(z, planes_in_row)
        column, row = x + z_column * sizes[0], y + z_row * sizes[1]
        corner = (column * group_width + 90 * z_column, row * group_height + 110 * z_row)
        place(plan, network, switch, tiles[switch], (corner[0] + (2 * a + c) * width, corner[1] + b * height))
        groups[x, y, z].append(switch)
    region: dict[tuple[int, ...], Box] = {}
    for at_group, members in sorted(groups.items()):
        region[at_group] = around(boxes_of(plan, network, members), 44)
        plan.regions.append(Region(region[at_group], f"group x{at_group[0]} y{at_group[1]} z{at_group[2]}"))
    axes: dict[int, int] = {}
    sided = []
    bands: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = defaultdict(list)
    for cable in network.between_switches:
        a, b = (network.coordinates[end[1]] for end in (cable.a, cable.b))
        axis = axes[cable.number] = next(i for i in range(6) if a[i] != b[i])
        if axis == _C:
            sides = ("right", "left") if a[_C] < b[_C] else ("left", "right")
        elif axis == _B and abs(a[_B] - b[_B]) == 2:
            sides = ("left", "left") if (a[_A], a[_C]) in ((0, 0), (1, 0)) else ("right", "right")
        elif axis == _B:
            sides = ("bottom", "top") if a[_B] < b[_B] else ("top", "bottom")
        else:
            sides = ("top", "top")
            if axis < _A:
                bands[min(tuple(a[:3]), tuple(b[:3])), max(tuple(a[:3]), tuple(b[:3]))].append(cable.number)
        sided.append((cable, *sides))

    def draw(cable: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
        axis = axes[cable.number]
        if axis < _A:
            return cut(plan, network, cable, a, side_a, b, side_b, 20)
        if side_a == side_b:
            return [curve(a, SIDES[side_a], b, SIDES[side_b], 62 if axis == _A else 26)]
        return [straight(a, b)]

    plug_in(plan, sided, draw, narrow={s: one.cables_width for s, one in tiles.items()}, above_too=False)
    for (one, other), cables in bands.items():
        plan.bands.append((_band(region[one], region[other]), f"{len(cables)} cables", len(cables)))
    return plan


_A, _B, _C = 3, 4, 5  # the axes within a group


def _band(one: Box, other: Box) -> Line:
    """Between two groups: straight to neighbours, else around those between."""
    if abs(one.y - other.y) > 1:
        upper, lower = (one, other) if one.y < other.y else (other, one)
        if lower.top - upper.bottom < upper.height:
            return straight((upper.x, upper.bottom), (lower.x, lower.top))
        left, away = min(upper.left, lower.left), (-1.0, 0.0)
        return curve((left, upper.y), away, (left, lower.y), away, 60)
    left_one, right_one = (one, other) if one.x < other.x else (other, one)
    if right_one.left - left_one.right < left_one.width:
        return straight((left_one.right, left_one.y), (right_one.left, right_one.y))
    away = (0.0, 1.0)
    return curve((left_one.x, left_one.bottom), away, (right_one.x, right_one.bottom), away, 70)
