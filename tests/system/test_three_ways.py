"""Every program of sw/apps gives the same result files in both fidelities, and without elision, on each machine.

A part of it runs always, all of it with --long.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from apps import EVERYWHERE, MACHINES, MORE, OF_AN_ARCHIVE, OF_CARDS
from program import DONE, done, left_by, machines

ON_ALL = EVERYWHERE | MORE


def family(machine: str) -> str:
    """Machines of one card have names that begin so."""
    return machine.split("-", maxsplit=1)[0]


def pairs() -> list:
    """Each program with each machine that it runs on; the part that always runs has a machine of each kind."""
    found = [(name, machine) for machine in machines() for name in ON_ALL]
    found += [
        (name, machine)
        for name, (own, *_) in OF_CARDS.items()
        for machine in machines()
        if family(machine) == family(own)
    ]
    return [pytest.param(*pair, marks=() if pair[1] in MACHINES else pytest.mark.long) for pair in found]


def command(name: str, machine: str) -> tuple[object, ...]:
    """A small run of a program."""
    ranks, *options = ON_ALL.get(name) or OF_CARDS[name][1:]
    return ("run", machine, name, "--np", ranks, *(("--", *options) if options else ()))


def results(folder: Path, *arguments: object, **environment: str) -> dict[str, str]:
    """What a run leaves, less what names the fidelity."""
    left = left_by(folder, *arguments, **environment)
    for name in ("json", "manifest.json"):
        content = json.loads(left[name])
        content.pop("fidelity", None)
        content.get("parameters", {}).pop("fidelity", None)
        left[name] = json.dumps(content)
    return left


def test_every_program_is_among_them():
    listed = {entry["name"] for entry in done("list", "apps", "--json", "-").json["apps"]}
    assert listed == set(ON_ALL) | set(OF_CARDS) | OF_AN_ARCHIVE


@pytest.mark.parametrize(("name", "machine"), pairs())
def test_a_program_gives_the_same_files_in_both_fidelities_and_without_elision(name, machine, tmp_path):
    arguments = command(name, machine)
    plain = results(tmp_path / "worm", *arguments)
    assert plain["status"] == str(DONE), plain["err"]
    begin, dashes, end = " ".join(map(str, arguments)).partition(" -- ")
    others = {
        "events": results(tmp_path / "none", *arguments, SANVP_ELISION="off"),
        "flit": results(tmp_path / "flit", begin, "--fidelity", "flit", dashes, end),
    }
    for how, other in others.items():
        for file in plain.keys() | other.keys():
            assert other.get(file) == plain.get(file), (how, file)
