"""`--inspect`, and what `monitor` in gdb shows of the machine: looking changes nothing."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from gdb_client import Client, started
from program import COST, done, sanvp

USER_MISTAKE = 2
SIX = ["qsnet-16", "myrinet-16", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]


@pytest.mark.parametrize("machine", SIX)
def test_the_machine_is_shown_and_the_run_stays_the_same(tmp_path: Path, machine: str) -> None:
    command = ("run", machine, "allreduce", "--np", "4", "--json", "-")
    plain = done(*command).json
    middle = f"{(plain['boot_time_ns'] + plain['sim_time_ns']) / 2:.0f}ns"
    looked = done(*command, "--inspect", middle, "--inspect", f"{middle} card 0", "--out", tmp_path / "out").json
    (whole, card) = looked.pop("inspections")
    assert {key: value for key, value in looked.items() if key not in COST} == {
        key: value for key, value in plain.items() if key not in COST
    }
    assert [one["rank"] for one in whole["seen"]["ranks"]] == [0, 1, 2, 3]
    assert {"in_flight", "packets", "jobs", "cards"} <= whole["seen"].keys()
    assert card["seen"]["node"] == 0
    assert json.loads((tmp_path / "out" / "inspections.json").read_text()) == [whole, card]


def test_text_has_the_same_values(tmp_path: Path) -> None:
    command = ("run", "qsnet-16", "ping", "--np", "2")
    shown = done(*command, "--inspect", "60us card 0", "--inspect", "60us link 0", "--inspect", "60us switch 0").out
    assert "at 60us, card 0:\nnode: 0\nstate: " in shown
    assert "at 60us, link 0:\nlink: 0\nworks: true\ndirections:\n" in shown
    assert "at 60us, switch 0:\nswitch: 0\nname: " in shown


# Machine, app, a queue of its card, and how `state` counts what waits there.
QUEUES = [
    ("qsnet-16", "dmas", "{} DMAs are unfinished"),
    ("qsnet-16", "unanswered packets", "{} packets are without an answer"),
    ("myrinet-16", "armed buffers", None),
    ("macrame-clos-64", "virtual links", None),
    ("moc-2-1", "sends", "{} messages are not yet acknowledged"),
    ("gcel-64", "receives", None),
    ("tofu-36", "queues", None),
]


@pytest.mark.parametrize(("machine", "queue", "counted"), QUEUES)
def test_queues_of_a_card_are_listed_entry_by_entry(
    tmp_path: Path, machine: str, queue: str, counted: str | None
) -> None:
    """Over the run some entry is there, as many as the card's state says; looking changes nothing."""
    command = ("run", machine, "alltoall", "--np", "4", "--json", "-")
    plain = done(*command).json
    begin, end = plain["boot_time_ns"], plain["sim_time_ns"]
    times = [begin + (end - begin) * i / 40 for i in range(1, 40)]
    looks = [option for time in times for option in ("--inspect", f"{time:.0f}ns card 1")]
    looked = done(*command, *looks)
    seen = [one["seen"] for one in looked.json["inspections"]]
    assert {key: looked.json[key] for key in plain if key not in COST} == {
        key: value for key, value in plain.items() if key not in COST
    }
    assert any(one["queues"][queue] for one in seen)
    for one in seen:
        entries = one["queues"][queue]
        if counted and entries:
            assert counted.format(len(entries)) in one["state"]
        elif counted:
            assert counted.format(0)[2:] not in one["state"]


@pytest.mark.parametrize(
    ("question", "cause"),
    [
        ("soon", "--inspect"),
        ("60us cart 0", "did you mean 'card'"),
        ("60us card 16", "there is no card 16"),
        ("60us ranks 1", "takes no number"),
    ],
)
def test_questions_without_an_answer_are_errors(question: str, cause: str) -> None:
    run = sanvp("run", "qsnet-16", "ping", "--np", "2", "--inspect", question)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err


@needs_compilers
def test_monitor_answers_anything(tmp_path: Path) -> None:
    """Questions at random: each has an answer, and the run ends as without them."""
    source = SOURCES / "ring.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", source, "-o", tmp_path / "ring", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    words = [
        "card",
        "packets",
        "link",
        "switch",
        "ranks",
        "mpi",
        "json",
        "break",
        "breaks",
        "delete",
        "packet",
        "register",
        "PutDma",
        "write",
        "blocked",
        "unexpected",
        ">",
        "10us",
        "any",
        "time",
        "help",
        "0",
        "-1",
        "99999999999999999999",
    ]
    dice = random.Random(7)
    with started(tmp_path, "./ring", "--np", "3", "--gdb-wait") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")
        forms = [
            "break packet 0 1",
            "break register 0 PutDma write",
            "break link 0 blocked 1us",
            "break mpi unexpected > 0",
        ]
        for _ in range(300):
            line = " ".join(dice.choices(words, k=dice.randint(1, 5))) if dice.random() < 0.8 else dice.choice(forms)
            assert client.ask("qRcmd," + line.encode().hex())
        client.ask("D")
        ended = run.end()
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")


def test_an_inspection_after_the_end_is_told_and_one_of_what_is_not_there_is_refused() -> None:
    late = done("run", "qsnet-16", "hello", "--np", "2", "--inspect", "90s")
    assert re.search(r"note: --inspect: the run ended at \S+, before the inspection at 90s\n", late.err), late.err
    for at in ("1ns", "90s"):
        absent = sanvp("run", "qsnet-16", "hello", "--np", "2", "--inspect", f"{at} card 99")
        assert absent.status == USER_MISTAKE
        assert absent.err == "error: --inspect: there is no card 99; give one from 0 to 15\n"


@needs_compilers
def test_gdb_stops_at_a_time(tmp_path: Path) -> None:
    source = SOURCES / "ring.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", source, "-o", tmp_path / "ring", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    with started(tmp_path, "./ring", "--np", "3", "--gdb-wait") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")
        time = bytes.fromhex(client.ask("qRcmd," + b"time".hex())).decode()
        assert time.endswith("us\n")
        later = float(time[:-3]) + 20
        line = f"break time {later:.6f}us"
        said = bytes.fromhex(client.ask("qRcmd," + line.encode().hex())).decode()
        assert said == f"gdb stops at {float(f'{later:.6f}')}us\n"
        assert client.ask("vCont;c").startswith("T05")
        client.ask("D")
        assert run.end().status == 0
