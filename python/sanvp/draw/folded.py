"""Networks of more than 1,024 hosts: their switches as a tree of groups, each small enough for a picture."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .network import Network
from .rings import fans
from .tiles import MOST_HOSTS

MOST_SWITCHES = 128  # of a picture in which each switch is drawn
MOST_BOXES = 36  # of a picture of groups

Cell = tuple[int, int]  # column and row


@dataclass
class Fold:
    """A group of switches, drawn whole if it has no children, else as their boxes."""

    name: str
    switches: list[int]
    children: list[Fold] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)  #: where the children are; around an ellipse if empty
    is_levels: bool = False  #: the cells are two levels, whose boxes are spread evenly
    rows: list[list[int]] = field(default_factory=list)  #: of a group that is drawn whole, as its layout needs them
    number: int = 0  #: of its picture; 0 is the whole network

    def all(self) -> Iterable[Fold]:
        """It, and what is inside, outer ones first."""
        yield self
        for child in self.children:
            yield from child.all()


def fold_of(network: Network) -> Fold:
    """The whole network as its family is built."""
    root = _FOLDS.get(network.family, _communities)(network)
    root.name = network.machine
    for number, fold in enumerate(root.all()):
        fold.number = number
    return root


def _fits(network: Network, switches: Sequence[int]) -> bool:
    """Whether these switches and their hosts can be read in one picture."""
    hosts = sum(len(network.hosts_at[switch]) for switch in switches)
    return len(switches) == 1 or (len(switches) <= MOST_SWITCHES and hosts <= MOST_HOSTS)


def _parent(name: str, children: list[Fold], cells: list[Cell] | None = None) -> Fold:
    switches = sorted(switch for child in children for switch in child.switches)
    return children[0] if len(children) == 1 else Fold(name, switches, children, cells or [])


def _gathered(network: Network, name: str, children: list[Fold]) -> Fold:
    """A group of children: if they are many, of groups of neighbours."""
    if len(children) > MOST_BOXES and all(len(child.switches) == 1 for child in children):
        return _in_parts(network, name, [switch for child in children for switch in child.switches])
    while len(children) > MOST_BOXES:
        share = min(math.ceil(len(children) / MOST_BOXES), MOST_BOXES)
        some = [children[first : first + share] for first in range(0, len(children), share)]
        children = [_parent(_span(one[0].name, one[-1].name), one) for one in some]
    return _parent(name, children)


def _span(first: str, last: str) -> str:
    """From the first name to the last one: "group 0" and "group 7" are "group 0-7"."""
    one, other = (re.fullmatch(r"(.*?)(\d+)(?:-(\d+))?", name) for name in (first, last))
    if first == last or one is None or other is None or one[1] != other[1]:
        return first if first == last else f"{first} to {last}"
    return f"{one[1]}{one[2]}-{other[3] or other[2]}"


def _in_parts(network: Network, name: str, switches: list[int]) -> Fold:
    """Switches in the order of their numbers, in as many parts as are needed."""
    if _fits(network, switches):
        return Fold(name, switches, rows=[switches])
    most = max((len(network.hosts_at[switch]) for switch in switches), default=0)
    size = max(1, min(MOST_SWITCHES // 2, MOST_HOSTS // max(most, 1)))
    parts = [switches[i : i + size] for i in range(0, len(switches), size)]
    return _gathered(network, name, [Fold(f"switches {p[0]}-{p[-1]}", p, rows=[p]) for p in parts])


def _by_number(network: Network) -> Fold:
    return _in_parts(network, network.machine, list(range(len(network.switch_names))))


def _communities(network: Network) -> Fold:
    """Irregular networks: switches with many cables among them."""
    try:
        import networkx
    except ModuleNotFoundError:
        return _by_number(network)
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(network.switch_names)))
    graph.add_edges_from((cable.a[1], cable.b[1]) for cable in network.between_switches)
    found = sorted(sorted(one) for one in networkx.community.louvain_communities(graph, seed=1))
    parts = [_in_parts(network, f"part {i}", switches) for i, switches in enumerate(found)]
    return _gathered(network, network.machine, parts)


# ---- groups


def _groups(network: Network, groups: Iterable[tuple[str, list[list[int]]]]) -> Fold:
    found = []
    for name, rows in groups:
        switches = [switch for row in rows for switch in row]
        whole = Fold(name, switches, rows=rows)
        found.append(whole if _fits(network, switches) else _in_parts(network, name, switches))
    return _gathered(network, network.machine, found)


def _dragonfly(network: Network) -> Fold:
    groups: dict[int, list[int]] = defaultdict(list)
    for switch, at in enumerate(network.coordinates):
        groups[at[0]].append(switch)
    return _groups(network, ((f"group {number}", [members]) for number, members in sorted(groups.items())))


def _dragonfly_plus(network: Network) -> Fold:
    _, leaves, spines, _, groups = network.shape
    first_spine = groups * leaves

    def rows(group: int) -> list[list[int]]:
        inner = first_spine + group * spines
        return [list(range(inner, inner + spines)), list(range(group * leaves, (group + 1) * leaves))]

    return _groups(network, ((f"group {group}", rows(group)) for group in range(groups)))


def _slim_fly(network: Network) -> Fold:
    """Both subgraphs, one above the other."""
    q = network.shape[0]
    sides = []
    for side, name in enumerate(("x", "m")):
        columns = []
        for column in range(q):
            first = (side * q + column) * q
            columns.append(_in_parts(network, f"{name} {column}", list(range(first, first + q))))
        gathered = _gathered(network, f"columns {name}", columns)
        sides.append(gathered.children or [gathered])
    cells = [(i, row) for row, side in enumerate(sides) for i in range(len(side))]
    root = _parent(network.machine, [*sides[0], *sides[1]], cells)
    root.is_levels = True
    return root


def _polarfly(network: Network) -> Fold:
    return _groups(network, ((group.name, group.rows) for group in fans(network)))


# ---- trees


def _tree(network: Network) -> Fold:
    """Subtrees below the switches that join them: what is left connected without the upper levels."""
    level = [at[0] for at in network.coordinates]
    below: dict[int, list[int]] = defaultdict(list)  # cables by the level of their upper end
    for i, cable in enumerate(network.between_switches):
        below[max(level[cable.a[1]], level[cable.b[1]])].append(i)
    parent = list(range(len(level)))

    def find(switch: int) -> int:
        while parent[switch] != switch:
            parent[switch] = switch = parent[parent[switch]]
        return switch

    folds: dict[int, Fold] = {}  # by the switch that stands for a subtree
    for switch, at in enumerate(level):
        if at == 0:
            folds[switch] = Fold(network.switch_names[switch], [switch], rows=[[switch]])
    for top in range(1, max(level) + 1):
        inside: dict[int, list[Fold]] = defaultdict(list)
        roots: dict[int, list[int]] = defaultdict(list)
        before = dict(folds)
        for i in below[top]:
            cable = network.between_switches[i]
            parent[find(cable.a[1])] = find(cable.b[1])
        for switch, fold in before.items():
            inside[find(switch)].append(fold)
        for switch, at in enumerate(level):
            if at == top:
                roots[find(switch)].append(switch)
        folds = {}
        for one in dict.fromkeys([*inside, *roots]):
            folds[one] = _above(network, top, inside[one], roots[one])
    whole = sorted(folds.values(), key=lambda fold: fold.switches)
    return whole[0] if len(whole) == 1 else _gathered(network, network.machine, whole)


def _above(network: Network, level: int, subtrees: list[Fold], roots: list[int]) -> Fold:
    """Subtrees and the switches above them."""
    subtrees.sort(key=lambda fold: fold.switches[0])
    switches = sorted([*roots, *(switch for fold in subtrees for switch in fold.switches)])
    hosts = [host for switch in switches for host in network.hosts_at[switch]]
    name = f"hosts {min(hosts)}-{max(hosts)}" if hosts else f"level {level}"
    if _fits(network, switches):
        return Fold(name, switches)
    lower = _gathered(network, name, subtrees)
    if not roots:
        return lower
    upper = _in_parts(network, f"level {level}", roots)
    upper.name = f"level {level}"
    below = lower.children if len(subtrees) > 1 else [lower]
    return Fold(name, switches, [upper, *below], [(0, 0), *((i, 1) for i in range(len(below)))], is_levels=True)


# ---- boxes of switches


def _blocks(axes: int) -> Callable[[Network], Fold]:
    """Blocks of neighbours. @param axes  along how many of the first axes; all: 0"""

    def fold(network: Network) -> Fold:
        count = axes or len(network.coordinates[0])
        units: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for switch, at in enumerate(network.coordinates):
            units[tuple(at[:count])].append(switch)
        sizes = [max(at[i] for at in units) + 1 for i in range(count)]
        shape = [1] * count
        while True:
            grown = _grown(shape, sizes)
            if grown is None or not all(_fits(network, one) for one in _cut(units, grown).values()):
                break
            shape = grown
        leaves = {at: Fold(_at(at, shape, sizes), sorted(s)) for at, s in _cut(units, shape).items()}
        return _stacked(network.machine, leaves)

    return fold


def _grown(shape: list[int], sizes: list[int]) -> list[int] | None:
    """Twice as long along the axis along which it is shortest; the last one of several."""
    open_axes = [i for i in range(len(shape)) if shape[i] < sizes[i]]
    if not open_axes:
        return None
    axis = min(reversed(open_axes), key=lambda i: shape[i])
    return [min(2 * n, sizes[i]) if i == axis else n for i, n in enumerate(shape)]


def _cut(units: dict[tuple[int, ...], list[int]], shape: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for at, switches in units.items():
        found[tuple(x // n for x, n in zip(at, shape, strict=True))] += switches
    return found


def _at(block: Sequence[int], shape: Sequence[int], sizes: Sequence[int]) -> str:
    """Which coordinates a block has."""
    spans = []
    for x, n, size in zip(block, shape, sizes, strict=True):
        first, last = x * n, min((x + 1) * n, size) - 1
        spans.append(str(first) if first == last else f"{first}-{last}")
    return f"at {', '.join(spans)}"


def _stacked(name: str, leaves: dict[tuple[int, ...], Fold]) -> Fold:
    """Blocks of blocks, until they fit into one picture."""
    while True:
        sizes = [max(at[i] for at in leaves) + 1 for i in range(len(next(iter(leaves))))]
        if len(leaves) <= 2 * MOST_BOXES:
            return _parent(name, list(leaves.values()), [_cell(at, sizes) for at in leaves])
        shape = [1] * len(sizes)
        while (grown := _grown(shape, sizes)) and math.prod(grown) <= MOST_BOXES:
            shape = grown
        upper: dict[tuple[int, ...], list[tuple[tuple[int, ...], Fold]]] = defaultdict(list)
        for at, fold in leaves.items():
            upper[tuple(x // n for x, n in zip(at, shape, strict=True))].append((at, fold))
        leaves = {
            at: _parent(
                _joint_name([fold.name for _, fold in some]),
                [fold for _, fold in some],
                [_cell(tuple(x % n for x, n in zip(inner, shape, strict=True)), shape) for inner, _ in some],
            )
            for at, some in upper.items()
        }


def _joint_name(names: list[str]) -> str:
    """The coordinates of several blocks: from the first to the last one along each axis."""
    first, last = (names[i].removeprefix("at ").split(", ") for i in (0, -1))
    spans = []
    for one, other in zip(first, last, strict=True):
        low, high = one.partition("-")[0], other.rpartition("-")[2]
        spans.append(low if low == high else f"{low}-{high}")
    return f"at {', '.join(spans)}"


def _cell(at: Sequence[int], sizes: Sequence[int]) -> Cell:
    """The last axis goes to the right, the one before it down, and so on by turns."""
    place, stride = [0, 0], [1, 1]
    for i, axis in enumerate(reversed(range(len(at)))):
        place[i % 2] += at[axis] * stride[i % 2]
        stride[i % 2] *= sizes[axis]
    return place[0], place[1]


_FOLDS: dict[str, Callable[[Network], Fold]] = {
    "fat_tree": _tree,
    "clos": _tree,
    "rail_tree": _tree,
    "grid": _blocks(0),
    "torus": _blocks(0),
    "processor_grid": _blocks(0),
    "tofu_flat": _blocks(0),
    "hyperx": _blocks(0),
    "tofu": _blocks(3),
    "mesh_of_clos": _blocks(2),
    "dragonfly": _dragonfly,
    "dragonfly_plus": _dragonfly_plus,
    "slim_fly": _slim_fly,
    "polarfly": _polarfly,
    "jellyfish": _by_number,
}
