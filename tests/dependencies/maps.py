#!/usr/bin/python3
"""Each folder's README.md is its map: it names every source file and every folder in it, and its links lead somewhere.

A folder without one is on the map of the folder above, by its name. Headings are links' targets, too.

usage: maps.py [ROOT]        exit status 1 and one line for each gap
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cmake"}
# Whose files are found by other means: a test is a new file, and the kinds are on the map.
NOT_NAMED = ("tests/unit", "tests/models", "tests/system", "tests/images", "tests/support")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What its headings are called in links."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(page: Path, root: Path) -> list[str]:
    """Links of a page that lead to no file or to no heading."""
    found = []
    for target, anchor in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path = page.parent / target if target else page
        link = target + ("#" + anchor if anchor else "")
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            found.append(f"{page.relative_to(root)}: the link to {link} leads nowhere")
    return found


def names(text: str, word: str) -> bool:
    """Whether a text has that word; `a-b` and `a_b` are words."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def unnamed(page: Path, root: Path) -> list[str]:
    """Files and folders that a map does not name."""
    text = page.read_text(encoding="utf-8")
    folder = page.parent
    inside = [
        path
        for path in sorted(folder.iterdir())
        if (path.is_dir() and any(path.rglob("*.*")) and not path.name.startswith((".", "build", "__", "results")))
        or (path.suffix in SUFFIXES and folder.relative_to(root).as_posix() not in NOT_NAMED)
    ]
    missing = sorted({path.stem for path in inside if not names(text, path.stem)})
    return [f"{page.relative_to(root)}: {name} is not on the map" for name in missing]


def gaps(root: Path) -> list[str]:
    """Everything wrong with the maps of a tree."""
    root = root.resolve()
    pages = [
        page
        for page in sorted(root.rglob("*.md"))
        if not page.relative_to(root).parts[0].startswith((".", "build", "results"))
    ]
    found = [line for page in pages for line in broken_links(page, root)]
    return found + [line for page in pages if page.name == "README.md" for line in unnamed(page, root)]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT
    found = gaps(root)
    for line in found:
        print(line)
    print(f"{len(found)} gaps")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
