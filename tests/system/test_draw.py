"""`sanvp network` and `sanvp draw`: pictures with the numbers of other commands, timelines exact to the flit."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from drawings import ANY, EXERCISES, MACHINES, draw, network_of
from program import DEADLOCK, PROJECT, USER_MISTAKE, done, sanvp

from sanvp.draw.errors import DrawError
from sanvp.draw.layout import plan_of
from sanvp.draw.motion import Part, motion_of
from sanvp.draw.network import HOST, SWITCH, Network
from sanvp.draw.svg import Extra
from sanvp.draw.trace import read
from sanvp.draw.views import Folded

PS_PER_BYTE = 6250  # of a Myrinet link


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_each_cable_and_each_box_of_a_picture_has_the_number_that_check_gives_it(machine, tmp_path):
    picture = draw(tmp_path, *machine, "-o", "m.svg")
    graph = sanvp("check", *machine, "--json", "-").json["graph"]
    names = {"host": graph["hosts"], "switch": graph["switches"]}

    def name(end):
        kind = "host" if "host" in end else "switch"
        return names[kind][end[kind]]["name"] + (f" port {end['port']}" if kind == "switch" else "")

    titles = re.findall(r'<path id="c(\d+)"[^>]*><title>cable \1: (.*?) to (.*?); (\w+),', picture)
    expected = [(str(i), name(c["a"]), name(c["b"]), c["class"]) for i, c in enumerate(graph["links"])]
    assert titles == expected
    assert len(re.findall(r'<g id="h\d+">', picture)) == len(graph["hosts"])
    assert len(re.findall(r'<g id="s\d+">', picture)) == len(graph["switches"])


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_no_two_boxes_of_a_picture_overlap(machine):
    boxes = plan_of(network_of(*machine)).boxes
    for (a, one), (b, other) in combinations(boxes.items(), 2):
        apart_x = abs(one.x - other.x) >= (one.width + other.width) / 2
        apart_y = abs(one.y - other.y) >= (one.height + other.height) / 2
        assert apart_x or apart_y, f"{a} and {b}"


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_each_cable_begins_and_ends_at_its_parts(machine):
    network = network_of(*machine)
    plan = plan_of(network)
    assert sorted(plan.lines) == [cable.number for cable in network.cables]
    for cable in network.cables:
        lines = plan.lines[cable.number]
        for end, point in ((cable.a, lines[0].start), (cable.b, lines[-1].end)):
            box = plan.boxes[end[:2]]
            assert box.left - 0.1 <= point[0] <= box.right + 0.1, cable
            assert box.top - 0.1 <= point[1] <= box.bottom + 0.1, cable


@pytest.mark.parametrize("machine", ["myrinet-8", "myrinet-32", "qsnet-dragonfly-72"])
def test_no_cable_between_switches_passes_behind_another_part(machine):
    """There it would look plugged in."""
    network = network_of(machine)
    plan = plan_of(network)
    for cable in network.between_switches:
        others = [box for unit, box in plan.boxes.items() if unit not in (cable.a[:2], cable.b[:2])]
        for x, y in (point for line in plan.lines[cable.number] for point in line.points(60)):
            behind = (box for box in others if box.left + 1 < x < box.right - 1 and box.top + 1 < y < box.bottom - 1)
            assert next(behind, None) is None, cable


@pytest.mark.parametrize("machine", ["myrinet-8", "myrinet-32"])
def test_numbers_of_cables_at_the_side_of_a_switch_can_be_read(machine):
    at_sides = [text for text in plan_of(network_of(machine)).texts if text.kind == "cable" and text.anchor != "middle"]
    for one, other in combinations(at_sides, 2):
        assert abs(one.at[0] - other.at[0]) >= 20 or abs(one.at[1] - other.at[1]) >= 7, (one, other)


def test_the_same_command_gives_the_same_bytes(tmp_path):
    for name in ("m.svg", "m.html"):
        pictures = [draw(tmp_path, "myrinet-16", "--seed", 3, "-o", name) for _ in range(2)]
        assert pictures[0] == pictures[1]


def test_failed_parts_are_struck_out_and_counted(tmp_path):
    settings = ("-s", "topology.failed_links=16", "-s", "topology.failed_switches=7")
    picture = draw(tmp_path, "qsnet-16", *settings, "-o", "m.svg")
    failed = re.findall(r'<path id="c(\d+)" class="k1 failed"', picture)
    assert failed == ["16", "19", "23", "27", "31"]  # and those of the switch
    assert picture.count('class="strike"') == len(failed) + 1
    assert "32 cables, 5 failed, 1 switch failed" in picture


def test_a_route_has_all_cables_that_a_packet_may_take():
    json_of_routes = done("network", "qsnet-16", "--route", "3,12", "--json", "-").json["routes"]
    assert len(json_of_routes) == 1
    (path,) = json_of_routes[0]["alternatives"][0]["paths"]
    # Up from host 3 by any of the four uplinks of switch 0, down by the one cable of each root to switch 3, to host 12.
    assert path == [[6], [32, 34, 36, 38], [57, 59, 61, 63], [25]]


def test_the_cables_of_a_route_keep_their_numbers_and_shared_ones_have_the_colours_of_all_routes(tmp_path):
    picture = draw(tmp_path, "myrinet-8", "--route", 0, 12, "-o", "m.svg")
    (pair,) = done("network", "myrinet-8", "--route", "0,12", "--json", "-").json["routes"]
    paths = [[channel for (channel,) in one["paths"][0]] for one in pair["alternatives"]]
    cables = {channel // 2 for path in paths for channel in path}
    stressed = set(map(int, re.findall(r'class="cable-number stressed"[^>]*>(\d+)<', picture)))
    assert stressed == cables
    assert picture.index("cable-number stressed") > picture.index('class="route"')  # so over the lines of routes
    first = [path[0] for path in paths]
    assert len(set(first)) == 1  # the cable of host 0
    assert picture.count("stroke-dasharray:9 18") >= len(first) == 3


def test_a_pair_whose_only_cable_has_failed_says_so(tmp_path):
    picture = draw(tmp_path, "qsnet-64", "-s", "topology.failed_links=0", "--route", 0, 5, "-o", "m.svg")
    assert "route 0 to 5: no cables that work join them" in picture


def test_a_route_over_hosts_in_transit_comes_back_to_the_switch():
    folder = PROJECT / "examples" / "replay"
    files = ("--topology", folder / "network.txt", "--routes", folder / "routes.txt")
    (pair,) = done("network", "myrinet-8", *files, "--route", "0,5", "--json", "-").json["routes"]
    lengths = [len(step) for step in pair["alternatives"][1]["paths"][0]]
    channels = [channel for step in pair["alternatives"][1]["paths"][0] for channel in step]
    assert [one["id"] for one in pair["alternatives"]] == [0, 1, 2]
    assert len(channels) == sum(lengths) == 8, "six cables from host to host, and one there and back to host 6"
    assert {channels[2] ^ 1} <= set(channels)


def test_the_cycle_of_check_is_drawn_in_its_order(tmp_path):
    files = ("--topology", EXERCISES / "ring.txt", "--routes", EXERCISES / "clockwise.txt")
    picture = draw(tmp_path, "myrinet-8", *files, "--check", "-o", "ring.svg")
    assert "a deadlock is possible: 4 channels can wait for each other in a cycle" in picture
    assert re.findall(r'class="badge"[^>]*>(\d)<', picture) == ["1", "2", "3", "4"]
    free = draw(tmp_path, "qsnet-16", "--check", "-o", "free.svg")
    assert "no deadlock is possible" in free
    assert 'class="badge"' not in free


def test_the_ways_of_a_relation_are_all_shortest_ones():
    torus = ("-s", "topology.type=torus", "-s", "topology.sizes=4x4", "-s", "topology.cables=1")
    hosts = ("-s", "topology.hosts_per_switch=2", "-s", "switch.ports=8", "-s", "nic.type=plain")
    adaptive = ("-s", "routing.type=minimal_adaptive", "-s", "switch.virtual_channels=3")
    network = network_of("qsnet-64", *torus, *hosts, *adaptive, "--route", "0,13")
    (alternative,) = network.json["routes"][0]["alternatives"]
    (path,) = alternative["paths"]
    assert path == [[one["channel"] for one in hop] for hop in alternative["hops"]]
    ends = [{tuple(network.json["channels"][channel]["to"][:2]) for channel in hop} for hop in path]
    # From (0, 0) to (1, 2): the switches at distances 0, 1, 2 and 3, by 1, 2, 3 and 2 cables, and host 13.
    assert ends == [{(1, 0)}, {(1, 1), (1, 4)}, {(1, 2), (1, 5)}, {(1, 6)}, {(0, 13)}]
    assert [len(hop) for hop in path] == [1, 2, 3, 2, 1]
    # Dimension order goes along x first: on its way there is an escape, on the others the adaptive channel alone.
    assert [len(one["vcs"]) for one in alternative["hops"][1]] == [2, 1]


# ---- networks that are folded

FOLDED = {
    "dragonfly": (
        "qsnet-64",
        *("-s", "topology.type=dragonfly", "-s", "topology.hosts_per_switch=4", "-s", "topology.switches_per_group=8"),
        *("-s", "topology.global_cables=4", "-s", "routing.type=dragonfly", "-s", "switch.ports=20"),
    ),
    "fat tree": ("qsnet-1024", "-s", "topology.nodes=2048", "-s", "topology.levels=6"),
    "torus": ("macrame-torus-256", "-s", "topology.sizes=10x12"),
    "Slim Fly": ("qsnet-64", "-s", "topology.type=slim_fly", "-s", "topology.q=9", *ANY[:2], "-s", "switch.ports=32"),
}


@pytest.fixture(scope="module", params=FOLDED.values(), ids=FOLDED)
def folded(request) -> Folded:
    return Folded(network_of(*request.param), Extra())


def test_each_switch_is_drawn_in_one_group_that_can_be_read(folded):
    leaves = [fold for fold in folded.folds if not fold.children]
    assert sorted(s for fold in leaves for s in fold.switches) == list(range(len(folded.network.switch_names)))
    for fold in leaves:
        assert len(fold.switches) <= 128
        assert sum(len(folded.network.hosts_at[switch]) for switch in fold.switches) <= 1024
    assert all(len(fold.children) <= 72 for fold in folded.folds)


def test_each_cable_of_a_folded_network_is_in_one_picture_and_if_it_leaves_it_in_two(folded):
    seen = Counter()
    for fold in folded.folds:
        if not fold.children:
            seen.update(re.findall(r'<path id="c(\d+)"', folded.picture(fold.number, titles=False)))
    for cable in folded.network.cables:
        switches = [end[1] for end in (cable.a, cable.b) if end[0] == SWITCH]
        groups = {folded.leaf_of[switch] for switch in switches}
        assert seen[str(cable.number)] == len(groups), cable


def test_the_bundles_of_a_folded_network_have_all_cables_between_its_groups(folded):
    between = sum(folded.leaf_of[cable.a[1]] != folded.leaf_of[cable.b[1]] for cable in folded.network.between_switches)
    pictures = [folded.picture(fold.number, titles=True) for fold in folded.folds if fold.children]
    counts = [int(n) for picture in pictures for n in re.findall(r"<title>[^<]*?: (\d+) cables? \(", picture)]
    assert sum(counts) == between


def test_boxes_of_groups_do_not_overlap(folded):
    for fold in folded.folds:
        shown = re.findall(
            r'class="group"[^>]*><rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"',
            folded.picture(fold.number, titles=False) if fold.children else "",
        )
        for one, other in combinations([[float(value) for value in box] for box in shown], 2):
            assert abs(one[0] - other[0]) >= one[2] or abs(one[1] - other[1]) >= one[3], fold.name


def test_beyond_1024_hosts_a_picture_has_groups(tmp_path):
    picture = draw(tmp_path, *FOLDED["fat tree"], "-o", "large.svg")
    assert re.findall(r'class="number"[^>]*>(.*?)<', picture) == ["level 5", "hosts 0-1023", "hosts 1024-2047"]
    assert "2048 hosts, 3584 switches, 12288 cables" in picture
    assert picture.count(": 1024 cables (1024 of class cable)") == 2 * 2  # the fact for the mouse, and the tooltip


def test_one_group_alone_has_its_switches_and_all_cables_at_them(tmp_path):
    pictures = [draw(tmp_path, "qsnet-1024", "--group", name, "-o", "m.svg") for name in ("hosts 64-127", "host 100")]
    assert pictures[0] == pictures[1]
    assert "qsnet-1024 · hosts 0-255, hosts 64-127" in pictures[0]
    assert re.findall(r'<g id="h(\d+)">', pictures[0]) == [str(host) for host in range(64, 128)]
    assert pictures[0].count('<g id="s') == 16 * 3
    assert pictures[0].count('<path id="c') == 64 * 4  # to hosts, between levels 0, 1 and 2, and up to level 3
    assert "<title>cable 70: host 70 to level 0 switch 17 port 2; " in pictures[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("qsnet-1024", "-o", "m.svg", "--group", "none"), "name one that the page shows, such as"),
        (
            ("qsnet-1024", "-o", "m.svg", "--group", "level 4"),
            "has groups inside: name one of them: switches 1024-1087",
        ),
        (("qsnet-1024", "-o", "m.svg", "--group", "host 1024"), "there is no group 'host 1024'"),
        (("qsnet-16", "-o", "m.html", "--fold", "--animate", "traffic", "uniform"), "choose a group (--group NAME)"),
        (("qsnet-16", "-o", "m.png"), "the name ends in .svg or .html"),
        (("-o", "m.svg"), "say which machine"),
        (("qsnet-17", "-o", "m.svg"), "qsnet-16"),
        (("qsnet-16", "-o", "m.svg", "--route", "3", "16"), "there is no host 16; they go from 0 to 15"),
        (("qsnet-16", "-o", "m.svg", "--route", "3", "3"), "no route to itself"),
        (("--results", ".", "-o", "m.html"), "is no result folder"),
        (("qsnet-16", "--trace", "none.json", "-o", "m.html"), "none.json: No such file"),
        (("qsnet-16", "-o", "m.html", "--animate", "list"), "traffic PATTERN, replay --traffic FILE, or run APP"),
        (("qsnet-16", "-o", "m.html", "--animate", "traffic", "unifrm"), "uniform"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_is_one_message_with_its_cure(words, said, tmp_path):
    result = sanvp("draw", *words, cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert said in result.err
    assert result.err.startswith("error: ")
    assert not list(tmp_path.iterdir())


# ---- timelines with flits


def replayed(folder: Path, packets: str, name: str, *options: object) -> tuple[Network, dict]:
    """The motion of packets on two switches in a row."""
    (folder / "packets.txt").write_text(packets)
    machine = ("myrinet-8", "--topology", EXERCISES / "row.txt", "-s", "routing.type=ud")
    done("replay", *machine, "--traffic", "packets.txt", "--fidelity", "flit", "--trace", name, *options, cwd=folder)
    network = network_of(*map(str, machine))
    return network, motion_of(network, read(folder / name), source=name)


def test_the_timeline_of_a_packet_alone_has_each_of_its_flits(tmp_path):
    _, motion = replayed(tmp_path, "0 0 2 64\n", "t.json")
    assert motion["exact"]
    hops = motion["hops"]
    first, between, last = (0, 10, 5)  # channels: host 0 to switch 0, to switch 1, to host 2
    assert [hop[1] for hop in hops] == [first, between, last]
    # The header is usable 8 byte times after its start, requests at once, and starts 24 byte times after the grant.
    starts = [0, 32 * PS_PER_BYTE, 64 * PS_PER_BYTE]
    assert [hop[-1] for hop in hops] == [[0, 64, start, PS_PER_BYTE] for start in starts]
    assert [hop[6] - hop[5] for hop in hops] == [8 * PS_PER_BYTE] * 3


def test_a_blocked_worm_sends_until_stop_binds_it_and_goes_on_at_go(tmp_path):
    _, motion = replayed(tmp_path, "0 0 2 1000\n10 1 3 200\n", "t.json")
    waiting = next(hop for hop in motion["hops"] if hop[0] == 1 and hop[1] == 2)
    signals = [(one[2], one[3], one[4]) for one in motion["signals"] if one[0] == 2]
    runs = [waiting[-1][i : i + 4] for i in range(0, len(waiting[-1]), 4)]
    assert [stop for stop, *_ in signals[:2]] == [1, 0]
    # STOP goes back with the 57th byte in the buffer, and binds the sender 8 byte times later.
    assert signals[0][1] == waiting[6] + 56 * PS_PER_BYTE
    assert signals[0][2] - signals[0][1] == 8 * PS_PER_BYTE
    sent_by_stop = sum(count for _, count, at, _ in runs if at < signals[0][2])
    assert sent_by_stop == 72, "80 places hold what is on its way"
    assert runs[1][2] == signals[1][2], "it goes on in the instant in which GO binds it"


def test_a_credit_goes_back_when_a_flit_leaves_its_buffer(tmp_path):
    (tmp_path / "one.txt").write_text("0 0 1 64\n")
    done("replay", "qsnet-16", "--traffic", "one.txt", "--fidelity", "flit", "--trace", "t.json", cwd=tmp_path)
    motion = motion_of(network_of("qsnet-16"), read(tmp_path / "t.json"), source="t.json")
    # A flit of host 0 is in the switch 50 ns after its start, and one of the switch in host 1 after 15 ns. Each leaves
    # at once. The EOP follows the acknowledgement. A credit is back with the sender after 50 ns.
    ns = 1000
    first, last = 0, 3
    assert motion["credits"] == [
        [first, 0, 1, 32, 50 * ns, 5 * ns, 50 * ns],
        [last, 0, 1, 32, 65 * ns, 5 * ns, 50 * ns],
        [first, 0, 1, 1, 335 * ns, 0, 50 * ns],
        [last, 0, 1, 1, 350 * ns, 0, 50 * ns],
    ]
    starts = [hop[-1][2] for hop in motion["hops"]]
    assert starts == [0, 50 * ns]


def test_a_token_of_a_ds_link_has_the_credits_of_eight_flits(tmp_path):
    (tmp_path / "one.txt").write_text("0 0 1 64\n")
    machine = "macrame-clos-64"
    done("replay", machine, "--traffic", "one.txt", "--fidelity", "flit", "--trace", "t.json", cwd=tmp_path)
    motion = motion_of(network_of(machine), read(tmp_path / "t.json"), source="t.json")
    # 105 ns after its start a flit of 100 ns is there, and leaves at once: the eighth 805 ns after the header's start.
    # The token takes 40 ns, and 5 ns of cable.
    ns = 1000
    starts = {hop[1]: hop[-1][2] for hop in motion["hops"]}
    assert motion["credits"] == [
        [channel, 0, 8, 8, starts[channel] + 805 * ns, 800 * ns, 45 * ns] for channel in (0, 3)
    ]


def test_a_window_has_the_credits_in_it(tmp_path):
    (tmp_path / "one.txt").write_text("0 0 1 64\n")
    words = ("replay", "qsnet-16", "--traffic", "one.txt", "--fidelity", "flit", "--trace-from", "101ns")
    done(*words, "--trace", "t.json", cwd=tmp_path)
    credits = [arguments for _, _, name, arguments in read(tmp_path / "t.json").instants if name == "credits"]
    assert credits[0] == {"channel": 0, "slots": 1, "count": 21, "period_ps": 5000, "usable_ps": 155_000}


def test_a_part_of_a_machine_plays_the_packets_that_pass_through_it(tmp_path):
    # To the same switch, out of the group, into it, and elsewhere.
    (tmp_path / "packets.txt").write_text("0 0 1 64\n0 8 1000 64\n0 1001 12 64\n0 500 900 64\n")
    words = ("--fidelity", "flit", "--trace", "t.json")
    done("replay", "qsnet-1024", "--traffic", "packets.txt", *words, cwd=tmp_path)
    folded = Folded(network_of("qsnet-1024"), Extra())
    fold = folded.named("host 0")
    cables = {cable.number for switch in fold.switches for cable in folded.network.cables_at[switch]}
    part = Part(fold.name, frozenset(cables), frozenset(fold.switches), frozenset(range(64)))
    motion = motion_of(folded.network, read(tmp_path / "t.json"), source="t.json", part=part)
    assert list(motion["packets"]) == ["0", "1", "2"]
    inside = [hop for i, hop in enumerate(motion["hops"]) if i not in motion["outside"]]
    assert {hop[1] // 2 for hop in inside} <= cables
    # By two cables within a switch; up from level 0 by three levels and out; in and down.
    assert Counter(hop[0] for hop in inside) == {0: 2, 1: 4, 2: 4}
    assert Counter(hop[0] for hop in motion["hops"]) == {0: 2, 1: 5, 2: 5}, "and the hop before or behind"
    with pytest.raises(DrawError, match=r"no packet of t\.json passes through"):
        nowhere = Part("nowhere", frozenset(), frozenset(), frozenset())
        motion_of(folded.network, read(tmp_path / "t.json"), source="t.json", part=nowhere)


def test_both_formats_of_a_timeline_give_the_same_motion(tmp_path):
    packets = "0 0 2 300\n10 1 3 64\n20 1 2 64\n"
    motions = [replayed(tmp_path, packets, name)[1] for name in ("t.json", "t.pftrace", "t.pftrace.gz")]
    for motion in motions:
        motion.pop("source")
    assert motions[0] == motions[1] == motions[2]


def test_a_timeline_that_begins_late_knows_what_was_sent_before(tmp_path):
    whole = replayed(tmp_path, "0 0 2 1000\n", "whole.json")[1]
    late = replayed(tmp_path, "0 0 2 1000\n", "late.json", "--trace-from", "2us")[1]
    assert late["start"] >= 2_000_000
    for full, cut in zip(whole["hops"], late["hops"], strict=True):
        flit, count, at, period = cut[-1]
        assert flit + count == full[8]
        assert at + late["start"] == full[-1][2] + flit * period, "the same flit at the same time"


def test_worms_that_never_move_again_are_in_the_timeline(tmp_path):
    files = ("--topology", EXERCISES / "ring.txt", "--routes", EXERCISES / "clockwise.txt")
    words = ("replay", "myrinet-8", *files, "--traffic", EXERCISES / "ring-packets.txt", "--force")
    result = sanvp(*words, "--fidelity", "flit", "--trace", "t.json", cwd=tmp_path)
    assert result.status == DEADLOCK
    network = network_of("myrinet-8", *map(str, files))
    motion = motion_of(network, read(tmp_path / "t.json"), source="t.json")
    assert [hop[0] for hop in motion["hops"]] == [0, 1, 2, 3] * 2
    # Each holds the channel of its host and one of the ring, with 72 bytes in each buffer.
    assert all(sum(hop[-1][1::4]) >= 72 for hop in motion["hops"])


def test_the_fidelity_worm_leaves_its_timelines_as_they_were(tmp_path):
    (tmp_path / "packets.txt").write_text("0 0 2 64\n")
    machine = ("myrinet-8", "--topology", EXERCISES / "row.txt", "-s", "routing.type=ud")
    done("replay", *machine, "--traffic", "packets.txt", "--trace", "t.json", cwd=tmp_path)
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert not any(event["ph"] == "i" for event in events)
    assert {tuple(event["args"]) for event in events if event["ph"] == "X"} == {("flits", "header_start_ps")}


# ---- results


def test_hosts_and_switches_are_those_of_the_graph():
    network = network_of("qsnet-16")
    assert network.name((HOST, 3)) == "host 3"
    assert network.name((SWITCH, 4)) == "level 1 switch 0"
    assert network.hosts_at[0] == [0, 1, 2, 3]
