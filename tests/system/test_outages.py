"""Parts that fail and come back during a run: what it costs, and that nothing else changes."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from program import UNTIL_REACHED, USER_MISTAKE, Result, done, left_by, replay, sanvp
from test_observers import expect_the_same

PROGRAM_FAILED = 4
HALO = ("--", "--cells", "64", "--exchanges", "100")  # checks its result itself


def faults(*events: str) -> list[str]:
    """The options that say so."""
    return [word for event in events for word in ("--fault", event)]


def rows(folder: Path) -> list[dict[str, str]]:
    """Of faults.csv."""
    with (folder / "faults.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def halo(machine: str, folder: Path, *events: str) -> Result:
    """An exchange of edges between neighbours while that happens."""
    out = ("--out", folder / "out", "--json", folder / "json")
    return sanvp("run", machine, "halo", *out, *faults(*events), *HALO)


# ---- programs: what is lost is sent again where the machine does so


@pytest.mark.parametrize(
    ("machine", "link", "down", "up"),
    [
        ("qsnet-64", 5, 500, 700),  # a host's cable
        ("myrinet-16", 5, 5000, 9000),
        ("myrinet-16", 65, 5000, 9000),  # between switches
        ("macrame-clos-64", 5, 10000, 11000),
        ("macrame-torus-64", 5, 10000, 11000),
    ],
)
def test_a_link_that_goes_down_and_comes_back_costs_a_program_time_and_nothing_else(machine, link, down, up, tmp_path):
    result = halo(machine, tmp_path, f"{down}us link {link} down", f"{up}us link {link} up")
    assert result.status == 0, result.err
    assert "PASS" in result.out
    found = json.loads((tmp_path / "json").read_text())["faults"]
    assert found["events"] == 2
    assert found["lost_packets"] > 0
    assert found["pairs_unserved"] == 0
    if not machine.startswith("myrinet"):  # GM counts in its firmware
        assert found["resent_packets"] >= found["lost_packets"]
    assert f"faults: 2 events, {found['lost_packets']} packets lost of" in result.err
    before, outage, after = rows(tmp_path / "out")
    assert before["event"] == ""
    assert (outage["event"], after["event"]) == (f"link {link} down", f"link {link} up")
    assert float(outage["from_ns"]) == down * 1000
    assert float(after["from_ns"]) == float(outage["until_ns"]) == up * 1000
    assert int(outage["lost_packets"]) == found["lost_packets"]
    assert outage["pairs_cut"] == outage["pairs_served_again"]
    assert float(outage["served_again_ns"]) > up * 1000


REMAP = ("-s", "fault.remap=yes", "-s", "fault.remap_detect=100us", "-s", "fault.remap_switch=10us")
AT_ONCE = ("-s", "fault.remap=yes", "-s", "fault.remap_detect=5us", "-s", "fault.remap_switch=0ns")


def test_a_mapper_brings_service_back_over_other_ways_once_it_has_detected_mapped_and_loaded(tmp_path):
    # myrinet-16 has 16 switches and 64 hosts: 100 us, 16 times 10 us and 64 times 1 us after the event.
    times = (*REMAP, "-s", "fault.remap_host=1us")
    out = ("--out", tmp_path / "out", "--json", tmp_path / "json")
    result = sanvp("run", "myrinet-16", "halo", *out, *faults("3ms link 66 down"), *times, *HALO)
    assert result.status == 0, result.err
    assert "PASS" in result.out
    found = json.loads((tmp_path / "json").read_text())["faults"]
    assert found["lost_packets"] > 0
    assert found["pairs_unserved"] == 0
    outage = rows(tmp_path / "out")[-1]
    back = (float(outage["served_again_ns"]) - 3e6) / 1000
    # GM sends again what was lost before, every 2 ms (gm.resend).
    assert 100 + 160 + 64 < back < 324 + 2 * 2000
    assert "does not answer" in sanvp("run", "myrinet-16", "halo", *faults("3ms link 66 down"), *HALO).err


@pytest.mark.parametrize(("machine", "link"), [("myrinet-16", 70), ("qsnet-64", 64), ("tofu-36", 40)])
def test_traffic_loses_less_if_routes_avoid_failed_parts(machine, link):
    cut = ("traffic", machine, "uniform", "--load", 0.05, "--packets", 4000, "--warmup", "1us", "--json", "-")
    cut = (*cut, *faults(f"10us link {link} down"), "-s", "fault.remap_host=0ns")
    left, followed = (done(*cut, *more).json["faults"]["lost_packets"] for more in ((), AT_ONCE))
    assert 0 < followed < left


@pytest.mark.parametrize("machine", ["myrinet-16", "qsnet-16"])
def test_messages_that_wait_for_nodes_that_new_routes_leave_out_are_not_sent_and_are_counted(machine):
    """With a backlog: what waits was generated when there was a route."""
    remap = ("-s", "fault.remap=yes", "-s", "fault.remap_detect=10us", "-s", "fault.remap_switch=0ns")
    load = ("--load", 0.9, "--packets", 20000, "--json", "-")
    cut = (*remap, "-s", "fault.remap_host=0ns", *faults("20us node 3 down"))
    found = done("traffic", machine, "uniform", *load, *cut).json
    without = done("traffic", machine, "uniform", *load).json
    assert found["unserved_messages"] > 0
    assert without["unserved_messages"] == 0
    assert found["accepted_MBps"] > 0.5 * without["accepted_MBps"]


def test_a_machine_whose_software_loads_no_routes_while_it_runs_says_so():
    result = sanvp("run", "qsnet-16", "halo", *faults("3ms link 20 down"), *REMAP)
    assert result.status == USER_MISTAKE
    assert "fault.remap: no software of this machine loads routes during a run" in result.err


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3, 4))])
@pytest.mark.parametrize(
    ("machine", "mtbf", "mttr", "program"),
    [
        # Each link is down for 1 % of the time, so that of two calls far apart each may meet one.
        ("qsnet-16", "2ms", "20us", ("alltoall",)),
        ("qsnet-16", "2ms", "20us", ("allreduce",)),
        ("qsnet-64", "20ms", "100us", ("halo", *HALO)),
        ("myrinet-16", "100ms", "500us", ("halo", *HALO)),
        ("macrame-clos-64", "300ms", "1ms", ("halo", *HALO)),
    ],
)
def test_links_that_fail_again_and_again_end_no_program(machine, mtbf, mttr, program, seed):
    chance = ("-s", f"fault.link_mtbf={mtbf}", "-s", f"fault.link_mttr={mttr}", "--seed", seed)
    result = sanvp("run", machine, program[0], *chance, *program[1:])
    assert result.status == 0, result.err
    assert "PASS" in result.out
    assert "faults: " in result.err


def test_qsnet_takes_other_ways_than_a_link_between_switches_that_is_down(tmp_path):
    result = halo("qsnet-64", tmp_path, "500us link 70 down", "700us link 70 up")
    assert result.status == 0, result.err
    assert "PASS" in result.out
    assert sum(int(row["delivered_packets"]) for row in rows(tmp_path / "out")) > 20000


@pytest.mark.parametrize(("machine", "down", "up"), [("moc-2-1", 5, 6), ("gcel-64", 50, 60)])
def test_where_nothing_sends_again_mpi_is_told_of_the_packets_that_are_lost(machine, down, up, tmp_path):
    result = halo(machine, tmp_path, f"{down}ms link 5 down", f"{up}ms link 5 up")
    assert result.status == PROGRAM_FAILED
    assert "does not answer: it has died, or no way leads to it (MPI_ERR_OTHER)" in result.err
    assert "PASS" not in result.out


@pytest.mark.parametrize("link", [5, 60])  # a host's, and one between routers that the exchange uses at that time
def test_tofu_gives_what_was_lost_again_while_a_link_is_down(link, tmp_path):
    result = halo("tofu-36", tmp_path, f"350us link {link} down", f"400us link {link} up")
    assert result.status == 0, result.err
    assert "PASS" in result.out
    found = json.loads((tmp_path / "json").read_text())["faults"]
    assert found["lost_packets"] > 0
    assert found["pairs_unserved"] == 0


def test_tofu_survives_a_cable_that_stays_cut_where_a_mapper_finds_another_way(tmp_path):
    cut = ("run", "tofu-36", "halo", *faults("350us link 40 down"))
    found = []
    for remap in (REMAP, (*REMAP, "-s", "fault.remap_detect=5ms")):
        result = sanvp(*cut, *remap, "--json", tmp_path / "json", *HALO)
        assert result.status == 0, result.err
        assert "PASS" in result.out
        found.append(json.loads((tmp_path / "json").read_text())["faults"])
        assert found[-1]["lost_packets"] > 0
        assert found[-1]["pairs_unserved"] == 0
    # 100 us or 5 ms, 10 us for each of 36 routers, 50 us for each host; then lost packets are sent again: by software
    # within 1 ms, by the card (answers and barrier signals) after twice the time so far at most.
    for times, detect in zip(found, (0.1e6, 5e6), strict=True):
        mapped = detect + 36 * 10e3 + 36 * 50e3
        assert mapped < times["longest_without_service_ns"] < 2 * mapped + 1.1e6
    left = sanvp(*cut, "-s", "tofu.unreachable=20000", *HALO)
    assert left.status == PROGRAM_FAILED
    told = r"does not answer: it has died, or no way leads to it \(MPI_ERR_OTHER\); called by .*, at 20\."
    assert re.search(told, left.err), left.err


# ---- nodes


@pytest.mark.parametrize(
    ("machine", "at"),
    [
        ("qsnet-64", "400us"),
        ("myrinet-16", "400us"),
        ("tofu-36", "400us"),
        ("macrame-clos-64", "10ms"),
        ("moc-2-1", "5ms"),
        ("gcel-64", "50ms"),
    ],
)
def test_a_rank_whose_node_goes_down_is_named_and_ranks_that_wait_for_it_are_reported(machine, at, tmp_path):
    result = halo(machine, tmp_path, f"{at} node 5 down")
    assert result.status == PROGRAM_FAILED, result.err
    assert f"rank 5 on node 5: its node went down, at {at}" in result.err
    assert "node 5 does not answer" in result.err
    assert "rank 5 on node 5 waits" not in result.err
    assert "PASS" not in result.out
    assert rows(tmp_path / "out")[1]["event"] == "node 5 down"


def test_a_rank_that_has_ended_does_not_die():
    # The others' work is over long before rank 0 has computed what it compares with.
    result = sanvp("run", "qsnet-16", "halo", *faults("100ms node 5 down"), *HALO)
    assert result.status == 0, result.err
    assert "PASS" in result.out


def test_a_run_does_not_wait_for_a_node_that_goes_down_before_it_has_booted():
    result = sanvp("run", "qsnet-16", "halo", *faults("1us node 5 down"), *HALO)
    assert result.status == PROGRAM_FAILED
    assert "rank 5 on node 5: its node went down, at 1us" in result.err
    assert "note: node 5 fails at 1us, before programs begin at 1." in result.err


def test_a_node_without_ranks_may_go_down():
    result = sanvp("run", "qsnet-16", "halo", "--np", 4, *faults("300us node 9 down"), *HALO)
    assert result.status == 0, result.err
    assert "PASS" in result.out


def test_a_node_comes_back_in_traffic_and_not_in_run():
    back = faults("150us node 3 down", "300us node 3 up")
    result = sanvp("run", "qsnet-16", "halo", *back)
    assert result.status == USER_MISTAKE
    assert "does not boot again" in result.err
    assert "`sanvp traffic` supports it" in result.err
    traffic = ("traffic", "qsnet-16", "uniform", "--load", "0.3", "--warmup", "100us", "--packets", "3000")
    found = done(*traffic, *back, "--json", "-").json
    assert found["verdict"] == "packets lost"
    assert found["faults"]["lost_packets"] == found["lost_packets"] > 0
    assert found["faults"]["pairs_unserved"] == 0


# ---- traffic and replay


def test_lost_and_delivered_packets_of_an_exchange_of_all_with_all():
    # Each of 16 nodes sends two packets to each other one; those of node 3, and to it, are lost from the beginning.
    plain = ("traffic", "qsnet-16", "all-to-all", "--bytes", "64", "--json", "-")
    healthy = done(*plain).json
    found = done(*plain, *faults("0ns node 3 down")).json["faults"]
    assert found["sent_packets"] == healthy["packets"]
    assert found["lost_packets"] == healthy["packets"] * 30 / 240
    assert found["delivered_packets"] == healthy["packets"] * 210 / 240
    assert found["pairs_cut"] == found["pairs_unserved"] == 30


@pytest.mark.parametrize("machine", ["qsnet-64", "myrinet-16", "tofu-36", "moc-2-1", "gcel-64"])
def test_both_fidelities_agree_on_faults_by_chance(machine, tmp_path):
    chance = ("-s", "fault.link_mtbf=5ms", "-s", "fault.link_mttr=50us", "-s", "fault.switch_mtbf=5ms")
    command = ("traffic", machine, "uniform", "--load", "0.2", "--packets", "1500", "--warmup", "50us", *chance)
    texts = []
    for fidelity in ("worm", "flit"):
        out = tmp_path / fidelity
        text = done(*command, "--fidelity", fidelity, "--out", out).out
        texts.append(text + (out / "faults.csv").read_text())
    assert texts[0] == texts[1]
    assert int(texts[0].split("faults: ")[1].split()[0]) > 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36", "moc-2-1", "gcel-64"])
def test_a_replay_has_the_same_account_of_faults_to_its_end_in_both_fidelities(machine, seed, tmp_path):
    # The last event may come between the last tail and the credits behind it.
    lines = [f"{100 * i} {i % 8} {(3 * i + 1) % 8} {8 + 40 * (i % 4)}" for i in range(120) if i % 8 != (3 * i + 1) % 8]
    (tmp_path / "packets").write_text("\n".join(lines) + "\n")
    chance = ("-s", "fault.link_mtbf=100us", "-s", "fault.link_mttr=200ns", "--seed", seed)
    command = ("replay", machine, "--traffic", tmp_path / "packets", *chance)
    worm, flit = (left_by(tmp_path / way, *command, "--fidelity", way) for way in ("worm", "flit"))
    assert int(worm["err"].split("faults: ")[1].split()[0]) > 0
    for file in ("out", "err", "faults.csv"):
        assert worm[file] == flit[file]
    for what in ("faults", "sim_time_ns"):
        assert json.loads(worm["json"])[what] == json.loads(flit["json"])[what]


def test_replay_loses_the_packet_that_is_on_the_link_and_delivers_the_next(tmp_path):
    packets = "0 0 1 200\n3000 0 1 100\n5000 0 1 100\n"  # the first takes 1.25 us of the link
    rows_of = replay(tmp_path, "myrinet-8", packets, *faults("1us link 0 down", "4us link 0 up"))
    assert [row.delivered >= 0 for row in rows_of] == [False, False, True]
    assert rows_of[0].injected == 0  # it was under way
    assert rows_of[1].injected < 0  # it never left
    healthy = replay(tmp_path, "myrinet-8", packets)
    assert rows_of[2].latency == healthy[2].latency


def test_a_run_ends_with_its_packets_and_not_with_the_last_event(tmp_path):
    (tmp_path / "packets.txt").write_text("0 0 1 100\n")
    command = ("replay", "myrinet-8", "--traffic", tmp_path / "packets.txt", "--json", tmp_path / "json")
    ends = []
    for events in (["1s link 0 down"], ["1ns link 7 down", "60s link 0 down"], []):
        done(*command, *faults(*events))
        ends.append(json.loads((tmp_path / "json").read_text())["sim_time_ns"])
    assert ends[0] == ends[1] == ends[2] < 1e6


def test_until_ends_a_run_between_two_events(tmp_path):
    result = sanvp(
        "run", "qsnet-16", "halo", *faults("300us link 3 down"), "--until", "310us", "--out", tmp_path, *HALO
    )
    assert result.status == UNTIL_REACHED
    assert [row["until_ns"] for row in rows(tmp_path)] == ["300000", "310000"]


# ---- the same bytes

CHANCE = "-s fault.link_mtbf=2ms -s fault.link_mttr=20us -s fault.node_mtbf=9ms"


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"])
def test_traffic_with_faults_gives_the_same_results_with_every_observer(machine, tmp_path):
    command = f"traffic {machine} uniform --load 0.1 --packets 300 --warmup 5us {CHANCE}"
    expect_the_same(tmp_path, command, more=(("--progress", "on"),))


def test_a_run_with_faults_gives_the_same_results_with_every_observer(tmp_path):
    setting = "-s fault.link_mtbf=20ms -s fault.link_mttr=50us"
    expect_the_same(tmp_path, f"run qsnet-16 halo {setting} -- --cells 64 --exchanges 100")


def test_without_faults_there_is_no_report_of_them(tmp_path):
    result = halo("qsnet-16", tmp_path)
    assert result.status == 0, result.err
    assert "faults" not in result.out + result.err
    assert not (tmp_path / "out" / "faults.csv").exists()
    assert "faults" not in json.loads((tmp_path / "json").read_text())


# ---- how it is said


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("3ms", ["'3ms' is not an event", "write TIME link|switch|node NUMBER down|up"]),
        ("3 link 4 down", ["'3' has no unit"]),
        ("3ms lnk 4 down", ["did you mean 'link'"]),
        ("3ms link 99 down", ["there is no link 99; they go from 0 to 31"]),
        ("3ms switch 8 down", ["there is no switch 8; they go from 0 to 7"]),
        ("3ms node 16 down", ["there is no node 16; they go from 0 to 15"]),
        ("3ms link 4 up", ["link 4 works already at 3ms"]),
    ],
)
@pytest.mark.parametrize("command", [("traffic", "qsnet-16", "uniform"), ("run", "qsnet-16", "halo")])
def test_a_mistake_in_an_event_is_one_message(command, event, words):
    result = sanvp(*command, *faults(event))
    assert result.status == USER_MISTAKE
    assert result.err.startswith("error: --fault: ")
    assert len(result.err.splitlines()) == 1
    for word in words:
        assert word in result.err


def test_a_machine_file_may_say_it_and_options_add_to_it(tmp_path):
    machine = tmp_path / "mine.ini"
    machine.write_text("include = qsnet-16.ini\n[fault]\nevents = 150us link 4 down, 160us link 4 up\n")
    command = ("traffic", machine, "uniform", "--load", "0.1", "--warmup", "100us", "--packets", "500", "--json", "-")
    assert done(*command).json["faults"]["events"] == 2
    assert done(*command, *faults("170us switch 1 down")).json["faults"]["events"] == 3
    result = sanvp(*command, *faults("170us switch 99 down"))
    assert result.status == USER_MISTAKE
    assert "mine.ini:3 and --fault: there is no switch 99" in result.err


def test_describe_lists_the_keys_of_faults():
    keys = {one["key"] for one in done("describe", "qsnet-16", "--json", "-").json["parameters"]}
    chances = {f"fault.{part}_{mean}" for part in ("link", "switch", "node") for mean in ("mtbf", "mttr")}
    assert {"fault.events"} | chances <= keys


def test_check_knows_no_faults_in_time():
    result = sanvp("check", "qsnet-16", "--fault", "3ms link 4 down")
    assert result.status == USER_MISTAKE
    assert "there is no option" in result.err
