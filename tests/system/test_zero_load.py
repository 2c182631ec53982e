"""One packet alone, in closed form, on every kind of machine (TIMING.md, FACTS.md section 7). Times in ns."""

from __future__ import annotations

import pytest
from program import deliveries, done, replay


def chain(switches: int, ports: int = 8) -> str:
    """A row of switches: hosts 0 and 1 at its ends; host 2 + i on switch i; port 7 to the right, port 6 to the left."""
    lines = [f"switches {switches}", f"ports {ports}", "host 0 0 0", f"host 1 {switches - 1} 1"]
    lines += [f"host {2 + i} {i} 2" for i in range(switches)]
    lines += [f"link {i} 7 {i + 1} 6" for i in range(switches - 1)]
    return "\n".join(lines) + "\n"


def chain_route(switches: int, in_transit: list[int]) -> str:
    """From host 0 to host 1 by way of the local hosts of these switches."""
    ports = []
    for switch in range(switches):
        ports += ["2 /"] if switch in in_transit else []
        ports.append("7" if switch < switches - 1 else "1")
    return f"route 0 1 0 {' '.join(ports)}\n"


@pytest.mark.parametrize("length", [1, 32, 33, 512, 4096])
@pytest.mark.parametrize(
    ("switches", "in_transit"), [(1, []), (2, []), (5, []), (2, [0]), (3, [1]), (5, [1, 3]), (3, [0, 1, 2])]
)
def test_myrinet(tmp_path, switches, in_transit, length):
    (tmp_path / "net.txt").write_text(chain(switches))
    (tmp_path / "routes.txt").write_text(chain_route(switches, in_transit))
    files = ("--topology", "net.txt", "--routes", "routes.txt")
    (packet,) = replay(tmp_path, "myrinet-8", f"0 0 1 {length} 0\n", *files)
    hosts = len(in_transit)
    passes = switches + hosts  # a packet passes the switch of an in-transit host twice
    flit_times = 24 * passes + 8 * (passes + 1 + hosts) + 76 * hosts + length - 1
    assert packet.delivered == 6.25 * flit_times
    assert packet.itbs == hosts


def test_one_switch_by_hand(tmp_path):
    """TIMING.md: T = 10, D = 10+5 to the NIC and 10+5+20 to the switch, R = 30, four flits: the tail at 110."""
    (tmp_path / "net.txt").write_text("switches 1\nports 2\nhost 0 0 0\nhost 1 0 1\n")
    (tmp_path / "routes.txt").write_text("route 0 1 0 1\n")
    (tmp_path / "mine.ini").write_text(
        "[topology]\ntype = file\nfile = net.txt\n[routing]\ntype = file\nfile = routes.txt\n[switch]\n"
        "type = simple\nflow_through = 20ns\nrouting = 30ns\n[link]\nrate = 100MB/s\ndelay = 5ns\n[nic]\ntype = plain\n"
    )
    (packet,) = replay(tmp_path, "mine.ini", "0.125 0 1 4\n")
    assert (packet.injected, packet.delivered, packet.latency) == (0.125, 110.125, 110)


@pytest.mark.parametrize(("destination", "elites"), [(1, 1), (4, 3), (63, 5)])
@pytest.mark.parametrize("flits", [1, 40, 188])
def test_qsnet(tmp_path, destination, elites, flits):
    (packet,) = replay(tmp_path, "qsnet-64", f"0 0 {destination} {2 * flits}\n")
    into_elite, into_nic = 5 + 10 + 35, 5 + 10  # flit, wire, flow-through
    assert packet.delivered == elites * into_elite + into_nic + (flits - 1) * 5


def test_qsnet_64_bytes_take_185_ns_longer_than_none(tmp_path):
    """FACTS 7.1: 64 bytes of data and 10 of transaction header."""
    none, some = (replay(tmp_path, "qsnet-64", f"0 0 63 {size}\n")[0].delivered for size in (10, 10 + 74))
    assert some - none == 185


@pytest.mark.parametrize(
    ("machine", "destination", "switches"),
    [("macrame-clos-64", 1, 1), ("macrame-clos-64", 16, 3), ("macrame-clos-1024", 1023, 5), ("macrame-grid-64", 63, 3)],
)
def test_macrame(tmp_path, machine, destination, switches):
    """64 bytes and 2 of header; FACTS 7.3: 1 us per STC104 (and the cable's 5 ns), serialisation 6.64 us."""
    (packet,) = replay(tmp_path, machine, f"0 0 {destination} 66\n")
    last_token_arrives = 66 * 100 + 45  # EOP starts after 66 tokens; its own 40 ns and the cable
    assert packet.delivered == switches * 1005 + last_token_arrives


@pytest.mark.parametrize(
    ("machine", "destination", "routers"),
    [("moc-3-2", 1, 1), ("moc-3-2", 63, 7), ("moc-3-1", 63, 5), ("moc-2-1", 15, 3)],
)
def test_mesh_of_clos(tmp_path, machine, destination, routers):
    """130 flits of 100 ns; 200 ns of routing and a flit time per router."""
    (packet,) = replay(tmp_path, machine, f"0 0 {destination} 130\n")
    assert packet.delivered == routers * 300 + 130 * 100


@pytest.mark.parametrize(("destination", "links"), [(1, 1), (7, 7), (63, 14)])
def test_gcel_stores_and_forwards(tmp_path, destination, links):
    (packet,) = replay(tmp_path, "gcel-64", f"0 0 {destination} 120\n")
    copy, route, link = 120 * 50, 30000, 120 * 574.713  # 1.74 MB/s, to the picosecond
    assert packet.delivered == pytest.approx(2 * copy + (links + 1) * route + links * link, abs=1e-6)


@pytest.mark.parametrize("flits", [32, 64])
@pytest.mark.parametrize(("destination", "links"), [(1, 1), (12, 1), (35, 2 + 11)])
def test_tofu_36(tmp_path, destination, links, flits):
    (packet,) = replay(tmp_path, "tofu-36", f"0 0 {destination} {5 * flits}\n")
    assert packet.delivered == (links + 1) * 3 + 1 + (flits - 1)  # three stages a switch


@pytest.mark.parametrize(("destination", "links"), [(1, 1), (12, 1)])
def test_tofu_768(tmp_path, destination, links):
    (packet,) = replay(tmp_path, "tofu-768", f"0 0 {destination} 160\n")
    into_first, hop, into_host = 1 + 1 + 80 + 1, 1 + 20 + 80 + 1, 1 + 1
    assert packet.delivered == into_first + links * hop + into_host + 31


def streamed(machine: str, source: int, destination: int, size: int, folder, *settings) -> float:
    """Time between packets of a stream, in the middle of it."""
    count = 100
    (folder / "stream.txt").write_text(f"0 {source} {destination} {size}\n" * count)
    rows = deliveries(done("replay", machine, "--traffic", folder / "stream.txt", *settings).out)
    return (rows[-1].delivered - rows[count // 2 - 1].delivered) / (count - count // 2)


def test_qsnet_streams_at_335_megabytes_per_second_because_of_its_two_virtual_channels(tmp_path):
    """QsNET paper 5.1: 335 delivered; TIMING.md: 215 with one packet at a time."""
    wire = 376  # 320 + 58, less the EOP that the circuit adds
    two = 320e3 / streamed("qsnet-64", 0, 63, wire, tmp_path)
    one = 320e3 / streamed("qsnet-64", 0, 63, wire, tmp_path, "-s", "switch.virtual_channels=1")
    assert 335 <= two <= 339
    assert 210 <= one <= 220


def test_macrame_streams_with_650_ns_between_packets(tmp_path):
    """FACTS 7.2: 64 bytes, 2 of header, one way: 6.64 us and the gap."""
    assert streamed("macrame-clos-64", 0, 16, 66, tmp_path) == 66 * 100 + 40 + 650


def test_macrame_both_ways_spend_the_flow_control_tokens_bandwidth(tmp_path):
    """FACTS 7.2: 9.176 MB/s for 64 bytes with 2 of header when both directions are full: 697.5 bit times a packet."""
    count = 400
    (tmp_path / "both.txt").write_text("0 0 16 66\n0 16 0 66\n" * count)
    out = done("replay", "macrame-clos-64", "--traffic", tmp_path / "both.txt", "-s", "nic.gap=0ns").out
    ends = [row.delivered for row in deliveries(out) if row.source == 0]
    period = (ends[-1] - ends[count // 2 - 1]) / (count - count // 2)
    assert period == pytest.approx(10 * (664 + 67 / 8 * 4), rel=0.01)


def test_mesh_of_clos_streams_at_full_rate_with_one_flit_of_buffer(tmp_path):
    # While a header is routed, 200 ns in each of seven routers, the buffers behind it are full and nothing enters.
    assert streamed("moc-3-2", 0, 63, 130, tmp_path) == 130 * 100 + 7 * 200
    assert streamed("moc-3-2", 0, 63, 130, tmp_path, "-s", "switch.routing=0ns") == 130 * 100
