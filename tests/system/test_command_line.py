"""The contract of the command line: exit statuses, and messages with place, cause and nearest name."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import termios

import pytest
from program import SANVP, USER_MISTAKE, done, sanvp


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek", "qsnet-64"], "there is no command 'chek'; did you mean 'check'?"),
        (["check"], "the machine is missing"),
        (["check", "qsnet-65"], "there is no machine 'qsnet-65'; did you mean 'qsnet-64'?"),
        (["check", "zzz"], "there is no machine 'zzz'"),
        (["check", "no/such.ini"], "no/such.ini: cannot be read"),
        (["check", "qsnet-64", "more"], "too many arguments: 'more'; see sanvp check --help"),
        (["run", "qsnet-16", "hello", "--np", "8", "256"], "'256'; arguments of the program follow --, as in -- 256"),
        (
            ["run", "hello", "--np", "2"],
            "'hello' is a program, and the machine comes first; such as sanvp run qsnet-16 he",
        ),
        (["run", "hello", "qsnet-16"], "'hello' is a program, and the machine comes first"),
        (["run", SANVP, "qsnet-16"], "is a program, and the machine comes first"),
        (["run", "qsnet-16", "hello", "-n", "2"], "there is no option '-n'; --np N is the number of ranks"),
        (["run", "qsnet-16", "hello", "-np", "2"], "there is no option '-np'; --np N is the number of ranks"),
        (["run", "qsnet-16", "hello", "--ppn", "4"], "there is no option '--ppn'; --map places the ranks"),
        (["run", "qsnet-16", "hello", "--hostfile", "f"], "there is no option '--hostfile'; --map places the ranks"),
        (["check", "qsnet-16", "-n", "2"], "there is no option '-n'; see sanvp check --help"),
        (["run", "qsnet-16", "otf2", "--file", "f"], "'--file'; arguments of the program follow --, as in -- --file"),
        (["run", "qsnet-16", "ping", "--", "--lvel", "mpi"], "ping has no option '--lvel'; did you mean '--level'?"),
        (["run", "qsnet-16", "ping", "--", "--lvel=mpi"], "ping has no option '--lvel'; did you mean '--level'?"),
        (["run", "qsnet-16", "ping", "--", "--zzzzzzz"], "ping has no option '--zzzzzzz'; it has --"),
        (["run", "qsnet-16", "hello", "--job", "ping -- --lvel mpi"], "--job: ping has no option '--lvel'"),
        (["describe", "qsnet-16", "link.rat"], "qsnet-16 has no parameter 'link.rat'; did you mean 'link.rate'?"),
        (["describe", "elite", "bufer"], "elite has no parameter 'bufer'"),
        (["check", "qsnet-64", "--jason", "x"], "there is no option '--jason'; did you mean '--json'?"),
        (["check", "qsnet-64", "--trace", "x"], "there is no option '--trace'"),
        (["check", "qsnet-64", "--js", "x"], "there is no option '--js'"),
        (["check", "qsnet-64", "-s", "link.rat=1MB/s"], "reads 'link.rat'; did you mean 'link.rate'?"),
        (["check", "qsnet-64", "-s", "link.rate"], "'link.rate' assigns nothing"),
        (["check", "qsnet-64", "-s", "link.rate=5"], "-s link.rate: '5' has no unit"),
        (["check", "qsnet-64", "-s", "link.rate=0MB/s"], "-s link.rate"),
        (["check", "qsnet-64", "-s", "link.delay=5MB"], "-s link.delay"),
        (["check", "qsnet-64", "-s", "link.delay=-5ns"], "-s link.delay"),
        (["check", "qsnet-64", "-s", "switch.type=elit"], "there is no switch 'elit'; did you mean 'elite'?"),
        (["check", "qsnet-64", "-s", "switch.choice=frist"], "did you mean 'first'?"),
        (["check", "qsnet-64", "-s", "switch.virtual_channels=17"], "'17' is more than 16"),
        (["check", "qsnet-64", "-s", "switch.buffer=0"], "'0' is less than 1"),
        (["check", "qsnet-64", "-s", "nic.routing=ud_it"], "there is no route selection 'ud_it'"),
        (["check", "qsnet-64", "-s", "topology.failed_links=192"], "there is no link 192; they go from 0 to 191"),
        (
            ["check", "qsnet-64", "-s", "topology.failed_switches=1,x"],
            "-s topology.failed_switches: 'x' is not the number",
        ),
        (
            ["check", "qsnet-64", "-s", "topology.failed_links=5-2"],
            "'5-2' is not the number of a link; write numbers with",
        ),
        (["check", "qsnet-64", "-s", "topology.failed_links=5,,2"], "'' is not the number of a link"),
        (["check", "qsnet-64", "-s", "topology.failed_links=5ns"], "'5ns' is not the number of a link"),
        (
            ["check", "macrame-grid-64", "-s", "topology.hosts_per_switch=1000"],
            "topology: switch y0x0 has 1008 cables, but 32 ports (switch.ports); give it fewer, or explore "
            "-s switch.ports=1008",
        ),
        (["check", "qsnet-64", "-s", "topology.arity=8", "-s", "topology.levels=2"], "-s switch.ports=16"),
        (["check", "qsnet-64", "-s", "link.spine.rate=1MB/s"], "reads 'link.spine.rate'"),
        (["check", "myrinet-8", "-s", "switch.stop=80"], "STOP/GO thresholds 80/40"),
        (["check", "qsnet-64", "--seed", "-1"], "--seed: '-1' is negative"),
        (["check", "qsnet-64", "--seed", "x"], "--seed: 'x'"),
        (["check", "qsnet-64", "--json", "/no/such/file"], "/no/such/file"),
        (["list", "machine"], "did you mean 'machines'?"),
        (["describe", "eliet"], "did you mean 'elite'?"),
        (["describe", "elite", "-s", "switch.buffer=3"], "a part is described with its defaults"),
        (["replay", "qsnet-64"], "'--traffic' is required"),
        (["replay", "qsnet-64", "--traffic", "none.txt"], "none.txt: cannot be read"),
        (["replay", "qsnet-64", "--traffic", "t", "--fidelity", "fluid"], "--fidelity: 'fluid'"),
        (["replay", "qsnet-64", "--traffic", "t", "--until", "10"], "--until: '10' has no unit"),
        (["replay", "qsnet-64", "--traffic", "t", "--progress", "maybe"], "--progress"),
        (["replay", "qsnet-64", "--traffic", "t", "--out", ""], "--out"),
    ],
)
def test_mistakes_are_explained_and_end_with_status_2(tmp_path, arguments, message):
    result = sanvp(*arguments, cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert message in result.err
    assert result.err.startswith("error: ")


def test_check_shows_its_progress_on_a_terminal_and_erases_the_line():
    shown, terminal = pty.openpty()
    subprocess.run([SANVP, "check", "qsnet-16"], stdout=subprocess.DEVNULL, stderr=terminal, check=True, timeout=60)
    os.close(terminal)
    text = os.read(shown, 4096).decode()
    assert "building the machine" in text
    assert text.endswith("\r\033[K")
    assert sanvp("check", "qsnet-16").err == ""


def test_a_switch_may_be_given_more_ports_than_the_real_one_has():
    wide = ("qsnet-64", "-s", "topology.arity=8", "-s", "topology.levels=2", "-s", "switch.ports=16")
    assert done("check", *wide, "--json", "-").json["verdict"] == "deadlock-free"
    ports = [one for one in done("describe", *wide, "--json", "-").json["parameters"] if one["key"] == "switch.ports"]
    assert (ports[0]["value"], ports[0]["default"]) == ("16", "8")


def test_changes_of_a_machine_are_shown_beside_its_summary(tmp_path):
    changed = ("-s", "topology.levels=2", "-s", "topology.arity=2", "-s", "switch.buffer=64")
    for command in ("check", "describe"):
        first = done(command, "qsnet-64", *changed).out.splitlines()[0]
        assert first.endswith(" (changed: topology.arity=2, topology.levels=2)")
        as_json = done(command, "qsnet-64", *changed, "--json", "-").json
        assert as_json["changed"] == ["topology.arity=2", "topology.levels=2"]
        same = done(command, "qsnet-64", "-s", "topology.arity=4", "-s", "topology.failed_links=")
        assert "changed" not in same.out.splitlines()[0]
    text = tmp_path / "t.txt"
    done("check", "qsnet-16", "--write-topology", text)
    own = done("check", "qsnet-64", "--topology", text, "-s", "routing.type=ud").out.splitlines()[0]
    assert own.endswith(f" (changed: --topology {text})")


MACHINE = "[topology]\ntype = fat_tree\n[routing]\ntype = ud\n[switch]\ntype = simple\n[nic]\ntype = plain\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "topology: the machine names no topology"),
        (MACHINE + "nonsense\n", "m.ini:9: 'nonsense' is neither a section nor an assignment"),
        (MACHINE + "slot = 2\n", "m.ini:9: no part of this machine reads 'nic.slot'; did you mean 'nic.slots'?"),
        (MACHINE + "slots = -1\n", "m.ini:9: nic.slots: '-1' is less than 0"),
        (MACHINE + "[link]\nrate = 5furlong\n", "m.ini:10: link.rate: '5furlong'"),
        (MACHINE + "slots = 1\nslots = 2\n", "m.ini:10: 'nic.slots' is given twice"),
        ("include = gone.ini\n", "m.ini:1: gone.ini: cannot be read"),
        ("include = m.ini\n", "m.ini:1: a file includes itself"),
        (
            MACHINE.replace("fat_tree", "fat_three"),
            "m.ini:2: there is no topology 'fat_three'; did you mean 'fat_tree'?",
        ),
    ],
)
def test_a_machine_file_is_refused_at_its_line(tmp_path, text, message):
    (tmp_path / "m.ini").write_text(text)
    result = sanvp("check", "m.ini", cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert message in result.err


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--topology", "switches 1\nports 2\nhost 0 0 0\nhost 0 0 1\n", "net.txt:4"),
        ("--topology", "switches two\n", "net.txt:1"),
        ("--topology", "switches 1\nports 2\nhost 0 0 0\n", "fewer than two hosts"),
        ("--routes", "route 0 1 0 99\n", "net.txt:1"),
        ("--routes", "rute 0 1 0 1\n", "net.txt:1"),
    ],
)
def test_a_network_file_is_refused_at_its_line(tmp_path, option, text, message):
    (tmp_path / "net.txt").write_text(text)
    result = sanvp("check", "myrinet-8", option, "net.txt", cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert message in result.err


def test_a_traffic_file_is_refused_at_its_line(tmp_path):
    (tmp_path / "t").write_text("0 0 1 4\n0 0 64 4\n")
    result = sanvp("replay", "qsnet-64", "--traffic", "t", cwd=tmp_path)
    assert result.status == USER_MISTAKE
    assert "t:2: " in result.err


def test_nothing_but_help_without_a_command():
    assert sanvp().status == USER_MISTAKE
    assert "usage: sanvp COMMAND" in sanvp().out


@pytest.mark.parametrize("command", ["list", "describe", "check", "run", "traffic", "replay"])
def test_every_command_has_help(command):
    for arguments in ([command, "--help"], ["help", command], [command, "-h"]):
        result = done(*arguments)
        assert f"usage: sanvp {command}" in result.out
        assert "--json" in result.out
    assert command in done("--help").out


def test_the_version_is_printed():
    assert "sanvp 0." in done("--version").out


@pytest.mark.parametrize("arguments", [["list"], ["describe", "qsnet-16"], ["describe", "elite"], ["check", "moc-2-1"]])
def test_json_goes_to_a_file_beside_the_text_or_alone_to_standard_output(tmp_path, arguments):
    beside = done(*arguments, "--json", "out.json", cwd=tmp_path)
    alone = done(*arguments, "--json", "-")
    assert json.loads((tmp_path / "out.json").read_text()) == alone.json
    assert not beside.out.startswith("{")
    assert alone.err == ""


def test_a_setting_shows_where_it_came_from():
    parameters = done("describe", "qsnet-16", "-s", "switch.buffer=7", "--json", "-").json["parameters"]
    (buffer,) = (p for p in parameters if p["key"] == "switch.buffer")
    assert (buffer["value"], buffer["default"], buffer["place"]) == ("7", "128", "-s switch.buffer")
    (levels,) = (p for p in parameters if p["key"] == "topology.levels")
    assert levels["place"].endswith("qsnet-16.ini:7")


def test_what_a_link_class_inherits_shows_where_it_came_from():
    parameters = {p["key"]: p for p in done("describe", "qsnet-16", "--json", "-").json["parameters"]}
    assert parameters["link.cable.rate"]["value"] == "400MB/s"
    assert parameters["link.cable.rate"]["place"] == parameters["link.rate"]["place"]
    assert "base/qsnet.ini:" in parameters["link.cable.rate"]["place"]
    assert parameters["link.cable.tail_time"]["place"] == "default"


def test_describe_names_the_rate_that_loads_are_fractions_of():
    assert (
        "loads are fractions of 20MB/s, the rate of a host's link into the network" in done("describe", "gcel-64").out
    )
    assert done("describe", "gcel-64", "--json", "-").json["load_unit_MBps"] == 20


def test_another_type_leaves_no_unread_keys_of_the_old_one():
    out = done(
        "check", "qsnet-64", "-s", "topology.type=grid", "-s", "routing.type=dimension_order", "-s", "switch.ports=24"
    ).out
    assert "verdict: deadlock-free" in out


def test_the_program_works_from_any_folder(tmp_path):
    here, there = (done("check", "moc-2-1", cwd=folder).out for folder in (tmp_path, "/"))
    assert here == there
    assert "verdict: deadlock-free" in here


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["qsnet-16", "link.rate"], ["link.rate"]),
        (["qsnet-16", "link.host"], ["link.host.delay", "link.host.rate"]),
        (["qsnet-16", "mpi.barrier"], ["mpi.barrier"]),
    ],
)
def test_one_parameter_of_a_machine_is_described_and_those_of_a_section(arguments: list[str], keys: list[str]) -> None:
    told = done("describe", *arguments, "--json", "-")
    found = [one["key"] for one in json.loads(told.out)["parameters"]]
    assert [key for key in keys if key not in found] == []
    assert all(key.startswith(arguments[1]) for key in found)
    text = done("describe", *arguments).out
    assert [line.split(" = ")[0].strip() for line in text.splitlines() if " = " in line[:60]][: len(found)] == found


def test_a_parameter_is_described_with_the_value_of_a_setting() -> None:
    told = done("describe", "qsnet-16", "link.rate", "-s", "link.rate=5MB/s").out
    assert told.startswith("  link.rate = 5MB/s\n")
    assert "link.delay" not in told


@pytest.mark.parametrize(("name", "own"), [("hot-spot", "hot_spot"), ("multiple-hot-spots", "multiple_hot_spots")])
def test_apps_and_patterns_are_known_with_either_sign_between_words(name: str, own: str) -> None:
    app = sanvp("run", "qsnet-16", name, "--np", 4, "--until", "1us", "--json", "-")
    assert app.json["jobs"][0]["app"] == own
    pattern = done("traffic", "qsnet-16", own, "--load", 0.1, "--packets", 50)
    assert pattern.out == done("traffic", "qsnet-16", name, "--load", 0.1, "--packets", 50).out


@pytest.mark.parametrize("command", [["list"], ["list", "apps"], ["describe", "qsnet-16"], ["describe", "cg"]])
def test_lists_fit_the_terminal_and_a_pipe_gets_them_unbroken(command: list[str]) -> None:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 72, 0, 0))
    process = subprocess.Popen([SANVP, *command], stdout=follower, env={**os.environ, "TERM": "dumb"})
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError):  # EIO: the program has closed the terminal
        while piece := os.read(leader, 1 << 16):
            shown += piece
    os.close(leader)
    assert process.wait() == 0
    lines = shown.decode().replace("\r\n", "\n").splitlines()
    plain = done(*command).out
    longest_word = max(map(len, plain.split()))
    assert max(map(len, lines)) <= max(72, longest_word + 36)
    assert " ".join(" ".join(lines).split()) == " ".join(plain.split())
    assert max(map(len, plain.splitlines())) > 72
