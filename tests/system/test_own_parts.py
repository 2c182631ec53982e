"""Parts of users: what sanvp-part makes, what sanvp says to what it cannot load. What parts do is in the tutorial
(test_examples.py)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from program import DONE, PROJECT, SANVP, USER_MISTAKE, Result, done, sanvp

PART = Path(SANVP).with_name("sanvp-part")
CC = Path(SANVP).with_name("sanvp-cc")
OWN = PROJECT / "examples" / "own-machine"

SWITCH = """
#include "models/switches/part.hpp"
using namespace sanvp;
namespace {
switches::SwitchModel build(const Parameters&) { return {}; }
const Registration<switches::SwitchPart> registration{{"NAME", "a test's", build}};
}
"""
THROWS = """
#include <stdexcept>
namespace { struct Bad { Bad() { throw std::runtime_error("there is no licence"); } } bad; }
"""
COMMAND = """
#include <iostream>
#include "platform/commands/command.hpp"
namespace {
sanvp::Exit greet(const sanvp::commands::Invocation& invocation) {
  std::cout << "good " << invocation.text("time") << "\\n";
  return sanvp::Exit::done;
}
const sanvp::Registration<sanvp::commands::Command> registration{
    {.name = "greet", .summary = "says something", .positional = {{"time"}}, .run = greet}};
}
"""
PATTERN = """
#include "platform/traffic/pattern.hpp"
using namespace sanvp;
using namespace sanvp::traffic;
namespace {
class Next : public Pattern {
 public:
  explicit Next(int nodes) : nodes_(nodes) {}
  std::optional<Descriptor> next(int node, Random&) override { return Descriptor{.destination = (node + 1) % nodes_}; }
 private:
  int nodes_;
};
std::unique_ptr<Pattern> build(const PatternContext& context) {
  return std::make_unique<Next>(context.graph.host_count());
}
const Registration<PatternPart> registration{{"to_the_next", "each node to the next", build}};
}
"""


def make(folder: Path, name: str, source: str, *options: str) -> Path:
    """A part of one source."""
    (folder / f"{name}.cpp").write_text(source)
    subprocess.run([PART, f"{name}.cpp", "-o", f"{name}.so", *options], check=True, cwd=folder)
    return folder / f"{name}.so"


def refused(result: Result, *words: str) -> None:
    """It is a mistake of the user, told in one line that has these words."""
    assert result.status == USER_MISTAKE, result.out
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    for word in words:
        assert word in result.err


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """For the parts of this file."""
    return tmp_path_factory.mktemp("parts of mine")


@pytest.fixture(scope="module")
def switch(folder) -> Path:
    """A switch."""
    return make(folder, "switch", SWITCH.replace("NAME", "blank"))


def test_a_part_is_listed_beside_those_of_sanvp(switch):
    assert "blank" not in done("list", "parts").out
    listed = done("list", "parts", "--part", switch).out
    assert "a test's" in listed
    assert "elite" in listed


def test_the_option_may_stand_before_the_command_and_name_a_part_twice(switch):
    result = done("--part", switch, f"--part={switch}", "describe", "blank")
    assert result.out.startswith("blank (switch): a test's")


def test_a_part_can_be_a_command(folder):
    part = make(folder, "command", COMMAND)
    assert done("greet", "morning", "--part", part).out == "good morning\n"
    refused(sanvp("greet", "morning"), "there is no command 'greet'")


def test_a_part_can_be_a_traffic_pattern(folder):
    part = make(folder, "pattern", PATTERN)
    result = done("traffic", "qsnet-16", "to_the_next", "--load", "0.1", "--packets", 200, "--part", part)
    assert "not saturated" in result.out


def test_a_machine_file_names_its_parts_relative_to_itself(switch, folder, tmp_path):
    text = '[machine]\nparts = ["{}"]\n[topology]\ntype = nothing\n'
    (folder / "near.ini").write_text(text.format(switch.name))
    refused(sanvp("check", folder / "near.ini", cwd=tmp_path), "near.ini:4", "there is no topology 'nothing'")
    (folder / "far.ini").write_text(text.format("far.so"))
    refused(sanvp("check", folder / "far.ini"), "far.ini:2: there is no part", "far.so'", "sanvp-part")
    (folder / "odd.ini").write_text('[machine]\nparts = ["a.so", "b.so"\n')
    refused(sanvp("check", folder / "odd.ini"), "odd.ini:2", "write parts = [")


def test_a_part_on_the_command_line_is_relative_to_the_working_directory(switch, folder):
    refused(sanvp("check", "qsnet-16", "-s", "machine.parts=a.so"), "-s machine.parts", "there is no part 'a.so'")
    assert sanvp("check", "qsnet-16", "-s", f"machine.parts={switch.name}", cwd=folder).status == DONE


def test_what_is_no_part_is_refused(folder):
    refused(sanvp("list", "parts", "--part", "nowhere.so"), "--part: there is no part 'nowhere.so'; give the path")
    refused(sanvp("list", "parts", "--part", folder), "is a folder")
    refused(sanvp("list", "parts", "--part"), "--part: names no file")
    source = OWN / "pipelined.cpp"
    refused(sanvp("list", "parts", "--part", source), "is not a part", "`sanvp-part mine.cpp -o mine.so`")
    library = folder / "library.so"
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    refused(sanvp("list", "parts", "--part", library), "is not a part")
    (folder / "cut.so").write_bytes(library.read_bytes()[:700])
    refused(sanvp("list", "parts", "--part", folder / "cut.so"), "is not a part")


def test_a_part_of_other_headers_is_refused_before_its_code_runs(folder):
    stale = make(folder, "stale", THROWS)
    text = stale.read_bytes()
    at = text.index(b"(headers ") + len("(headers ")
    stale.write_bytes(text[:at] + b"0123456789ab" + text[at + 12 :])
    refused(
        sanvp("list", "parts", "--part", stale),
        "was made for sanvp",
        "(headers 0123456789ab)",
        "make it again with the sanvp-part of this sanvp",
    )


def test_a_part_that_throws_before_main_is_refused(folder):
    part = make(folder, "throws", THROWS)
    refused(sanvp("list", "parts", "--part", part), "has a constructor that throws: there is no licence")


def test_a_part_that_crashes_before_main_is_refused(folder):
    crash = "#include <csignal>\nnamespace { struct Bad { Bad() { std::raise(SIGSEGV); } } bad; }\n"
    part = make(folder, "crashes", crash)
    refused(sanvp("list", "parts", "--part", part), "has a constructor that crashes: Segmentation fault")


def test_a_second_definition_of_a_name_is_refused(switch, folder):
    part = make(folder, "elite", SWITCH.replace("NAME", "elite"))
    words = "defines the switch 'elite', which exists already; give yours another name"
    refused(sanvp("list", "parts", "--part", part), words)
    again = make(folder, "again", SWITCH.replace("NAME", "blank"))
    refused(sanvp("list", "parts", "--part", switch, "--part", again), "again.so' defines the switch 'blank'")


def test_a_part_that_registers_nothing_is_refused(folder):
    part = make(folder, "nothing", "int nothing;\n")
    refused(sanvp("list", "parts", "--part", part), "registers nothing; end its source with const Registration")


def test_sanvp_part_says_what_it_lacks(folder):
    for arguments, message in (
        (["nowhere.cpp"], "sanvp-part: there is no file nowhere.cpp"),
        (["-O2"], "sanvp-part: names no source"),
        ([OWN / "pipelined.cpp", "-o", "part.o"], "-o part.o: a part's name ends in .so"),
    ):
        made = subprocess.run([PART, *arguments], capture_output=True, text=True, check=False, cwd=folder)
        assert made.returncode == USER_MISTAKE
        assert message in made.stderr
    (folder / "calls.cpp").write_text("namespace sanvp { int no_such_call(); }\nint x = sanvp::no_such_call();\n")
    made = subprocess.run([PART, "calls.cpp"], capture_output=True, text=True, check=False, cwd=folder)
    assert made.returncode != 0
    assert "no_such_call" in made.stderr


def of_mailbox(made: Path, transport: str) -> Path:
    """A machine with the card `mailbox`, and this transport beside it."""
    made.mkdir()
    (made / "mailbox.c").write_text(transport)
    subprocess.run([PART, OWN / "mailbox.cpp", made / "mailbox.c"], check=True, cwd=made)
    for name in ("mailbox.ini", "my.ini", "board.ini"):
        (made / name).write_text((OWN / name).read_text())
    return made / "mailbox.ini"


@pytest.fixture(scope="module")
def mailbox(tmp_path_factory) -> Path:
    return of_mailbox(tmp_path_factory.mktemp("mailbox") / "card", (OWN / "mailbox.c").read_text())


def test_a_transport_comes_with_its_programs_and_serves_those_of_users(mailbox):
    machine, made = mailbox, mailbox.parent
    assert "PASS" in done("run", machine, "ping", "--np", 2).out
    assert "PASS" in done("run", "qsnet-16", "ping", "--np", 2, "--part", made / "mailbox.so").out
    source = PROJECT / "examples" / "one-message" / "there_and_back.c"
    subprocess.run([CC, source, made / "mailbox.sw/transport.o", "-o", made / "prog"], check=True)
    own = done("run", machine, made / "prog", "--np", 2).out
    subprocess.run([CC, source, "-o", made / "without"], check=True)
    assert " us" in own
    lost = sanvp("run", machine, made / "without", "--np", 2)
    assert lost.status == 4
    assert "there is no transport for this machine's card 'mailbox'" in lost.err
    assert (
        done("run", "qsnet-16", made / "prog", "--np", 2).out
        == done("run", "qsnet-16", made / "without", "--np", 2).out
    )


ADVICE = """
static const struct transport_advice mine[] = {{"mpi.allreduce", 1, 4, "ring:64,reduce-broadcast"}, {0}};
const struct transport_implementation transport_mailbox = {
    .card = "mailbox", .matching = "host", .channel = &records_channel, .advice = mine};
"""


CHOICE = 0.005  # what the choice of an algorithm moves; another algorithm moves ten times as much


def slowest(machine: Path, operation: str, *options: str, ranks: int = 4) -> list[float]:
    """Microseconds of 4, 16, ... bytes."""
    given = ("--np", ranks, *options, "--", "--operation", operation, "--count", 1)
    out = done("run", machine, "collectives", *given).out
    rows = (line.split("]")[-1].split() for line in out.splitlines())
    return [float(row[3]) for row in rows if row[:1] == [operation]]


def test_a_transport_without_advice_has_the_limits_of_the_literature(mailbox):
    for operation, rules in (
        ("allreduce", "recursive-doubling:2K,halving-doubling"),
        ("alltoall", "bruck:256,linear:32K,pairwise"),
        ("reduce", "binomial:2K,scatter-gather"),
        ("gather", "binomial"),
    ):
        told = slowest(mailbox, operation, "-s", f"mpi.{operation}={rules}")
        assert slowest(mailbox, operation) == pytest.approx(told, rel=CHOICE), operation


def test_a_transport_states_its_own_limits_and_what_it_leaves_out_is_neutral(folder):
    text = (OWN / "mailbox.c").read_text()
    machine = of_mailbox(folder / "advised", text[: text.index("const struct")] + ADVICE)
    for ranks, rules in ((4, "ring:64,reduce-broadcast"), (3, "recursive-doubling:2K,halving-doubling")):
        told = slowest(machine, "allreduce", "-s", f"mpi.allreduce={rules}", ranks=ranks)
        assert slowest(machine, "allreduce", ranks=ranks) == pytest.approx(told, rel=CHOICE), ranks
