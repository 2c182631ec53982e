"""Programs of RISC-V that are translated (host.cpu.translate) give the results of those that are interpreted."""

from __future__ import annotations

import json

import pytest
from binaries import APPS, PROGRAMS, compile_one, needs_compilers
from program import by_name, sanvp

pytestmark = needs_compilers
ON = ("-s", "host.cpu.translate=on")
OFF = ("-s", "host.cpu.translate=off")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Skips where the simulator was built without AsmJit."""
    result = sanvp("run", "qsnet-16", APPS / "hello", "--np", 1, *ON)
    if "AsmJit" in result.err:
        pytest.skip("the simulator cannot translate: scripts/install build")
    assert result.status == 0, result.err
    return tmp_path_factory.mktemp("translation")


def outcome(folder, machine, program, *more):
    file = folder / "result.json"
    result = sanvp("run", machine, program, "--json", file, *more)
    values = json.loads(file.read_text(encoding="utf-8"))
    del values["cpu_time_s"]  # of the simulator
    return result.status, result.out, result.err, values


def same(folder, machine, program, *more):
    """The outcome, which is the same both ways."""
    interpreted = outcome(folder, machine, program, *OFF, *more)
    assert outcome(folder, machine, program, *ON, *more) == interpreted
    assert outcome(folder, machine, program, *more) == interpreted  # by default: translated if it can be
    return interpreted


@pytest.mark.parametrize("name", ["hybrid_fortran", "threads", "modern"])
def test_programs_of_users_have_the_same_results(folder, name):
    _, out, _, values = same(folder, "qsnet-16", compile_one(folder, name), "--np", 4)
    assert PROGRAMS[name][3] in out
    assert values["instructions"] > 100_000


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36"])
@pytest.mark.parametrize("name", ["cg", "md"])
def test_programs_of_sw_apps_have_the_same_results(folder, machine, name):
    assert "PASS" in same(folder, machine, APPS / name, "--np", 4)[1]


NOTHING = "note: host.cpu.translate=on does nothing "


def same_but_for_a_note(folder, program, *more):
    """The note, that is all that the option adds."""
    *left, err, values = outcome(folder, "qsnet-16", program, "--np", 1, *more)
    *translated, told, same_values = outcome(folder, "qsnet-16", program, "--np", 1, *ON, *more)
    assert (translated, same_values) == (left, values)
    note, rest = told.split("\n", 1)
    assert rest == err
    return note


CACHES = ("-s", "host.cpu.caches=on")


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "tofu-36"])
def test_with_caches_programs_have_the_same_results_misses_included(folder, machine):
    assert "PASS" in same(folder, machine, APPS / "cg", "--np", 2, *CACHES)[1]


def test_without_a_first_level_a_program_is_interpreted_which_a_note_says(folder):
    no_first_level = ("-s", "host.cpu.l1i.size=0B", "-s", "host.cpu.l1d.size=0B")
    note = same_but_for_a_note(folder, APPS / "linpack", *CACHES, *no_first_level)
    assert note == NOTHING + (
        "with host.cpu.caches=on and no first level, for which programs are interpreted: leave one of them out"
    )


def test_for_a_native_program_a_note_says_that_the_option_does_nothing(folder):
    note = same_but_for_a_note(folder, "linpack")
    assert by_name(note) == NOTHING + (
        "for linpack, which is native: leave it out, or compile the program with sanvp-cc --target riscv64"
    )


def test_no_note_where_one_of_the_programs_is_translated(folder):
    jobs = ("--job", "hello --np 1", "-s", "host.cpu.timing=off", "-s", "host.cpu.caches=on")
    assert "note" not in sanvp("run", "qsnet-16", APPS / "hello", "--np", 1, *ON, *jobs).err


def test_a_build_without_asmjit_refuses_the_option_and_names_the_cure():
    result = sanvp("run", "qsnet-16", APPS / "hello", "--np", 1, *ON)
    if result.status == 0:
        pytest.skip("this build has AsmJit (CMAKE_DISABLE_FIND_PACKAGE_asmjit)")
    assert result.status == 2
    assert (
        "host.cpu.translate: this simulator was built without AsmJit: install it (Debian: libasmjit-dev)" in result.err
    )
    assert "or leave the option out" in result.err
    assert sanvp("run", "qsnet-16", APPS / "hello", "--np", 1).status == 0


def test_the_option_has_no_other_values():
    result = sanvp("run", "qsnet-16", APPS / "hello", "--np", 1, "-s", "host.cpu.translate=maybe")
    assert result.status == 2
    assert "'maybe'" in result.err
