"""The project's source files and what they include, its pages and their links: shared by the scripts and checks that
read the tree."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("topologies", "models", "platform", "sw", "examples", "tests")
SUFFIXES = {".hpp", ".cpp", ".h", ".c"}

LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")  # of a page: its path and its heading
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Include(NamedTuple):
    """One #include line."""

    line: int
    quoted: bool
    path: str


def sources(root: Path = ROOT) -> list[Path]:
    """All C and C++ files, in a fixed order."""
    return sorted(
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in SUFFIXES and path.is_file()
    )


def is_ours(path: Path, root: Path = ROOT) -> bool:
    """Whether a file belongs to the project: not built, not hidden."""
    parts = path.relative_to(root).parts[:-1]
    return not (parts and parts[0].startswith(("build", "results"))) and not any(
        part.startswith((".", "__")) for part in parts
    )


def pages(root: Path = ROOT) -> list[Path]:
    """All pages of the project, in order."""
    return [page for page in sorted(root.rglob("*.md")) if is_ours(page, root)]


@functools.cache
def includes(path: Path) -> tuple[Include, ...]:
    """The #include lines of one file."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := _INCLUDE.match(line):
            found.append(Include(number, match[1] == '"', match[2]))
    return tuple(found)


def resolve(including: Path, include: Include, root: Path = ROOT) -> Path | None:
    """The project's file that a quoted include names: from the root or beside the including file."""
    if include.quoted:
        for base in (root, including.parent):
            candidate = (base / include.path).resolve()
            if candidate.is_file():
                return candidate
    return None


def closure(path: Path, root: Path = ROOT) -> list[Path]:
    """The file itself and every project file it includes, directly or not, in a fixed order."""
    reached = {path}
    waiting = [path]
    while waiting:
        current = waiting.pop()
        for include in includes(current):
            target = resolve(current, include, root)
            if target is not None and target not in reached:
                reached.add(target)
                waiting.append(target)
    return sorted(reached)
