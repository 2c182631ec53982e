"""The pages of docs/ tell the truth: their commands run and print what they show, their files are the examples'."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pages import DOCS, EXAMPLES, PAGES, Tolerance, blocks, examples_of, follow, matches, steps, tolerance_of
from program import PROJECT, SANVP


def test_a_page_that_shows_something_else_is_found_out():
    assert matches("one\ntwo\nthree\n", "one\n...\nthree\n")
    assert matches("one  \n", "one\n")
    assert matches("1.5 us in all\n", "... us in all\n")
    assert not matches("one\ntwo\n", "one\n")
    assert not matches("one\n", "one\ntwo\n")
    assert not matches("1.5 us\n", "1.6 us\n")


def test_a_number_with_a_tolerance_may_differ_by_that_and_nothing_else_may():
    assert tolerance_of("console") == tolerance_of("console of=it") == Tolerance()
    percent, absolute = tolerance_of("console within=3%"), tolerance_of("console of=it within=0.05")
    assert percent == Tolerance(relative=0.03)
    assert absolute == Tolerance(absolute=0.05)
    shown = "[0]  256 bytes:   9.90 us, ...\n...\nend 2.00\n"
    assert matches("[0]  256 bytes:  10.15 us, well\nand\nend 1.95\n", shown, percent)
    assert not matches("[0]  256 bytes:  10.25 us, well\nand\nend 2.00\n", shown, percent)
    assert not matches("[0]  256 bytes:   9.90 us, well\nand\nend 1.90\n", shown, percent)
    assert not matches("[0]  257 bytes:   9.90 us, well\nand\nend 2.00\n", shown, percent)
    assert matches("[0]  256 bytes:   9.94 us, well\nend 2.05\n", shown, absolute)
    assert not matches("[0]  256 bytes:   9.94 us, well\nend 2.06\n", shown, absolute)


def test_the_tutorial_has_its_eleven_steps():
    text = (DOCS / "your-own-switch.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d+)\.", text, re.MULTILINE) == [str(i) for i in range(1, 12)]


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.stem)
def test_every_command_prints_what_its_page_shows(page, tmp_path):
    follow(page, steps(page), shutil.copytree(examples_of(page), tmp_path / "copy"), Path(SANVP))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "file=")], ids=lambda page: page.stem)
def test_every_file_shown_is_the_one_in_examples(page):
    for info, body in blocks(page, "file="):
        assert body == (examples_of(page) / info.split("file=")[1]).read_text(encoding="utf-8"), info


@pytest.mark.parametrize("source", sorted(EXAMPLES.glob("*/*.cpp")), ids=lambda source: source.stem)
def test_the_parts_that_a_user_copies_compile_without_warnings(source):
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", str(PROJECT), str(source)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
