"""The pages of docs/ tell the truth: their commands run and print what the page shows, their files are the examples'.

A block that begins with ```console is a session: each line `$ COMMAND` (`> ` continues it), then what it prints. A line
`...` stands for any lines, `...` in a line for any text. A command must succeed unless the page asks for `$ echo $?`
next. Blocks marked `rebuild` need parts that are not compiled in and are not run. A block marked `file=NAME` shows that
example whole.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from program import PROJECT, SANVP

EXAMPLES = PROJECT / "examples" / "own-machine"
PAGES = sorted((PROJECT / "docs").glob("*.md"))
FENCED = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Step:
    """A command of a session and what the page says that it prints."""

    command: str
    printed: str


def blocks(page: Path, mark: str) -> list[tuple[str, str]]:
    """What stands behind the ``` of each block whose first line has `mark`, and the block."""
    return [(m["info"], m["body"]) for m in FENCED.finditer(page.read_text(encoding="utf-8")) if mark in m["info"]]


def steps(page: Path) -> list[Step]:
    """All commands of a page that need no rebuild, in order."""
    found: list[Step] = []
    for info, body in blocks(page, "console"):
        for line in body.splitlines(keepends=True) if "rebuild" not in info else []:
            if line.startswith("$ "):
                found.append(Step(line[2:].rstrip(), ""))
            elif line.startswith("> "):
                found[-1].command += "\n" + line[2:].rstrip()
            else:
                found[-1].printed += line
    return found


def matches(printed: str, expected: str) -> bool:
    """Whether a command printed what the page shows, spaces at line ends aside."""
    pattern = ""
    for line in expected.splitlines():
        if line == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += "[^\n]*".join(re.escape(part.rstrip()) for part in line.split("...")) + r"\n"
    lines = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    return re.fullmatch(pattern, lines) is not None


def run(command: str, status_before: int, folder: Path) -> subprocess.CompletedProcess:
    """Runs a line of a session with the sanvp under test and the Python that runs this."""
    path = os.pathsep.join([str(Path(SANVP).parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", f"(exit {status_before})\n{command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "MPLBACKEND": "Agg"},
        timeout=120,
        check=False,
    )


def test_a_page_that_shows_something_else_is_found_out():
    assert matches("one\ntwo\nthree\n", "one\n...\nthree\n")
    assert matches("one  \n", "one\n")
    assert matches("1.5 us in all\n", "... us in all\n")
    assert not matches("one\ntwo\n", "one\n")
    assert not matches("one\n", "one\ntwo\n")
    assert not matches("1.5 us\n", "1.6 us\n")


def test_the_tutorial_has_its_ten_steps():
    text = (PROJECT / "docs" / "your-own-switch.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d+)\.", text, re.MULTILINE) == [str(i) for i in range(1, 11)]


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.stem)
def test_every_command_prints_what_its_page_shows(page, tmp_path):
    folder = shutil.copytree(EXAMPLES, tmp_path / "my-machine")
    session = steps(page)
    status = 0
    for step, after in zip(session, [*session[1:], None], strict=True):
        result = run(step.command, status, folder)
        status = result.returncode
        asked = after is not None and after.command == "echo $?"
        assert asked or status == 0, f"{page.name}: {step.command}: status {status}\n{result.stdout}"
        assert matches(result.stdout, step.printed), f"{page.name}: {step.command} prints:\n{result.stdout}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "file=")], ids=lambda page: page.stem)
def test_every_file_shown_is_the_one_in_examples(page):
    for info, body in blocks(page, "file="):
        assert body == (EXAMPLES / info.split("file=")[1]).read_text(encoding="utf-8"), info


@pytest.mark.parametrize("source", sorted(EXAMPLES.glob("*.cpp")), ids=lambda source: source.stem)
def test_the_parts_that_a_user_copies_compile_without_warnings(source):
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", str(PROJECT), str(source)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
