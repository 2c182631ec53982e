#!/usr/bin/python3
"""Finds words and references that must not be in the tree: unidiomatic words, openings and idioms of comments,
who-words for things, and references that a reader cannot follow (issue numbers, commit hashes, dates, files outside
the repository).

Identifiers count as words except in the idioms of comments, and a phrase may continue in the next line.
words_allowed.txt lists legitimate uses.

usage: words.py [ROOT]        exit status 1 and one line for each violation
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

import tree_check

if TYPE_CHECKING:
    from collections.abc import Iterator

ALLOWED_FILE = "tests/dependencies/words_allowed.txt"
# The checked folders.
FOLDERS = ("cmake", "docs", "examples", "models", "platform", "python", "scripts", "sw", "tests", "topologies")
# These files contain the words themselves.
EXCEPT = (ALLOWED_FILE, "tests/dependencies/words.py", "tests/dependencies/test_words.py")
SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".py", ".cmake", ".md", ".ini", ".yaml", ".sh", ""}

# A "who" after one of these is about people.
PEOPLE = re.compile(
    "people|person|users?|readers?|teachers?|students?|engineers?|developers?|programmers?|authors?|newcomers?", re.I
)
# Each pattern with what to write instead.
RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), cure)
    for pattern, cure in (
        (r"\b(?:nobody|somebody|anybody|whoever|whomever)\b", "things are not persons: name the thing"),
        (r"(?:(?P<before>\w+),? )?\b(?:who|whom)\b", "things are not persons: that, which"),
        (r"\bin vain\b", "no progress"),
        (r"\bc[oa]m(?:e|es|ing) to grief\b", "crash"),
        (r"\bchores?\b", "progress hooks"),
        (r"\bstash(?:es|ed)?\b", "unexpected-message queue"),
        (r"\broomy\b", "unbounded sink"),
        (r"\btake turn\b|\btake_turn\b", "inline dispatch"),
        (r"\brules? of choice\b", "arbitration policy, output-selection policy"),
        (r"\bno longer in mind\b", "superseded"),
        (r"\b(?:to reckon|reckoned|reckons) with\b", "used in arithmetic; considered"),
        (r"\b(?:passes|goes) unsaid\b|\bout unsaid\b", "is always reported"),
        (r"\banew\b", "again, from the start"),
        (r"\bof one's own\b", "of your own; name whose"),
        (r"\bissues? #?\d+\b", "readers do not have the list of issues: describe the matter"),
        (r"\b(?:[0-9a-f]{40}|(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7})\b", "no commit hashes"),
        (r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b", "no dates: the history is in git log"),
        (r"\.\./(?:papers|shared)\b", "readers do not have this folder"),
        (r"\bthe last commit\b|\banother computer\b", "readers cannot know which one"),
    )
)
# Openings and idioms of comments, with what to write instead: only for sources, whose comments have a beginning.
COMMENTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), cure)
    for pattern, cure in (
        (r"(?:^|[.:;] )Of\b", "begin with the subject: 'For ...', 'The ... of ...'"),
        (r"(?:^|[.:;] )Where\b", "'If', or the thing itself: 'The address of ...'"),
        (r"\b[Tt]here (?:is|are|was|were) none\b", "'if none exists', 'none is left'"),
        (r"\b(?:lies|lay)\b(?! (?:in wait|idle))", "'is'"),
        (r"\b(?:goes|went) on\b", "'continues'"),
    )
)
# The folders whose comments are checked.
COMMENTED = ("models", "platform", "sw", "topologies")
# A comment: lines that begin with //, or from /* to */. Literals are passed over.
COMMENT = re.compile(
    r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])+'", re.DOTALL
)
# Comment markers at the start of a line.
MARK = re.compile(r"^\s*(?:///<?|//|/\*+|\*+/?|#+|--|>)?\s*")


class Text:
    """The words of a text joined to one line, with the original line of each; those of identifiers too if wanted."""

    def __init__(self, text: str, has_identifiers: bool = True) -> None:
        self.starts: list[int] = []
        self.lines = text.split("\n")
        words, length = [], 0
        for line in self.lines:
            self.starts.append(length)
            stripped = MARK.sub("", line).rstrip()
            words.append(stripped.replace("_", " ") if has_identifiers else stripped)
            length += len(stripped) + 1
        self.words = " ".join(words)

    def line_of(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1


def allowances(root: Path) -> list[tuple[str, str]]:
    """Lines `PATH: PHRASE`: lines of that file with the phrase are not checked."""
    path = root / ALLOWED_FILE
    if not path.is_file():
        return []
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return [(name, phrase) for name, _, phrase in (line.partition(": ") for line in lines if line and line[0] != "#")]


def files(root: Path) -> list[Path]:
    """All checked files, in order: those in the root itself first."""
    return [path for path in sorted(root.glob("*")) if path.is_file() and path.suffix in (".md", ".txt")] + [
        path
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
        and path.suffix in SUFFIXES
        and "__pycache__" not in path.parts
        and path.relative_to(root).as_posix() not in EXCEPT
    ]


def in_text(text: Text) -> Iterator[tuple[int, str, str]]:
    """Banned words and references anywhere in a file: line, from 0, what was found, cure."""
    for pattern, cure in RULES:
        for match in pattern.finditer(text.words):
            if not PEOPLE.fullmatch(match.groupdict().get("before") or ""):
                yield text.line_of(match.end() - 1), match.group().strip(), cure


def in_comments(name: str, text: str) -> Iterator[tuple[int, str, str]]:
    """Banned openings and idioms of the comments of a source."""
    if not name.startswith(tuple(folder + "/" for folder in COMMENTED)):
        return
    if not name.endswith((".c", ".h", ".cpp", ".hpp")):
        return
    for comment in COMMENT.finditer(text):
        if not comment.group().startswith("/"):
            continue
        first, words = text.count("\n", 0, comment.start()), Text(comment.group(), has_identifiers=False)
        for pattern, cure in COMMENTS:
            for match in pattern.finditer(words.words):
                yield first + words.line_of(match.end() - 1), match.group().lstrip(".:; "), cure


def violations(root: Path) -> list[str]:
    """All violations in a tree, and allowances that are not needed."""
    found: list[str] = []
    allowed = allowances(root)
    needed: set[tuple[str, str]] = set()
    for path in files(root):
        name = path.relative_to(root).as_posix()
        content = path.read_text(encoding="utf-8", errors="replace")
        text = Text(content)
        for line, words, cure in (*in_text(text), *in_comments(name, content)):
            nearby = " ".join(text.lines[max(0, line - 1) : line + 1])
            excuses = [one for one in allowed if one[0] == name and one[1] in nearby]
            needed.update(excuses)
            if not excuses:
                found.append(f"{name}:{line + 1}: '{words}': {cure}")
    found += [
        f"{ALLOWED_FILE}: '{name}: {phrase}' is not needed" for name, phrase in allowed if (name, phrase) not in needed
    ]
    return found


if __name__ == "__main__":
    sys.exit(tree_check.main(violations, files))
