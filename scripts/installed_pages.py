#!/usr/bin/python3
"""Installs the project's pages, by their paths in it. A link leads to where its file is installed; a link to a file
that is not installed becomes plain text.

usage: installed_pages.py PREFIX          called by cmake/Install.cmake, after all else is installed
"""

from __future__ import annotations

import os
import re
import sys
from itertools import pairwise
from pathlib import Path

from source_tree import CODE, LINK, ROOT, pages

DOCUMENTS = "share/doc/sanvp"
# Where a file of the project is installed: folders of the project, and what they are below the prefix.
PLACES = (
    ("", DOCUMENTS),
    ("platform/machines", "share/sanvp/machines"),
    ("python", "lib/python3/dist-packages"),
    ("", "include/sanvp"),
)
LINKED = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)" + LINK.pattern)


class Tree:
    """An installed tree."""

    def __init__(self, prefix: Path):
        self.prefix = prefix
        self.pages = [page.relative_to(ROOT) for page in pages()]

    def place_of(self, file: Path) -> Path | None:
        """Where a file of the project is, below the prefix; None if it is not installed."""
        if file in self.pages:
            return Path(DOCUMENTS, file)
        for folder, place in PLACES:
            if file.is_relative_to(folder) and (self.prefix / place / file.relative_to(folder)).exists():
                return Path(place, file.relative_to(folder))
        return None

    def text_of(self, page: Path) -> str:
        """The text of a page, with the links of the installed one."""

        def linked(match: re.Match[str]) -> str:
            target, heading = match[3], match[4]
            if not target:
                return match[0]
            place = self.place_of(Path(os.path.normpath(page.parent / target)))
            if place is None:
                return match["text"]
            path = os.path.relpath(place, Path(DOCUMENTS, page).parent)
            return f"{match['picture']}[{match['text']}]({path}{'#' + heading if heading else ''})"

        text = (ROOT / page).read_text(encoding="utf-8")
        ends = [0, *(end for block in CODE.finditer(text) for end in block.span()), len(text)]
        pieces = [text[begin:end] for begin, end in pairwise(ends)]
        return "".join(piece if i % 2 else LINKED.sub(linked, piece) for i, piece in enumerate(pieces))

    def install_pages(self) -> None:
        """Writes all pages."""
        for page in self.pages:
            place = self.prefix / DOCUMENTS / page
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.text_of(page), encoding="utf-8")


if __name__ == "__main__":
    Tree(Path(sys.argv[1])).install_pages()
