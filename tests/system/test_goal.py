"""`sanvp traffic MACHINE goal` and the app `goal`: programs as traces, on a network, an ideal one, a whole machine."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from program import DEADLOCK, DONE, PROJECT, USER_MISTAKE, done, sanvp

PIPELINE = PROJECT / "examples" / "goal" / "pipeline.goal"
MACHINES = ["qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
COSTS = {"L": 100.0, "o": 50.0, "g": 10.0, "G": 0.0, "O": 0.0, "S": 65535}  # ns, bytes
HOST = "loggops:" + ",".join(f"{value:g}" for value in COSTS.values())
HOST_MISTAKE = "loggops:1,2"
PROGRAM_FAILED = 4


def program(folder: Path, text: str) -> Path:
    path = folder / "program.goal"
    path.write_text(text)
    return path


def ends(folder: Path) -> list[float]:
    """When each rank had ended, in nanoseconds."""
    with (folder / "ranks.csv").open() as rows:
        return [float(row["end_ns"]) for row in csv.DictReader(rows)]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_message_takes_the_packet_s_time_and_the_costs_of_its_ends(tmp_path, machine):
    size = 16  # one packet everywhere
    path = program(tmp_path, f"num_ranks 2\nrank 0 {{ send {size}b to 1 }}\nrank 1 {{ recv {size}b from 0 }}\n")
    done("traffic", machine, "goal", "--file", path, "--map", "0,5", "--host", HOST, "--out", tmp_path / "out")
    alone = done("traffic", machine, "pairs", "--list", "0-5", "--packets", 1, "--bytes", size, "--warmup", "0ns",
                 "--load", "0.001", "--json", "-").json  # fmt: skip
    sender, receiver = ends(tmp_path / "out")
    assert sender == COSTS["o"]
    assert receiver == pytest.approx(COSTS["o"] + alone["latency_ns"]["mean"] + COSTS["L"] + COSTS["o"], abs=0.001)


def test_on_an_ideal_network_the_pipeline_takes_its_closed_form():
    latency, overhead, gap, size, calc = 2500, 1500, 6, 4096, 20000  # LogGOPSim's defaults
    take = overhead + (size - 1) * gap  # what a message costs its receiver
    # A rank takes the first piece, computes on it, takes the second, which has come meanwhile, and sends the first on.
    starts = calc + overhead + latency + take
    for _ in range(2):
        starts += calc + take + overhead + latency + take
    run = done("traffic", "qsnet-16", "goal", "--file", PIPELINE, "--network", "ideal", "--json", "-").json
    assert run["verdict"] == "done"
    assert run["messages"] == 6
    assert run["last_rank"] == 3
    assert run["time_ns"] == starts + calc + take + calc


def test_the_pipeline_ends_at_the_same_time_in_both_fidelities():
    def time(fidelity: str) -> float:
        command = ("traffic", "myrinet-8", "goal", "--file", PIPELINE, "--fidelity", fidelity, "--json", "-")
        return done(*command).json["time_ns"]

    assert time("worm") == time("flit")


def test_twice_the_calcs_and_costs_take_twice_the_time_on_an_ideal_network(tmp_path):
    twice = program(tmp_path, PIPELINE.read_text().replace("calc 20000", "calc 40000"))

    def time(path: Path, host: str) -> float:
        command = ("traffic", "qsnet-16", "goal", "--network", "ideal", "--file", path, "--host", host, "--json", "-")
        return done(*command).json["time_ns"]

    assert time(twice, "loggops:200,100,20,4,2,65535") == 2 * time(PIPELINE, "loggops:100,50,10,2,1,65535")


@pytest.mark.parametrize("machine", MACHINES)
def test_a_program_runs_on_the_whole_machine(machine):
    assert "PASS" in done("run", machine, "goal", "--np", 4, "--", "--file", PIPELINE).out


def test_messages_by_mpi_take_the_work_of_its_calls_as_well():
    words = ("run", "qsnet-16", "goal", "--np", 4, "--json", "-", "--", "--file", PIPELINE)
    transport, mpi = (done(*words, "--by", by).json["time_us"] for by in ("transport", "mpi"))
    assert transport < mpi < 1.1 * transport


@pytest.mark.parametrize("machine", MACHINES)
def test_receives_from_any_rank_with_any_tag_are_played_by_mpi(tmp_path, machine):
    path = program(tmp_path, "num_ranks 3\nrank 0 { recv 8b from -1 tag -1; recv 8b from -1 tag -1 }\n"
                             "rank 1 { send 8b to 0 tag 3 }\nrank 2 { send 8b to 0 tag 4 }\n")  # fmt: skip
    assert "PASS" in done("run", machine, "goal", "--np", 3, "--", "--file", path, "--by", "mpi").out


def test_ranks_of_one_host_exchange_messages_without_the_network(tmp_path):
    path = program(tmp_path, "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 8b from 0 }\n")
    done("traffic", "qsnet-16", "goal", "--file", path, "--map", "3,3", "--host", HOST, "--out", tmp_path / "out")
    receiver = ends(tmp_path / "out")[1]
    assert COSTS["o"] + COSTS["L"] + COSTS["o"] <= receiver < 2 * COSTS["o"] + COSTS["L"] + 1000


def test_a_program_that_hangs_names_what_it_waits_for(tmp_path):
    path = program(tmp_path, "num_ranks 2\nrank 0 { send 8b to 1 tag 3 }\nrank 1 { recv 8b from 0 tag 4 }\n")
    for network in ("machine", "ideal"):
        result = sanvp("traffic", "qsnet-16", "goal", "--file", path, "--network", network)
        assert result.status == DEADLOCK
        assert "rank 1: no message comes for the recv of 8 bytes from rank 0, tag 4" in result.err
        assert "rank 1: no receive takes the send of 8 bytes to rank 1, tag 3 from rank 0" in result.err


def test_messages_that_a_fault_takes_are_counted(tmp_path):
    path = program(tmp_path, "num_ranks 2\nrank 0 { send 1000000b to 1 }\nrank 1 { recv 1000000b from 0 }\n")
    result = sanvp("traffic", "qsnet-16", "goal", "--file", path, "--fault", "100us node 1 down", "--json", "-")
    assert result.status == DONE
    assert result.json["messages_lost"] == 1
    assert result.json["verdict"] == "packets lost"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a GOAL file"),
        (("--file", "none.goal"), "cannot be read"),
        (("--file", PIPELINE, "--host", HOST_MISTAKE), "six numbers are needed"),
        (("--file", PIPELINE, "--host", "logp"), "there is no host model 'logp'"),
        (("--file", PIPELINE, "--network", "none"), "'none' is no network"),
        (("--file", PIPELINE, "--map", "0,1"), "2"),
    ],
)
def test_a_mistake_is_refused_with_its_cure(arguments, message):
    result = sanvp("traffic", "qsnet-16", "goal", *arguments)
    assert result.status == USER_MISTAKE
    assert message in result.err


def test_an_unknown_way_of_messages_is_refused():
    result = sanvp("run", "qsnet-16", "goal", "--np", 4, "--", "--file", PIPELINE, "--by", "magic")
    assert result.status == PROGRAM_FAILED
    assert "give transport or mpi" in result.err


@pytest.mark.parametrize(("command", "status"), [("traffic", USER_MISTAKE), ("run", PROGRAM_FAILED)])
def test_a_mistake_in_the_file_is_named_with_its_line(tmp_path, command, status):
    path = program(tmp_path, "num_ranks 2\nrank 0 {\nsend 8 to 1\n}\n")
    more = ("--file", path) if command == "traffic" else ("--np", 2, "--", "--file", path)
    result = sanvp(command, "qsnet-16", "goal", *more)
    assert result.status == status
    assert f"{path}:3: " in result.err


def test_a_job_has_as_many_ranks_as_its_file():
    run = done("run", "qsnet-16", "goal", "--json", "-", "--", "--file", PIPELINE).json
    assert run["jobs"][0]["ranks"] == 4
    other = sanvp("run", "qsnet-16", "goal", "--np", 8, "--", "--file", PIPELINE)
    assert other.status == USER_MISTAKE
    assert "pipeline.goal has 4 ranks, not 8; give --np 4, or leave it out" in other.err
