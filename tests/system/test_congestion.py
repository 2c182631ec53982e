"""Congestion control of NICs: marks, notifications and rates, from outside."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from program import USER_MISTAKE, done, sanvp

STAR = """[topology]
type = file
file = star.txt
[routing]
type = ud
[switch]
type = simple
buffer = 3000
mark_threshold = 500
[link]
rate = 1GB/s
delay = 5ns
[nic]
type = plain
"""
# Two senders and their receiver; a packet of 1000 bytes takes 1000 ns.
STAR_TEXT = "switches 1\nports 3\nhost 0 0 0\nhost 1 0 1\nhost 2 0 2\n"
FLOWS = "".join("0us 0 2 1000\n" for _ in range(24)) + "0us 1 2 1000\n"


@pytest.fixture
def star(tmp_path: Path) -> Path:
    (tmp_path / "star.txt").write_text(STAR_TEXT)
    (tmp_path / "flows.txt").write_text(FLOWS)
    path = tmp_path / "star.ini"
    path.write_text(STAR)
    return path


def settings(**keys: object) -> list[str]:
    return [word for key, value in keys.items() for word in ("-s", f"{key.replace('__', '.')}={value}")]


def starts(star: Path, fidelity: str, *options: str) -> list[float]:
    """When the packets of host 0 start, in ns."""
    out = star.with_name("packets.txt")
    file = star.with_name("flows.txt")
    done("traffic", star, "flows", "--file", file, "--packets-out", out, "--fidelity", fidelity, *options)
    lines = [line.split() for line in out.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == FLOWS.count("\n")
    return sorted(float(line[6]) for line in lines if line[2] == "0")


# Host 0 sends packet after packet, host 1 one at the same time. That goes second; so packet 1 of host 0 waits from 1005
# to 2005, and is marked: 1000 flits are there. It is delivered at 3009, and the 16 bytes of its notification are back
# at 3034. Packets behind it find the output free when they get to the front, and have no mark.
WHOLE = {"nic__congestion": "infiniband", "nic__cct_step": 1}
FREE = [1000.0 * i for i in range(24)]


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_without_congestion_control_a_flow_takes_what_its_link_gives(star, fidelity):
    assert starts(star, fidelity) == FREE


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_a_notification_halves_the_rate_of_a_flow_until_infinibands_timer_expires(star, fidelity):
    found = starts(star, fidelity, *settings(nic__ccti_timer="20us", nic__ccti_phase="zero", **WHOLE))
    # Packet 4, at 4000, is the first that knows. The timer expires at 20 us.
    assert found == [0, 1000, 2000, 3000, *range(4000, 20_000, 2000), *range(20_000, 32_000, 1000)]


@pytest.mark.parametrize("fidelity", ["worm", "flit"])
def test_a_notification_halves_the_rate_of_a_flow_and_dcqcn_closes_half_of_the_gap_with_each_step(star, fidelity):
    timer = settings(nic__congestion="dcqcn", nic__dcqcn_rate_timer="10us")
    found = starts(star, fidelity, *timer)
    # Steps are 10 us after the notification, 13,034, and 10 us later: 3/4 and 7/8 of the rate.
    halved = [0, 1000, 2000, 3000, *range(4000, 16_000, 2000)]
    quarters = [14_000 + 1333.333 * i for i in range(1, 8)]
    eighths = [quarters[-1] + 1142.857 * i for i in range(1, 8)]
    assert found == pytest.approx([*halved, *quarters, *eighths][:24], abs=1e-6)


CLOS = ("qsnet-64", *settings(switch__type="simple", switch__buffer=512, nic__type="plain", nic__most_payload="512B"))


@pytest.mark.parametrize(("control", "marking"), [("infiniband", ""), ("dcqcn", ""), ("dcqcn", "red")])
def test_with_congestion_control_nothing_is_lost_or_overtaken_and_both_fidelities_agree(control, marking, tmp_path):
    short = {
        "infiniband": {"nic__ccti_timer": "5us"},
        "dcqcn": {"nic__dcqcn_rate_timer": "5us", "nic__dcqcn_interval": "2us"},
    }
    rule = {"switch__red_least": "128B", "switch__red_most": "1KiB", "switch__red_probability": 0.3}
    marks = {"switch__marking": marking, **rule} if marking else {"switch__mark_threshold": 256}
    on = settings(nic__congestion=control, topology__levels=2, **marks, **short[control])
    hot = ("hot-spot", "--load", 0.1, "--bytes", "bimodal:64:1500:0.5", "--packets", 3000, "--warmup", "0ns")
    logs = []
    for fidelity in ("worm", "flit"):
        out = tmp_path / f"{fidelity}.txt"
        result = done(
            "traffic",
            *CLOS,
            *hot,
            *on,
            "-s",
            "pattern.share=0.6",
            "--fidelity",
            fidelity,
            "--packets-out",
            out,
            "--json",
            "-",
        ).json
        assert result["lost_packets"] == 0
        assert result["undelivered_messages"] == 0
        assert result["congestion"]["marked_packets"] > 100
        assert 0 < result["congestion"]["notifications"] <= result["congestion"]["marked_packets"]
        logs.append(out.read_text())
    assert logs[0] == logs[1]
    started = defaultdict(list)
    for line in logs[0].splitlines():
        words = line.split()
        if words[0].isdigit():
            started[words[2], words[3]].append((float(words[6]), float(words[1])))
    for flow in started.values():
        generated = [when for _, when in sorted(flow)]
        assert generated == sorted(generated)


def test_a_slow_flow_does_not_hold_up_others_of_its_node(star):
    # Host 0 has packets for both others, by turns. The second, at 1005, finds that of host 1, which is longer, until
    # 1505: 500 flits are there. Its notification is back before the next packet of its flow starts.
    file = star.with_name("flows.txt")
    file.write_text("".join("0us 0 1 1000\n0us 0 2 1000\n" for _ in range(24)) + "0us 1 2 1500\n")
    out = star.with_name("packets.txt")
    slow = settings(nic__ccti_timer="1ms", nic__ccti_phase="zero", nic__ccti_increase=9, **WHOLE)
    done("traffic", star, "flows", "--file", file, "--packets-out", out, *slow)
    lines = [line.split() for line in out.read_text().splitlines() if not line.startswith("#")]
    end = {to: max(float(line[6]) for line in lines if line[2:4] == ["0", to]) for to in ("1", "2")}
    assert end["1"] < 32_000  # 24 packets, those of the slow flow between them
    assert end["2"] >= 3000 + 22 * 10_000


def test_the_switches_of_dcqcn_mark_as_red_does_unless_a_threshold_is_given(star):
    file = ("flows", "--file", star.with_name("flows.txt"), "--json", "-")
    star.write_text(STAR.replace("mark_threshold = 500\n", ""))
    dcqcn = {"nic__congestion": "dcqcn"}
    # Two packets wait for others, with 1000 flits before the switch each.
    all_marked = done("traffic", star, *file, *settings(switch__red_least="999B", switch__red_most="1kB", **dcqcn)).json
    assert all_marked["congestion"] == {"marked_packets": 2, "notifications": 2}
    none = done("traffic", star, *file, *settings(switch__red_least="1001B", **dcqcn)).json
    assert none["congestion"] == {"marked_packets": 0, "notifications": 0}
    unread = sanvp("traffic", star, *file, *settings(switch__red_least="5kB", switch__mark_threshold=500, **dcqcn))
    assert unread.status == USER_MISTAKE
    assert "switch.red_least" in unread.err


@pytest.mark.parametrize(
    ("command", "keys", "message"),
    [
        ("traffic", {"switch__mark_threshold": 0, "nic__congestion": "infiniband"}, "the switches mark no packets"),
        ("traffic", {"nic__congestion": "infinband"}, "infiniband"),
        ("traffic", {"nic__congestion": "infiniband", "nic__ccti_timer": "0us"}, "the timer has no period"),
        ("traffic", {"nic__congestion": "dcqcn", "nic__dcqcn_rate_timer": "0us"}, "the timer has no period"),
        ("traffic", {"nic__congestion": "infiniband", "nic__dcqcn_gain": 0.5}, "nic.dcqcn_gain"),
        ("replay", {"nic__congestion": "infiniband"}, "replay sends packets without congestion control"),
    ],
)
def test_a_mistake_in_congestion_control_is_told(command, keys, message, star):
    star.with_name("list.txt").write_text("0 0 2 100\n")
    words = {
        "traffic": ("flows", "--file", star.with_name("flows.txt")),
        "replay": ("--traffic", star.with_name("list.txt")),
    }
    result = sanvp(command, star, *words[command], *settings(**keys))
    assert result.status == USER_MISTAKE
    assert message in result.err


def test_results_say_nothing_of_congestion_where_no_switch_marks(star):
    flows = ("flows", "--file", star.with_name("flows.txt"), "--json", "-")
    assert done("traffic", star, *flows).json["congestion"] == {"marked_packets": 2, "notifications": 0}
    assert "congestion" not in done("traffic", star, *flows, *settings(switch__mark_threshold=0)).json
