"""A switch with its hosts as a tile, and where cables are plugged in at it: the common part of all layouts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .network import HOST, SWITCH, Cable, End, Network
from .shapes import Box, Line, Plan, Point, Text, curve, straight

PITCH, PER_DIGIT = 17.0, 5.0  # between two plugs: a number of three digits fits, and for each one more
MOST_HOSTS = 1024  # of a picture, beyond which those of a switch are folded into one box
HOST_WIDTH, HOST_HEIGHT = 22.0, 14.0
SWITCH_HEIGHT = 34.0
LEAST_WIDTH = 62.0
SIDE_PITCH = 12.0  # between two plugs at the left or right
CORNER = 11.0  # of a side, free of plugs
FOLDED_WIDTH = 58.0
HOST_DROP = 26.0  # from a switch to its hosts
ROW_DROP = 22.0  # from a row of hosts to the next one
_EXIT, _STAGGER = 24.0, 9.0  # length of a cable that leaves the picture; every second one is longer, for its text
CROWDED = 8  # hosts of a switch, from which on they stand in two rows

SIDES: dict[str, Point] = {"top": (0, -1), "bottom": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass(frozen=True)
class Tile:
    """The size of a switch with its hosts, which are above or below it."""

    width: float
    cables_width: float  # of the part of its lower edge that is for cables
    hosts: int
    rows: int
    box_height: float = SWITCH_HEIGHT

    @property
    def hosts_height(self) -> float:
        """From the edge of the switch to the far edge of its hosts."""
        return HOST_DROP + HOST_HEIGHT + (self.rows - 1) * ROW_DROP if self.hosts else 0

    @property
    def height(self) -> float:
        """Of all."""
        return self.box_height + self.hosts_height


def is_folded(network: Network) -> bool:
    """Whether the hosts of a switch are one box."""
    return len(network.host_names) > MOST_HOSTS


def pitch_of(network: Network) -> float:
    """Between two plugs."""
    return PITCH + PER_DIGIT * max(len(str(network.last_cable)) - 3, 0)


def tile(network: Network, switch: int, across: int, beside_hosts: int = 0, at_sides: int = 0) -> Tile:
    """The tile of a switch.

    @param across        cables on its upper edge
    @param beside_hosts  cables on the edge that has the hosts
    @param at_sides      cables at the left or at the right, whichever are more
    """
    hosts = len(network.hosts_at[switch])
    rows = 2 if hosts > CROWDED else 1
    between = pitch_of(network)
    pitch = HOST_WIDTH + 6 if rows == 1 else between
    hosts_width = hosts * pitch + (HOST_WIDTH / 2 if rows == 2 else 0)
    if is_folded(network):
        rows, hosts_width = 1, FOLDED_WIDTH if hosts else 0
    cables_width = beside_hosts * between
    height = max(SWITCH_HEIGHT, at_sides * SIDE_PITCH + 2 * CORNER)
    across += len(network.exits.get(switch, ()))
    return Tile(max(cables_width + hosts_width, across * between, LEAST_WIDTH), cables_width, hosts, rows, height)


def place(plan: Plan, network: Network, switch: int, of: Tile, at: Point, *, above: bool = False) -> None:
    """Puts a switch at a point, and its hosts with their cables below or above it."""
    box = Box(at[0], at[1], of.width, of.box_height)
    plan.boxes[SWITCH, switch] = box
    hosts = network.hosts_at[switch]
    way = -1 if above else 1
    _leave(plan, network, switch, -way)
    if not hosts:
        return
    edge = box.top if above else box.bottom
    first = box.left + of.cables_width
    if is_folded(network):
        hosts = hosts[:1]
    pitch = (box.right - first) / len(hosts)
    for i, host in enumerate(hosts):
        x = first + (i + 0.5) * pitch
        row = i % of.rows
        y = edge + way * (HOST_DROP + HOST_HEIGHT / 2 + row * ROW_DROP)
        plan.boxes[HOST, host] = Box(x, y, _host_width(network, of, pitch), HOST_HEIGHT)
        cable = network.host_cables[host]
        end = y - way * HOST_HEIGHT / 2
        plan.lines[cable.number] = [straight((x, end), (x, edge))]
        if cable.a[0] != HOST:
            plan.lines[cable.number] = [straight((x, edge), (x, end))]
        plug = cable.b if cable.a[0] == HOST else cable.a
        plan.texts += [
            Text((x, edge - way * 4), str(plug[2]), "port"),
            Text((x, edge + way * 9), str(cable.number), "cable"),
        ]


def _leave(plan: Plan, network: Network, switch: int, way: int) -> None:
    """The cables to switches outside of the picture, at the right end of an edge: 1 is the lower one."""
    exits, box, pitch = network.exits.get(switch, []), plan.boxes[SWITCH, switch], pitch_of(network)
    way = way if network.cables_at[switch] else 1
    side = "bottom" if way > 0 else "top"
    plan.exits[switch, side] = len(exits) * pitch
    for i, one in enumerate(exits):
        at = (box.right - (len(exits) - i - 0.5) * pitch, getattr(box, side))
        length = _EXIT + _STAGGER * (i % 2)
        end = (at[0], at[1] + way * length)
        plan.lines[one.cable.number] = [straight(at, end)]
        label(plan, one.cable, at, side, one.near)
        plan.texts.append(Text((end[0], end[1] + 6 * way), f"s{one.far}", "far"))


def _host_width(network: Network, of: Tile, pitch: float) -> float:
    return FOLDED_WIDTH - 6 if is_folded(network) else min(HOST_WIDTH, of.rows * pitch - 4)


def boxes_of(plan: Plan, network: Network, switches: Iterable[int]) -> list[Box]:
    """The boxes of switches and of their hosts."""
    switches = list(switches)
    hosts = [(HOST, host) for switch in switches for host in network.hosts_at[switch]]
    return [plan.boxes[SWITCH, switch] for switch in switches] + [plan.boxes[h] for h in hosts if h in plan.boxes]


Sided = tuple[Cable, str, str]  # a cable, and the sides at which it leaves `a` and `b`
Draw = Callable[[Cable, Point, str, Point, str], list[Line]]


def plug_in(
    plan: Plan,
    cables: Iterable[Sided],
    draw: Draw,
    *,
    narrow: dict[int, float] | None = None,
    above_too: bool = True,
) -> None:
    """Draws cables between switches: at each side of a switch evenly, in the order of what they lead to.

    @param draw    the lines of a cable, from the points and sides at which it is plugged in
    @param narrow     of switches: the width from the left that cables take on the edges at the top and the bottom
    @param above_too  whether that holds for the edge at the top
    """
    ends: dict[tuple[int, str], list[tuple[float, int, Cable, End]]] = defaultdict(list)
    cables = list(cables)
    for cable, side_a, side_b in cables:
        for end, side, other in ((cable.a, side_a, cable.b), (cable.b, side_b, cable.a)):
            far = plan.boxes[SWITCH, other[1]]
            place_of_far = far.x if side in ("top", "bottom") else far.y
            ends[end[1], side].append((place_of_far, cable.number, cable, end))
    at: dict[tuple[int, End], Point] = {}
    for (switch, side), plugs in ends.items():
        plugs.sort(key=lambda plug: plug[:2])
        box = plan.boxes[SWITCH, switch]
        for i, (_, _, cable, end) in enumerate(plugs):
            share = (i + 0.5) / len(plugs)
            if side in ("top", "bottom"):
                width = box.width
                if side == "bottom" or above_too:
                    width = (narrow or {}).get(switch, 0) or width
                width = min(width, box.width - plan.exits.get((switch, side), 0))
                at[cable.number, end] = (box.left + share * width, getattr(box, side))
            else:
                at[cable.number, end] = (getattr(box, side), box.top + CORNER + share * (box.height - 2 * CORNER))
    for cable, side_a, side_b in cables:
        a, b = at[cable.number, cable.a], at[cable.number, cable.b]
        plan.lines[cable.number] = draw(cable, a, side_a, b, side_b)
        label(plan, cable, a, side_a, cable.a)
        label(plan, cable, b, side_b, cable.b)


def label(plan: Plan, cable: Cable, at: Point, side: str, end: End) -> None:
    """The numbers of port and cable at a plug."""
    dx, dy = SIDES[side]
    if dx == 0:
        plan.texts.append(Text((at[0], at[1] - 4 * dy), str(end[2]), "port"))
        plan.texts.append(Text((at[0], at[1] + 8 * dy), str(cable.number), "cable"))
    else:
        anchor = "start" if dx > 0 else "end"
        plan.texts.append(Text((at[0] - 3 * dx, at[1]), str(end[2]), "port", "end" if dx > 0 else "start"))
        plan.texts.append(Text((at[0] + 4 * dx, at[1]), str(cable.number), "cable", anchor))


def direct(_: Cable, a: Point, __: str, b: Point, ___: str) -> list[Line]:
    """A straight cable."""
    return [straight(a, b)]


def bent(_: Cable, a: Point, side_a: str, b: Point, side_b: str) -> list[Line]:
    """A cable that leaves its switches straight on."""
    return [curve(a, SIDES[side_a], b, SIDES[side_b])]


def cut(
    plan: Plan, network: Network, cable: Cable, a: Point, side_a: str, b: Point, side_b: str, length: float
) -> list[Line]:
    """The two ends of a cable that is not drawn whole. Each names the far switch."""
    lines = []
    for at, side, far in ((a, side_a, cable.b), (b, side_b, cable.a)):
        dx, dy = SIDES[side]
        end = (at[0] + length * dx, at[1] + length * dy)
        lines.append(straight(at, end) if at is a else straight(end, at))
        beyond = (end[0] + 3 * dx, end[1] + (6 * dy if dy else 0))
        plan.texts.append(
            Text(beyond, f"s{network.number(far)}", "far", "middle" if dy else ("start" if dx > 0 else "end"))
        )
    return lines
