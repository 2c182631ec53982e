"""`sanvp traffic` on whole machines: every pattern, results, options, mistakes."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
from pathlib import Path

import pytest

SANVP = os.environ["SANVP"]
TABLES = ("latency", "histogram", "congestion", "links", "nodes", "stats")


def sanvp(*arguments: str) -> subprocess.CompletedProcess:
    """Runs the program."""
    return subprocess.run([SANVP, *arguments], capture_output=True, text=True, timeout=300, check=False)


def traffic(*arguments: str) -> dict:
    """The metrics of a run that succeeds."""
    done = sanvp("traffic", *arguments, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def patterns() -> list[str]:
    """All patterns there are; programs of traces have results of their own."""
    listed = json.loads(sanvp("list", "patterns", "--json", "-").stdout)["patterns"]
    return [entry["name"] for entry in listed if entry["kind"] == "pattern"]


def test_the_patterns_of_the_papers_are_there() -> None:
    expected = (
        "uniform bit-reversal butterfly complement transpose shuffle neighbor hot-spot multiple-hot-spots pairs "
        "all-to-all equal-dist unequal-dist gossip descriptors"
    )
    assert set(expected.split()) <= set(patterns())


@pytest.mark.parametrize("pattern", patterns())
def test_every_pattern_runs(pattern: str, tmp_path: Path) -> None:
    files = {
        "descriptors": "0 1 320 5us\n1 0 64 2us # back\n",
        "matrix": "0 1 2\n0 2 1\n3 1 1\n",
        "mix": "a uniform all 10MB/s 64B\nb pairs 0-3 1MB/s 320B\n",
        "flows": "".join(f"{5 * n}us {n % 16} {(n + 1) % 16} 320\n" for n in range(500)),
    }
    options = []
    if pattern in files:
        (tmp_path / "list.txt").write_text(files[pattern])
        options = ["--file", str(tmp_path / "list.txt")]
    if pattern == "incast":
        options = ["--rounds", "40"]
    if pattern == "next-group":
        options = ["--group", "4"]  # a fat tree has no groups of its own
    metrics = traffic("qsnet-16", pattern, "--load", "0.05", "--packets", "500", *options)
    assert metrics["packets"] >= 500
    assert metrics["undelivered_messages"] == 0
    assert metrics["lost_packets"] == 0
    assert metrics["latency_ns"]["mean"] > 0


@pytest.mark.parametrize("pattern", patterns())
def test_every_pattern_is_described(pattern: str) -> None:
    described = sanvp("describe", pattern)
    assert described.returncode == 0
    assert described.stdout.startswith(pattern)


def test_at_low_load_all_is_accepted_at_the_rate_asked_for() -> None:
    metrics = traffic("qsnet-16", "uniform", "--load", "50MB/s", "--packets", "20000")
    assert metrics["offered_per_node_MBps"] == pytest.approx(50, rel=0.03)
    assert metrics["accepted_per_node_MBps"] == pytest.approx(50, rel=0.03)
    assert metrics["verdict"] == "not saturated"


def test_a_run_leaves_its_tables_and_equal_seeds_leave_equal_ones(tmp_path: Path) -> None:
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        traffic("qsnet-16", "uniform", "--packets", "2000", "--seed", seed, "--out", str(tmp_path / folder))
    for name in TABLES:
        first = (tmp_path / "a" / f"{name}.csv").read_bytes()
        assert first == (tmp_path / "b" / f"{name}.csv").read_bytes(), name
    assert (tmp_path / "a" / "latency.csv").read_bytes() != (tmp_path / "c" / "latency.csv").read_bytes()
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert manifest["status"] == "done"
    assert manifest["parameters"]["traffic.packets"]["value"] == "2000"
    with (tmp_path / "a" / "congestion.csv").open() as file:
        rows = list(csv.DictReader(file))
    # A 4-ary 2-tree: 16 links into switches from hosts, 16 up and 16 down.
    assert len(rows) == 48
    assert {"level", "from", "to", "wait_ns_total"} <= rows[0].keys()


def test_delays_add_up_along_the_path(tmp_path: Path) -> None:
    traffic("qsnet-16", "complement", "--load", "0.001", "--packets", "200", "--out", str(tmp_path))
    with (tmp_path / "congestion.csv").open() as file:
        links = [row for row in csv.DictReader(file) if int(row["headers"]) > 0]
    up, top, down = (
        {float(row["delay_ns_total"]) / int(row["headers"]) for row in links if row["level"] == level and here(row)}
        for level, here in (
            ("1", lambda row: row["from"].startswith("host")),
            ("2", lambda row: True),
            ("1", lambda row: not row["from"].startswith("host")),
        )
    )
    hop = 5 + 10 + 35  # ns: a flit, the cable, the Elite's flow-through
    assert (up, top, down) == ({hop}, {2 * hop}, {3 * hop})


def test_both_fidelities_measure_the_same_where_no_virtual_channels_interleave() -> None:
    worm, flit = (
        traffic("myrinet-8", "uniform", "--load", "0.2", "--packets", "1000", "--fidelity", fidelity)
        for fidelity in ("worm", "flit")
    )
    for name in ("latency_ns", "network_latency_ns", "accepted_MBps", "sim_time_ns"):
        assert worm[name] == flit[name]


def test_saturation_lies_between_an_accepted_and_a_refused_load(tmp_path: Path) -> None:
    metrics = traffic(
        "qsnet-16", "uniform", "--saturation", "--resolution", "0.05", "--packets", "5000", "--out", str(tmp_path)
    )
    found = metrics["saturation"]
    assert found["found"]
    assert 0 < found["least_refused_load"] - found["load"] <= 0.05
    assert metrics["accepted_MBps"] >= 0.98 * metrics["offered_MBps"]
    with (tmp_path / "latency.csv").open() as file:
        verdicts = {row["load"]: row["verdict"] for row in csv.DictReader(file)}
    assert verdicts["1"] == "saturated"
    assert len(verdicts) == len(metrics["runs"])


def test_a_load_with_saturation_gets_a_note_that_it_does_nothing() -> None:
    search = ("traffic", "qsnet-16", "uniform", "--saturation", "--resolution", "0.2", "--packets", "500")
    assert "note: --load does nothing with --saturation" in sanvp(*search, "--load", "0.1").stderr
    assert "note" not in sanvp(*search).stderr


def test_pairs_without_a_route_after_a_cable_cut_are_reported_before_the_run() -> None:
    # The cable of host 0: it neither reaches the 63 others nor they it.
    cut = sanvp("traffic", "qsnet-64", "uniform", "--packets", "500", "-s", "topology.failed_links=0")
    assert cut.returncode == 0
    assert f"warning: {2 * 63} of {64 * 63} pairs of hosts are not served" in cut.stderr
    whole = sanvp("traffic", "qsnet-64", "uniform", "--packets", "500")
    assert "warning" not in whole.stderr


def test_a_sweep_has_a_row_for_each_load() -> None:
    metrics = traffic("qsnet-16", "uniform", "--load", "0.1:0.3:0.1", "--packets", "500")
    assert [run["load"] for run in metrics["runs"]] == ["0.1", "0.2", "0.3"]


def test_a_load_may_change_during_the_run(tmp_path: Path) -> None:
    load = ("--load", "100MB/s,200MB/s@200us,50MB/s@400us", "--packets", "4000", "-s", "traffic.series=100us")
    metrics = traffic("qsnet-16", "neighbor", "--arrivals", "constant", *load, "--out", str(tmp_path))
    assert metrics["warm_up_ns"] == 0
    with (tmp_path / "series.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["from_ns"]) for row in rows[:5]] == [0, 100_000, 200_000, 300_000, 400_000]
    # 16 nodes; a node's messages of an interval are whole, so up to one more or less.
    message = 16 * 320 / 100
    expected = (16 * 100, 16 * 100, 16 * 200, 16 * 200, 16 * 50)
    for row, rate in zip(rows, expected, strict=False):
        assert float(row["offered_MBps"]) == pytest.approx(rate, abs=message)


def test_a_trace_is_json_with_arrows(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    traffic("qsnet-16", "neighbor", "--packets", "100", "--trace", str(file))
    trace = json.loads(file.read_text())
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    assert {"X", "s", "f"} <= {event["ph"] for event in events}


def test_what_was_not_measured_is_null_empty_or_a_dash(tmp_path: Path) -> None:
    # It ends in its warm-up.
    options = ("--until", "1us", "--json", str(tmp_path / "j"), "--out", str(tmp_path))
    done = sanvp("traffic", "qsnet-16", "uniform", *options)
    assert done.returncode == 5
    metrics = json.loads((tmp_path / "j").read_text())
    assert metrics["latency_ns"]["mean"] is None
    assert metrics["itbs_per_packet"] is None
    with (tmp_path / "latency.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["latency_mean_ns"], row["latency_max_ns"], row["packets"]) == ("", "", "0")
    assert done.stdout.splitlines()[1].split()[3:7] == ["-", "-", "-", "-"]


def test_a_histogram_is_in_nanoseconds(tmp_path: Path) -> None:
    metrics = traffic("qsnet-16", "uniform", "--packets", "500", "--out", str(tmp_path))
    with (tmp_path / "histogram.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["from_ns"]) <= metrics["latency_ns"]["max"] <= float(rows[-1]["to_ns"])
    assert sum(int(row["count"]) for row in rows) == metrics["messages"]


def test_probes_are_no_part_of_the_load(tmp_path: Path) -> None:
    # One a microsecond: ten times the rest of what node 0 sends.
    probes = ("--probe-interval", "1us", "--out", str(tmp_path))
    with_probes, without = (
        traffic("qsnet-16", "uniform", "--load", "20MB/s", "--packets", "2000", *more) for more in (probes, ())
    )
    assert with_probes["offered_MBps"] == pytest.approx(without["offered_MBps"], rel=0.05)
    assert with_probes["accepted_MBps"] <= 1.02 * with_probes["offered_MBps"]
    assert (tmp_path / "probes.csv").exists()


def test_until_ends_a_run_with_its_own_status(tmp_path: Path) -> None:
    done = sanvp("traffic", "qsnet-16", "uniform", "--packets", "1M", "--until", "200us", "--out", str(tmp_path))
    assert done.returncode == 5
    assert json.loads((tmp_path / "manifest.json").read_text())["status"] == "until reached"
    assert (tmp_path / "latency.csv").exists()


EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "own-machine"
DEADLOCKING = (str(EXAMPLES / "ring.ini"), "uniform", "-s", f"routing.file={EXAMPLES / 'clockwise.txt'}")


def test_a_network_that_can_deadlock_is_refused_before_time_0(tmp_path: Path) -> None:
    done = sanvp("traffic", *DEADLOCKING, "--out", str(tmp_path / "run"), "--json", "-")
    assert done.returncode == 3
    assert "error: deadlock: channels can wait for each other in a cycle:\n  switch " in done.stderr
    assert json.loads(done.stdout)["verdict"] == "deadlock"
    assert not (tmp_path / "run").exists()


def test_by_force_it_runs_until_the_watchdog_stops_it(tmp_path: Path) -> None:
    long_packets = ("--bytes", "1000", "--load", "0.9", "--force")
    done = sanvp("traffic", *DEADLOCKING, *long_packets, "--out", str(tmp_path))
    assert done.returncode == 3
    assert "warning: channels can wait for each other in a cycle:\n" in done.stderr
    assert "error: deadlock: packets can never move again:\n  packet " in done.stderr
    assert json.loads((tmp_path / "manifest.json").read_text())["status"] == "deadlock"


def test_the_proof_of_the_largest_machines_takes_about_a_second() -> None:
    started = time.monotonic()
    traffic("qsnet-1024", "uniform", "--load", "0.01", "--packets", "1", "--warmup", "0ns")
    assert time.monotonic() - started < 10  # 0.7 s alone on its machine


def test_a_failure_in_the_run_is_recorded_in_the_manifest(tmp_path: Path) -> None:
    for option, value, message in (("--spy", "nowhere", "no channel 'nowhere'"), ("--trace", "/no/f", "/no/f")):
        done = sanvp("traffic", "qsnet-16", "uniform", option, value, "--out", str(tmp_path))
        assert done.returncode == 2
        manifest = json.loads((tmp_path / "manifest.json").read_text())
        assert manifest["status"] == "failed"
        assert message in manifest["message"]


def test_an_empty_trace_window_gets_a_warning(tmp_path: Path) -> None:
    options = ("--packets", "100", "--trace", str(tmp_path / "t.json"))
    done = sanvp("traffic", "qsnet-16", "uniform", *options, "--trace-from", "1s")
    assert done.returncode == 0
    assert "t.json is empty: nothing passed from 1s to the end; the run ended at " in done.stderr
    assert sanvp("traffic", "qsnet-16", "uniform", *options, "--trace-until", "1s").stderr == ""
    done = sanvp("run", "qsnet-16", "hello", *options[2:], "--trace-from", "1s")
    assert done.returncode == 0
    assert "t.json is empty: nothing passed from 1s to the end; the run ended at " in done.stderr


def test_a_trace_window_without_a_file_gets_a_note() -> None:
    done = sanvp("run", "qsnet-16", "hello", "--np", "2", "--trace-from", "1us", "--waits-until", "1ms")
    assert done.returncode == 0
    assert "note: --trace-from does nothing without --trace FILE" in done.stderr
    assert "note: --waits-until does nothing without --out DIR" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qsnet-16", "unifrom"], "uniform"),
        (["qsnet-16", "uniform", "--load", "lots"], "--load"),
        (["qsnet-16", "uniform", "--load", "-1"], "--load"),
        (["qsnet-16", "uniform", "--bytes", "uniform:9:1"], "--bytes"),
        (["qsnet-16", "uniform", "--bytes", "0"], "--bytes"),
        (["qsnet-16", "uniform", "--packets", "0"], "--packets"),
        (["qsnet-16", "uniform", "--packets", "many"], "--packets"),
        (["qsnet-16", "uniform", "--arrivals", "exponental"], "exponential"),
        (["qsnet-16", "uniform", "--warmup", "10"], "--warmup"),
        (["qsnet-16", "uniform", "--target", "3"], "pattern.target"),
        (["qsnet-16", "hot-spot", "--target", "16"], "15"),
        (["qsnet-16", "hot-spot", "--targte", "1"], "--target"),
        (["qsnet-16", "uniform", "-s", "traffic.laod=1"], "traffic.load"),
        (["qsnet-16", "uniform", "-s", "pattern.x=1"], "pattern.x"),
        (["qsnet-16", "uniform", "--spy", "nowhere"], "nowhere"),
        (["myrinet-8", "uniform", "--spy", "sw 1.7->host3"], "the nearest name is 'switch 0.3->host 3'"),
        (["qsnet-16", "uniform", "--trace-from", "2us", "--trace-until", "1us"], "--trace-until"),
        (["qsnet-16", "all-to-all", "--saturation"], "steady"),
        (["qsnet-16", "all-to-all", "--load", "0.1,0.2@1ms"], "--load"),
        (["qsnet-16", "uniform", "--load", "0.1,0.2@1ms", "--saturation"], "--load"),
        (["qsnet-16", "uniform", "--load", "0.1,0.2"], "LOAD@TIME"),
        (["qsnet-16", "descriptors"], "--file"),
        (["qsnet-16", "descriptors", "--file", "/dev/null/x"], "/dev/null/x"),
        (["tofu-36", "shuffle"], "power of two"),
    ],
)
def test_mistakes_end_with_status_2_and_a_message(arguments: list[str], message: str) -> None:
    done = sanvp("traffic", *arguments, "--progress", "off")
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("machine", [["qsnet-16", "-s", "switch.virtual_channels=1"], ["myrinet-16"]])
def test_packets_are_blocked_for_as_long_in_both_fidelities_traced_or_not(machine: list[str], tmp_path: Path) -> None:
    def blocking(name: str, *options: str) -> dict[str, float]:
        out = tmp_path / name
        rest = ("uniform", "--load", "0.3", "--packets", "3000", "--out", str(out), *options)
        traffic(machine[0], *rest, *machine[1:])
        with (out / "stats.csv").open() as file:
            return {row["name"]: float(row["value"]) for row in csv.DictReader(file) if "blocking" in row["name"]}

    worm = blocking("worm")
    assert worm["effective_blocking.mean"] > 0
    # A mean's last digits hang on the order in which packets are summed up.
    assert worm == pytest.approx(blocking("traced", "--trace", str(tmp_path / "trace.json")), rel=1e-12)
    assert worm == pytest.approx(blocking("flit", "--fidelity", "flit"), rel=1e-12)


@pytest.mark.parametrize(
    "line", ["0 0 64 1us", "0 16 64 1us", "0 1 0 1us", "0 1 64", "0 1 64 5", "0 1 64 1us 1", "a b c d", "-1 1 64 1us"]
)
def test_a_bad_descriptor_is_named_by_file_and_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"0 1 64 1us\n{line}\n")
    done = sanvp("traffic", "qsnet-16", "descriptors", "--file", str(file))
    assert done.returncode == 2
    assert f"{file}:2" in done.stderr
