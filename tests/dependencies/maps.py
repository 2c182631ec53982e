#!/usr/bin/python3
"""Each folder's README.md is its map: it names every source file and every folder in it, and its links lead somewhere.

A folder without a README is on the map above it, by its name and with each of its source files. Links may lead to
headings. Pictures (SVG) name source files in texts of class `file`; these exist.

usage: maps.py [ROOT]        exit status 1 and one line for each gap
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tree_check
from tree_check import PROJECT

sys.path.insert(0, str(PROJECT / "scripts"))

from source_tree import CODE, LINK, is_ours, pages

SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cmake"}
PYTHON = ".py"  # named where its folder has a README of its own or is on the map above
# A test is a new file, so these folders' maps name the kinds of tests instead.
NOT_NAMED = (
    "tests/riscv",
    "tests/riscv/programs",
    "tests/unit",
    "tests/models",
    "tests/system",
    "tests/images",
    "tests/support",
)
DRAWN_FILES = re.compile(r'<text class="file"[^>]*>([^<]*)<')


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


def without_map(root: Path) -> list[str]:
    """Source files of folders without a README which the map above does not name either."""
    found = []
    files = [path for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES | {PYTHON} and is_ours(path, root)]
    for folder in sorted({path.parent for path in files}):
        name = folder.relative_to(root).as_posix()
        if (folder / "README.md").exists() or folder == root or name in NOT_NAMED:
            continue
        page = next(above / "README.md" for above in folder.parents if (above / "README.md").exists() or above == root)
        text = page.read_text(encoding="utf-8")
        missing = sorted({path.stem for path in files if path.parent == folder and not names(text, path.stem)})
        found += [f"{name} has no README.md, and {page.relative_to(root)} does not name {stem}" for stem in missing]
    return found


def absent_from_pictures(root: Path) -> list[str]:
    """Names of source files in pictures that no file bears."""
    existing = {path.name for path in root.rglob("*") if path.suffix in SUFFIXES and is_ours(path, root)}
    return [
        f"{picture.relative_to(root)}: there is no {name}"
        for picture in sorted(root.rglob("*.svg"))
        if is_ours(picture, root)
        for text in DRAWN_FILES.findall(picture.read_text(encoding="utf-8"))
        for name in re.findall(r"[\w.-]+\.(?:cpp|hpp|c|h)\b", text)
        if name not in existing and name != "your.c"
    ]


def gaps(root: Path) -> list[str]:
    """Everything wrong with the maps of a tree."""
    found = [line for page in pages(root) for line in broken_links(page, root)]
    found += [line for page in pages(root) if page.name == "README.md" for line in unnamed(page, root)]
    return found + without_map(root) + absent_from_pictures(root)


if __name__ == "__main__":
    sys.exit(tree_check.main(gaps, pages))
