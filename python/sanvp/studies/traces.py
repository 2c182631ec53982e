"""Traces as the programs of runs: GOAL files, also ones that a study makes (sanvp.convert)."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import program
from .errors import StudyError
from .expressions import Template
from .yaml_file import known, text

PACKAGES = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Trace:
    """A file that a study makes, by the words of `sanvp convert`."""

    file: Path
    words: tuple[str, ...]
    folder: Path  # where relative paths start
    place: str

    @property
    def _command(self) -> list[str]:
        return [*self.words, "-o", str(self.file)]

    def is_current(self) -> bool:
        """Whether the file was made by these words, which its first line has."""
        try:
            with self.file.open(encoding="utf-8") as lines:
                return lines.readline().strip() == "// sanvp convert " + shlex.join(self._command)
        except (OSError, UnicodeDecodeError):
            return False

    def make(self) -> None:
        """Makes it. What the converter says to a mistake is the message of a StudyError."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        code = f"import sys; sys.path.insert(0, {str(PACKAGES)!r}); from sanvp.convert.__main__ import main; "
        command = [sys.executable, "-B", "-c", code + "sys.exit(main(sys.argv[1:]))", *self._command]
        ended = program.start(command, self.folder, keep_output=True)
        if ended.status != 0:
            said = " / ".join(line for line in ended.errors.splitlines() if line.strip())
            raise StudyError(f"{self.place}: {said.removeprefix('error: ')}")


@dataclass(frozen=True)
class TraceOfRun:
    """A run's `trace`: the file, and what makes it (empty: it is there)."""

    file: Template
    made: tuple[Template, ...]


def read_trace(value: object, place: str, split: Any) -> TraceOfRun:
    """Reads `trace`: a file, or {file: F, from: FORMAT WORDS...}. @param split  a text into words"""
    if not isinstance(value, Mapping):
        return TraceOfRun(Template(text(value, place), place), ())
    entry = known(value, place, ("file", "from"), ())
    words = tuple(Template(word, f"{place}.from") for word in split(text(entry["from"], f"{place}.from")))
    return TraceOfRun(Template(text(entry["file"], f"{place}.file"), f"{place}.file"), words)


def with_trace(command: tuple[str, ...], file: str, place: str) -> tuple[str, ...]:
    """The command with the trace as its program: on a network alone (`traffic`), or on whole machines (`run`)."""
    if len(command) < 2 or command[0] not in ("traffic", "run"):
        raise StudyError(
            f"{place}.command: with a trace it is `traffic MACHINE` or `run MACHINE`, perhaps with options, not "
            f"'{' '.join(command)}'"
        )
    if "--" in command:
        raise StudyError(f"{place}.command: `--` is of a program's arguments, and the program is the trace")
    if command[0] == "traffic":
        return (*command[:2], "goal", "--file", file, "--critical-path", *command[2:])
    return (*command[:2], "goal", *command[2:], "--", "--file", file)
