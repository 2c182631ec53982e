"""Traffic of several kinds at once, at listed times, in closed loops: `mix`, `matrix`, `flows`, `incast`, `closed`."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from program import USER_MISTAKE, done, sanvp


def packets(folder: Path, *arguments: object) -> list[list[str]]:
    """By line and column: index gen_ns src dst bytes route_id inject_ns delivered_ns latency_ns itbs."""
    file = folder / "packets.txt"
    done("traffic", *arguments, "--packets-out", file)
    return [line.split() for line in file.read_text().splitlines() if not line.startswith("#")]


def written(folder: Path, text: str) -> Path:
    file = folder / "list.txt"
    file.write_text(text)
    return file


def test_flows_are_generated_at_their_times(tmp_path):
    flows = written(tmp_path, "9us 0 2 320\n5us 0 1 64\n20.5us 3 1 320\n0us 7 8 128\n")
    listed = packets(tmp_path, "qsnet-16", "flows", "--file", flows)
    assert sorted(tuple(line[1:5]) for line in listed) == [
        ("0", "7", "8", "128"),
        ("20500", "3", "1", "320"),
        ("5000", "0", "1", "64"),
        ("9000", "0", "2", "320"),
    ]


def test_every_sender_of_an_incast_sends_once_in_each_round(tmp_path):
    options = ("--target", 3, "--fan-in", 4, "--rounds", 3, "--interval", "50us")
    listed = packets(tmp_path, "qsnet-16", "incast", *options, "--bytes", 64)
    assert sorted((int(line[1]), int(line[2])) for line in listed) == [
        (at, node) for at in (0, 50_000, 100_000) for node in (4, 5, 6, 7)
    ]
    assert {line[3] for line in listed} == {"3"}


def test_descriptors_give_the_delay_to_the_next_message(tmp_path):
    program = written(tmp_path, "0 1 64 5us\n0 2 64 2us\n0 3 64 1us\n")
    listed = packets(tmp_path, "qsnet-16", "descriptors", "--file", program, "--repeat", "no")
    assert [(line[1], line[3]) for line in listed] == [("0", "1"), ("5000", "2"), ("7000", "3")]


def test_results_of_flows_are_also_by_class(tmp_path):
    flows = written(
        tmp_path, "".join(f"{10 * i}us {i} {15 - i} 320 {'even' if i % 2 == 0 else 'odd'}\n" for i in range(7))
    )
    result = done("traffic", "qsnet-16", "flows", "--file", flows, "--json", "-").json
    assert [(one["class"], one["messages"]) for one in result["classes"]] == [("even", 4), ("odd", 3)]
    assert all(one["latency_ns"]["mean"] > 0 for one in result["classes"])
    without = written(tmp_path, "0us 0 1 64\n")
    assert "classes" not in done("traffic", "qsnet-16", "flows", "--file", without, "--json", "-").json


BULK = "bulk uniform 0-3 20MB/s 320B\n"
SMALL = "small uniform 8-11 5MB/s 64B arrivals=constant seed=9\n"


def test_each_class_of_a_mix_offers_its_rate(tmp_path):
    mix = ("traffic", "qsnet-16", "mix", "--file", written(tmp_path, BULK + SMALL), "--packets", 20_000)
    result = done(*mix, "--json", "-", "--out", tmp_path / "out")
    bulk, small = result.json["classes"]
    # 4 senders each; exponential intervals of 15,000 messages: the rate is within 3 % (3.7 standard deviations).
    assert bulk["offered_MBps"] == pytest.approx(4 * 20, rel=0.03)
    assert small["offered_MBps"] == pytest.approx(4 * 5, rel=0.005)
    assert result.json["senders"] == 8
    rows = (tmp_path / "out" / "classes.csv").read_text().splitlines()
    assert [row.split(",")[1] for row in rows[1:]] == ["bulk", "small"]


def test_a_class_that_shares_no_link_with_others_is_as_if_it_were_alone(tmp_path):
    def sent(text: str) -> list[list[str]]:
        mix = ("qsnet-16", "mix", "--file", written(tmp_path, text), "--packets", 400, "--warmup", "0ns")
        return [line[1:] for line in packets(tmp_path, *mix) if int(line[2]) < 4][:80]

    alone = sent(BULK)
    assert len(alone) == 80
    assert sent(BULK + SMALL) == alone  # hosts 0 to 3 have a switch of their own, as have hosts 8 to 11
    assert sent(BULK.replace("20MB/s", "21MB/s") + SMALL) != alone


def test_hosts_of_a_part_are_numbered_for_its_pattern(tmp_path):
    mix = written(tmp_path, "a complement 3,5,9,14 10MB/s 64B\n")
    listed = packets(tmp_path, "qsnet-16", "mix", "--file", mix, "--packets", 200)
    assert {(line[2], line[3]) for line in listed} == {("3", "14"), ("14", "3"), ("5", "9"), ("9", "5")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no pattern in it"),
        ("a uniform all 5MB/s\n", "CLASS PATTERN HOSTS RATE BYTES"),
        ("a unifrm all 5MB/s 64B\n", "uniform"),
        ("a uniform 0-16 5MB/s 64B\n", "16"),
        ("a uniform 0,1,0 5MB/s 64B\n", "host 0 is there twice"),
        ("a uniform all 5 64B\n", "5"),
        ("a uniform all 0MB/s 64B\n", "rate"),
        ("a uniform all 5MB/s 64B aim=3\n", "aim"),
        ("a uniform all 5MB/s 64B arrivals=never\n", "there are no arrivals 'never'"),
        ("a gossip all 5MB/s 64B\n", "sets its own pace or ends"),
        ("a mix all 5MB/s 64B file=list.txt\n", "pattern mix cannot be part of a mix"),
        ("a uniform 3 5MB/s 64B\n", "pattern uniform needs at least 2 nodes, HOSTS names 1; name more hosts"),
        ("a pairs 0,1 5MB/s 64B list=0-0\n", "no node sends"),
        ("a descriptors 0,1 5MB/s 64B\n", "pattern descriptors: there is no file"),
        ("a uniform all 5MB/s 64B\na uniform all 5MB/s 64B\n", "two classes 'a'"),
    ],
)
def test_a_mistake_in_a_mix_is_told_by_its_line(text, message, tmp_path):
    written(tmp_path, text)
    result = sanvp("traffic", "qsnet-16", "mix", "--file", "list.txt", cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert message in result.err
    assert result.err.startswith("error: list.txt:" if text else "error: list.txt")


def test_each_pair_of_a_matrix_sends_at_its_rate(tmp_path):
    rates = {(0, 5): 8, (0, 9): 2, (3, 5): 4}
    lines = [
        f"{src} {dst} {rate}MB/s {64 if dst == 9 else 320}B arrivals=constant\n" for (src, dst), rate in rates.items()
    ]
    matrix = written(tmp_path, "".join(lines))
    until = ("--until", "10ms", "--warmup", "0ns", "--packets", 1_000_000)
    out = tmp_path / "packets.txt"
    sanvp("traffic", "qsnet-16", "matrix", "--file", matrix, *until, "--packets-out", out)
    listed = [line.split() for line in out.read_text().splitlines() if not line.startswith("#")]
    sent = {pair: sum(int(line[4]) for line in listed if (int(line[2]), int(line[3])) == pair) for pair in rates}
    # 10 ms at constant intervals: all messages but one at each end.
    assert sent == pytest.approx({pair: rate * 10_000 for pair, rate in rates.items()}, abs=2 * 320)
    assert len(listed) == sum(bytes_ // (64 if pair[1] == 9 else 320) for pair, bytes_ in sent.items())


def test_a_pair_of_a_matrix_sends_the_same_whatever_other_pairs_do(tmp_path):
    def sent(text: str) -> list[list[str]]:
        options = ("--packets", 400, "--warmup", "0ns")
        listed = packets(tmp_path, "qsnet-16", "matrix", "--file", written(tmp_path, text), *options)
        return [line[1:5] for line in listed if (line[2], line[3]) == ("0", "1")][:60]

    one = "0 1 5MB/s exp:200\n"
    alone = sent(one)
    assert len(alone) == 60
    assert sent(one + "0 2 4MB/s 64B\n2 1 4MB/s 64B\n") == alone


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no node sends"),
        ("0 1\n", "SRC DST WEIGHT, or SRC DST RATE BYTES"),
        ("0 1 2\n0 2 5MB/s 64B\n", "some lines have weights, others rates"),
        ("0 1 5 64B\n", "5"),
        ("0 1 0MB/s 64B\n", "a rate has to be positive"),
        ("0 1 5MB/s 64B constant\n", "'constant' is not arrivals=LAW"),
        ("0 1 5MB/s 64B arrivals=never\n", "there are no arrivals 'never'"),
        ("3 3 5MB/s 64B\n", "node 3 sends to itself"),
    ],
)
def test_a_mistake_in_a_matrix_is_told(text, message, tmp_path):
    result = sanvp("traffic", "qsnet-16", "matrix", "--file", written(tmp_path, text))
    assert result.status == USER_MISTAKE
    assert message in result.err


@pytest.mark.parametrize("replies", ["no", "yes"])
@pytest.mark.parametrize("window", [1, 2, 8])
def test_throughput_times_latency_is_the_window_of_a_closed_loop(window, replies):
    loop = ("--window", window, "--replies", replies, "--bytes", 64, "--packets", 20_000)
    result = done("traffic", "qsnet-16", "closed", *loop, "--json", "-").json
    under_way = result["accepted_MBps"] * result["latency_ns"]["mean"] / 1e3 / 64  # Little's law
    assert under_way == pytest.approx(16 * window, rel=0.01)


def test_a_closed_loop_waits_after_a_delivery_and_goes_round_its_list(tmp_path):
    rounds = written(tmp_path, "0 5 64\n0 9 128\n")
    loop = ("--file", rounds, "--think", "3us", "--packets", 4, "--warmup", "0ns")
    listed = packets(tmp_path, "qsnet-16", "closed", *loop)[:4]
    assert [line[3] for line in listed] == ["5", "9", "5", "9"]
    first = float(listed[0][1])
    assert first == 3000
    for before, line in pairwise(listed):
        gap = float(line[1]) - float(before[7])  # from delivery on the wire to generation: the NICs' latency as well
        assert gap == pytest.approx(float(listed[1][1]) - float(listed[0][7]))
        assert gap >= 3000
