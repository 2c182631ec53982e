"""The pages of docs/ as sessions: the commands that they show, and what these print.

A block that begins with ```console is a session: each line `$ COMMAND` (`> ` continues it), then what it prints. A line
`...` stands for any lines, `...` in a line for any text. A command must succeed unless the page asks for `$ echo $?`
next. Lines that say what a job's time went for may be left out. A block marked `file=NAME` shows that example whole.

Times of host software move a little with every change of a library, and with the compiler. A block marked `within=3%`
or `within=0.05` gives numbers with a decimal point this tolerance, of the number or in its own unit. All else in it,
and every number of a block without the mark, must be as the page shows it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from program import JOB_LINE, PROJECT

DOCS = PROJECT / "docs"
EXAMPLES = PROJECT / "examples"
PAGES = sorted(DOCS.glob("*.md"))
FENCED = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


WITHIN = re.compile(r"\bwithin=(?P<number>[\d.]+)(?P<percent>%?)")
NUMBER = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")


@dataclass(frozen=True)
class Tolerance:
    """How far a number may lie from the page's."""

    relative: float = 0
    absolute: float = 0

    def allows(self, printed: str, expected: str) -> bool:
        """Half of the page's last digit besides: both are rounded."""
        last_digit = 10.0 ** -len(expected.partition(".")[2])
        allowed = self.absolute + self.relative * float(expected) + last_digit / 2
        return abs(float(printed) - float(expected)) <= allowed


EXACT = Tolerance()


def tolerance_of(info: str) -> Tolerance:
    """What the first line of a block says of it."""
    found = WITHIN.search(info)
    if found is None:
        return EXACT
    number = float(found["number"])
    return Tolerance(relative=number / 100) if found["percent"] else Tolerance(absolute=number)


@dataclass
class Step:
    """A command of a session and what the page says that it prints."""

    command: str
    printed: str
    tolerance: Tolerance = EXACT


def examples_of(page: Path) -> Path:
    """The folder that a page is about: the one of its name, or that of the tutorial."""
    own = EXAMPLES / page.stem
    return own if own.is_dir() else EXAMPLES / "own-machine"


def blocks(page: Path, mark: str) -> list[tuple[str, str]]:
    """What stands behind the ``` of each block whose first line has `mark`, and the block."""
    return [(m["info"], m["body"]) for m in FENCED.finditer(page.read_text(encoding="utf-8")) if mark in m["info"]]


def steps(page: Path) -> list[Step]:
    """All commands of a page in order."""
    found: list[Step] = []
    for info, body in blocks(page, "console"):
        for line in body.splitlines(keepends=True):
            if line.startswith("$ "):
                found.append(Step(line[2:].rstrip(), "", tolerance_of(info)))
            elif line.startswith("> "):
                found[-1].command += "\n" + line[2:].rstrip()
            else:
                found[-1].printed += line
    return found


def pattern_of(text: str, tolerance: Tolerance) -> str:
    """Of a piece of a line. A number with a tolerance is a group, and may be of another width."""
    if tolerance == EXACT:
        return re.escape(text)
    pattern, end = "", 0
    for number in NUMBER.finditer(text):
        pattern += re.escape(text[end : number.start()].rstrip(" ")) + r" *(\d+\.\d+)"
        end = number.end()
    return pattern + re.escape(text[end:])


def matches(printed: str, expected: str, tolerance: Tolerance = EXACT) -> bool:
    """Whether a command printed what the page shows, spaces at line ends aside."""
    pattern = ""
    numbers: list[str] = []
    for line in expected.splitlines():
        if line == "...":
            pattern += r"(?:[^\n]*\n)*"
            continue
        parts = [part.rstrip() for part in line.split("...")]
        pattern += "[^\n]*".join(pattern_of(part, tolerance) for part in parts) + r"\n"
        numbers += [number for part in parts for number in NUMBER.findall(part)]
    lines = "".join(line.rstrip() + "\n" for line in printed.splitlines())
    found = re.fullmatch(pattern, lines)
    return found is not None and all(map(tolerance.allows, found.groups(), numbers))


def run(command: str, status_before: int, folder: Path, sanvp: Path) -> subprocess.CompletedProcess:
    """Runs a line of a session with that sanvp, its Python package and the Python that runs this."""
    path = os.pathsep.join([str(sanvp.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", f"(exit {status_before})\n{command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            "SANVP": str(sanvp.resolve()),
            "PYTHONPATH": str(PROJECT / "python"),
            "MPLBACKEND": "Agg",
        },
        timeout=120,
        check=False,
    )


def follow(page: Path, session: list[Step], folder: Path, sanvp: Path) -> None:
    """Runs a session; every command must print what its page shows."""
    status = 0
    for step, after in zip(session, [*session[1:], None], strict=True):
        result = run(step.command, status, folder, sanvp)
        status = result.returncode
        asked = after is not None and after.command == "echo $?"
        assert asked or status == 0, f"{page.name}: {step.command}: status {status}\n{result.stdout}"
        printed, expected = (JOB_LINE.sub("", text) for text in (result.stdout, step.printed))
        assert matches(printed, expected, step.tolerance), f"{page.name}: {step.command} prints:\n{result.stdout}"
