"""What the checks of the tree share: the command line and the report of a check, and small trees for its tests."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def main(violations: Callable[[Path], list[str]], files: Callable[[Path], list[Path]]) -> int:
    """Checks the tree that the command line names, or the project; prints what is wrong. Returns the exit status."""
    root = (Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT).resolve()
    count = len(files(root))
    if count == 0:
        print(f"{root}: no files found")
        return 1
    found = violations(root)
    for line in found:
        print(line)
    print(f"{count} files, {len(found)} violations")
    return 1 if found else 0


def violations_of(check: Callable[[Path], list[str]], tree: dict[str, str]) -> list[str]:
    """What a check says of a tree: path -> text."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in tree.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(root)
