"""`import sanvp`: the commands from Python, their results as pandas data, their errors as exceptions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from program import PROJECT, SANVP
from program import done as done_in_shell

sys.path.insert(0, str(PROJECT / "python"))

import sanvp
from sanvp.words import REPEATED, option_words

PACKAGES = str(PROJECT / "python")


@pytest.fixture(autouse=True)
def _the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANVP", str(Path(SANVP).resolve()))


def python(code: str, folder: Path, **environment: str) -> str:
    """What a Python program prints that runs in a folder."""
    found = {**os.environ, "PYTHONPATH": PACKAGES, **environment}
    run = subprocess.run(
        [sys.executable, "-B", "-c", code], capture_output=True, text=True, cwd=folder, env=found, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_a_run_gives_what_the_command_line_gives() -> None:
    run = sanvp.run("qsnet-16", "alltoall", "--most", "4K", np=2, settings={"host.pci.clock": 66.66})
    options = ("--np", 2, "-s", "host.pci.clock=66.66", "--json", "-", "--", "--most", "4K")
    told = done_in_shell("run", "qsnet-16", "alltoall", *options)
    same = ("time_us", "slowest_us", "sim_time_ns")
    assert [run[name] for name in same] == [told.json[name] for name in same]
    assert run.units == {"time_us": "us", "slowest_us": "us"}
    assert run.jobs.loc[0, "time_us"] == run["jobs"][0]["metrics"]["time_us"]["value"]
    assert list(run.ranks["rank"]) == [0, 1]
    assert run.ranks["ended_ns"].max() == pytest.approx(run["sim_time_ns"])
    assert run.parameters.loc["host.pci.clock", "place"].startswith("-s")
    assert "PASS" in run.output


def test_several_jobs_are_rows() -> None:
    both = sanvp.run("qsnet-16", "ping", np=2, jobs=["allreduce --map 4-7"])
    assert list(both.jobs["app"]) == ["ping", "allreduce"]
    assert list(both.jobs["ranks"]) == [2, 4]
    assert both.ranks.groupby("job").size().tolist() == [2, 4]


def test_a_sweep_of_traffic_is_a_table_of_loads() -> None:
    sweep = sanvp.traffic("qsnet-16", "uniform", load="0.1:0.3:0.1", packets=400, seed=3)
    assert list(sweep.loads["load"]) == pytest.approx([0.1, 0.2, 0.3])
    assert sweep.loads["accepted_MBps"].iloc[-1] == pytest.approx(sweep["accepted_MBps"])
    assert sweep.loads["latency_mean_ns"].is_monotonic_increasing
    assert sweep.histogram["count"].sum() == sweep["packets"]
    assert len(sweep.nodes) == 16
    assert len(sweep.links) == 64  # both directions of 16 cables to hosts and 16 between switches
    assert sweep.manifest["seed"] == 3
    one = sanvp.traffic("qsnet-16", "hot-spot", load=0.1, packets=400, share=0.5)
    assert one.nodes["received_MBps"].idxmax() == 0  # the pattern's own option: half of all goes to node 0


def test_a_list_of_loads_is_a_sweep() -> None:
    sweep = sanvp.traffic("qsnet-16", "uniform", load=[0.1, 0.2, 0.3], packets=200)
    assert list(sweep.loads["load"]) == [0.1, 0.2, 0.3]
    assert option_words({"load": [0.1, 0.2, 0.3]}) == ["--load", "0.1:0.3:0.1"]
    assert option_words({"load": (0.1 + 0.2,)}) == ["--load", "0.30000000000000004"]


def test_a_list_repeats_each_option_that_the_program_takes_several_times() -> None:
    commands = ("check", "network", "replay", "run", "traffic")
    helps = "".join(done_in_shell(command, "--help").out for command in commands)
    entries = re.split(r"\n +(?:-s \[ )?--(?=[a-z])", helps)[1:]
    repeated = {re.split(r"[ \n]", entry)[0] for entry in entries if "repeat for more" in " ".join(entry.split())}
    assert set(REPEATED) == repeated
    lines = option_words({"log": ["node_3.nic=info", "node_4.nic=info"]})
    assert lines == ["--log", "node_3.nic=info", "--log", "node_4.nic=info"]
    faults = ["1us link 20 down", "3us link 20 up"]
    cut = sanvp.traffic("qsnet-16", "uniform", load=0.1, packets=200, fault=faults)
    assert list(cut.faults["event"])[1:] == ["link 20 down", "link 20 up"]
    assert sanvp.traffic("qsnet-16", "uniform", load=0.1, packets=200, faults=faults[0])["faults.events"] == 1


def test_nodes_and_seeds_may_be_lists() -> None:
    assert list(sanvp.run("qsnet-16", "ping", np=2, map=[0, 5]).ranks["node"]) == [0, 5]
    assert option_words({"seeds": range(1, 9)}) == ["--seeds", "1:8"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"packets": [1, 2]}, r"packets: \[1, 2\] is not understood: the option takes one value"),
        ({"load": [0.1, 0.2, 0.5]}, r"load: .* rising fractions at equal steps"),
        ({"load": [0.2, 0.1]}, r"load: .* rising fractions at equal steps"),
        ({"load": []}, r"load: \[\] is not understood"),
        ({"load": {0.1: 0.2}}, r"load: \{0.1: 0.2\} is not understood"),
        ({"seeds": [1, 3]}, r"seeds: .* such as range\(1, 9\)"),
        ({"settings": ["a=b"]}, r"settings: .* give parameters by name"),
        ({"settings": {"switch.buffer": [1, 2]}}, r"switch.buffer: \[1, 2\] is not understood"),
    ],
)
def test_a_value_that_no_option_takes_is_an_error_that_names_the_parameter(given: dict, message: str) -> None:
    with pytest.raises(sanvp.UserMistakeError, match=message) as told:
        sanvp.traffic("qsnet-16", "uniform", **given)
    assert told.value.status == 2


def test_each_documented_table_has_a_name_of_its_own() -> None:
    pages = ("docs/result-folder.md", "docs/branches.md", "docs/goal.md", "platform/traffic/README.md")
    documented = {name for page in pages for name in re.findall(r"`([a-z_]+)\.csv`", (PROJECT / page).read_text())}
    kinds = (sanvp.RunResult, sanvp.TrafficResult, sanvp.ReplayResult)
    assert [name for name in sorted(documented) if not any(hasattr(kind, name) for kind in kinds)] == []
    given = {"load": 0.1, "packets": 200, "settings": {"traffic.series": "10us"}}
    found = sanvp.traffic("qsnet-16", "uniform", probe_interval="1us", spy="host 0->level 0 switch 0.0", **given)
    for name in found.tables:
        assert getattr(found, name).equals(found.table(name))
    assert found.latency.equals(found.loads)


def test_a_network_has_tables_of_its_parts() -> None:
    network = sanvp.network("qsnet-16", route=[(0, 1), (0, 15)])
    assert (len(network.hosts), len(network.switches)) == (16, 8)
    assert len(network.links) == 32  # 16 to hosts, 16 between the two levels of switches
    assert network.channels.loc[0, "name"].startswith("host 0->")
    hops = network.routes.groupby("destination")["path"].agg(lambda paths: {len(path) for path in paths})
    assert hops.to_dict() == {1: {2}, 15: {4}}  # over the switch that both share; up to the top and down
    assert len(sanvp.network("qsnet-16", route=(0, 1)).routes) == (network.routes["destination"] == 1).sum()


def test_a_listing_names_machines() -> None:
    machines = sanvp.listing("machines").names
    assert "qsnet-16" in machines.index
    assert set(machines["kind"]) == {"machine"}
    with pytest.raises(sanvp.UserMistakeError, match="did you mean 'machines'"):
        sanvp.listing("machins")


def test_packets_are_replayed_from_rows_and_from_a_file(tmp_path: Path) -> None:
    rows = [(0, 0, 5, 64), (100, 3, 5, 64)]
    (tmp_path / "packets.txt").write_text("0 0 5 64\n100 3 5 64\n")
    by_rows = sanvp.replay("qsnet-16", rows).deliveries
    by_file = sanvp.replay("qsnet-16", "packets.txt", folder=tmp_path).deliveries
    assert by_rows.equals(by_file)
    assert list(by_rows["dst"]) == [5, 5]
    assert (by_rows["delivered_ns"] > by_rows["gen_ns"]).all()


def test_check_and_describe_give_tables() -> None:
    checked = sanvp.check("qsnet-16")
    assert checked.is_deadlock_free
    assert checked.distances.sum() == 16 * 15
    assert (checked.links["class"] == "host").sum() == 16
    parameters = sanvp.describe("qsnet-16", settings={"host.pci.clock": 66.66}).parameters
    assert parameters.loc["host.pci.clock", "place"].startswith("-s")
    assert "iterations" in sanvp.describe("cg").options.index
    assert "66.66" in parameters.loc["host.pci.clock", "value"]


def test_a_possible_deadlock_is_a_verdict_of_check_and_an_error_of_replay(tmp_path: Path) -> None:
    links = "".join(f"link {i} 1 {(i + 1) % 4} 2\n" for i in range(4))  # a ring, and routes clockwise all round
    hosts = "".join(f"host {i} {i} 0\n" for i in range(4))
    (tmp_path / "net.txt").write_text(f"switches 4\nports 4\n{hosts}{links}")
    (tmp_path / "routes.txt").write_text("".join(f"route {i} {(i + 2) % 4} 0 1 1 0\n" for i in range(4)))
    files = {"topology": "net.txt", "routes": "routes.txt", "folder": tmp_path}
    checked = sanvp.check("myrinet-8", **files)
    assert (checked.is_deadlock_free, checked.verdict, len(checked["cycle"])) == (False, "deadlock", 4)
    with pytest.raises(sanvp.DeadlockError, match="switch 0 port 1 -> switch 1 port 2") as told:
        sanvp.replay("myrinet-8", [(0, i, (i + 2) % 4, 1000) for i in range(4)], **files)
    assert told.value.status == 3


def test_a_mistake_is_an_error_with_the_programs_message() -> None:
    with pytest.raises(sanvp.UserMistakeError) as told:
        sanvp.run("qsnet-16", "ping", np=2, settings={"hots.pci.clock": 1})
    assert told.value.status == 2
    assert told.value.message.endswith("did you mean 'host.pci.clock'?")
    assert "error:" not in str(told.value)
    with pytest.raises(sanvp.UserMistakeError, match="no option '--nonsense'"):
        sanvp.run("qsnet-16", "ping", np=2, nonsense=3)


def test_a_program_that_fails_is_an_error_and_one_that_is_cut_short_a_result(tmp_path: Path) -> None:
    (tmp_path / "three.c").write_text("int main(void) { return 3; }\n")
    compiler = Path(SANVP).resolve().with_name("sanvp-cc")
    subprocess.run([compiler, "three.c", "-o", "three"], cwd=tmp_path, check=True)
    with pytest.raises(sanvp.HostProgramError, match="exited with status 3") as told:
        sanvp.run("qsnet-16", "./three", np=1, folder=tmp_path)
    assert (told.value.status, told.value.json["status"]) == (4, "failed")
    cut = sanvp.run("qsnet-16", "ping", np=2, until="10us")
    assert (cut.status, cut["sim_time_ns"]) == ("until reached", 10000)


def test_an_unknown_name_in_a_result_is_an_error_that_lists_what_there_is() -> None:
    ping = sanvp.run("qsnet-16", "ping", np=2)
    with pytest.raises(KeyError, match="latency_us"):
        ping["latency_ns"]
    with pytest.raises(KeyError, match="congestion, ranks, stats"):
        ping.table("nodes")


def test_results_stay_in_a_folder_if_one_is_named(tmp_path: Path) -> None:
    sanvp.run("qsnet-16", "ping", np=2, out="kept", folder=tmp_path)
    assert (tmp_path / "kept" / "manifest.json").is_file()


def test_pandas_is_loaded_when_a_table_is_asked_for(tmp_path: Path) -> None:
    code = "import sanvp, sys; r = sanvp.run('qsnet-16', 'ping', np=2); before = 'pandas' in sys.modules; r.ranks; "
    assert python(code + "print(before, 'pandas' in sys.modules)", tmp_path) == "False True"


def test_the_program_is_found_by_name_beside_the_package_and_on_the_path(tmp_path: Path) -> None:
    find = "import sanvp.program; print(sanvp.program.find())"
    assert python(find, tmp_path, SANVP="/somewhere/sanvp") == "/somewhere/sanvp"
    for place in ("prefix/bin", "other"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "sanvp").symlink_to("/bin/true")
    copied = tmp_path / "elsewhere"
    for target in (tmp_path / "prefix" / "share" / "python", copied):
        target.mkdir(parents=True)
        subprocess.run(["cp", "-r", PROJECT / "python" / "sanvp", target], check=True)
    by_path = {"SANVP": "", "PATH": f"{tmp_path / 'other'}:{os.environ['PATH']}"}
    beside = python(find, tmp_path, PYTHONPATH=str(tmp_path / "prefix" / "share" / "python"), **by_path)
    assert beside == str(tmp_path / "prefix" / "bin" / "sanvp")
    assert python(find, tmp_path, PYTHONPATH=str(copied), **by_path) == str(tmp_path / "other" / "sanvp")


@pytest.mark.long
def test_pip_installs_the_package(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"], check=True)
    interpreter = tmp_path / "venv" / "bin" / "python"
    options = ["--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps"]
    source = tmp_path / "python"  # pip builds in the folder that it is given
    shutil.copytree(PROJECT / "python", source)
    subprocess.run([interpreter, "-m", "pip", "install", *options, source], check=True)
    code = "import sanvp, sanvp.studies.api; print(sanvp.__file__, sanvp.run('qsnet-16', 'ping', np=2).status)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run([interpreter, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert "site-packages/sanvp/__init__.py done" in run.stdout
    command = subprocess.run([tmp_path / "venv" / "bin" / "sanvp-study", "--help"], capture_output=True, check=True)
    assert b"compare" in command.stdout


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANVP", "/nowhere/sanvp")
    with pytest.raises(sanvp.ProgramNotFoundError, match="/nowhere/sanvp"):
        sanvp.check("qsnet-16")
