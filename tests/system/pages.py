"""The pages of docs/ as sessions: the commands that they show, and what these print.

A block that begins with ```console is a session: each line `$ COMMAND` (`> ` continues it), then what it prints. A line
`...` stands for any lines, `...` in a line for any text. A command must succeed unless the page asks for `$ echo $?`
next. Lines that say what a job's time went for may be left out. Blocks marked `rebuild` begin by copying parts into the
source tree. A block marked `file=NAME` shows that example whole.
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


@dataclass
class Step:
    """A command of a session and what the page says that it prints."""

    command: str
    printed: str


def examples_of(page: Path) -> Path:
    """The folder that a page is about: the one of its name, or that of the tutorial."""
    own = EXAMPLES / page.stem
    return own if own.is_dir() else EXAMPLES / "own-machine"


def blocks(page: Path, mark: str) -> list[tuple[str, str]]:
    """What stands behind the ``` of each block whose first line has `mark`, and the block."""
    return [(m["info"], m["body"]) for m in FENCED.finditer(page.read_text(encoding="utf-8")) if mark in m["info"]]


def steps(page: Path, rebuild: bool = False) -> list[Step]:
    """All commands of a page in order: those that need no rebuild, or those that do."""
    found: list[Step] = []
    for info, body in blocks(page, "console"):
        for line in body.splitlines(keepends=True) if ("rebuild" in info) == rebuild else []:
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


def run(command: str, status_before: int, folder: Path, sanvp: Path) -> subprocess.CompletedProcess:
    """Runs a line of a session with that sanvp and the Python that runs this."""
    path = os.pathsep.join([str(sanvp.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
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


def follow(page: Path, session: list[Step], folder: Path, sanvp: Path) -> None:
    """Runs a session; every command must print what its page shows."""
    status = 0
    for step, after in zip(session, [*session[1:], None], strict=True):
        result = run(step.command, status, folder, sanvp)
        status = result.returncode
        asked = after is not None and after.command == "echo $?"
        assert asked or status == 0, f"{page.name}: {step.command}: status {status}\n{result.stdout}"
        printed, expected = (JOB_LINE.sub("", text) for text in (result.stdout, step.printed))
        assert matches(printed, expected), f"{page.name}: {step.command} prints:\n{result.stdout}"
