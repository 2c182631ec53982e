"""Programs of a study's own: compiled by sanvp-cc when their source is newer."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import program
from .errors import StudyError
from .project import shown
from .yaml_file import known, mapping, text

_HEADERS = ("*.h", "*.hpp", "*.hh")
MOST_LINES = 20  # of what the compiler says


@dataclass(frozen=True)
class Program:
    """A program and what it is made of."""

    file: Path
    sources: tuple[Path, ...]
    options: tuple[str, ...]
    place: str

    def is_current(self) -> bool:
        """Whether it is newer than its sources, the headers beside them, and the file that has its options."""
        if not self.file.is_file():
            return False
        made = self.file.stat().st_mtime_ns
        headers = {header for source in self.sources for kind in _HEADERS for header in source.parent.glob(kind)}
        return all(path.stat().st_mtime_ns <= made for path in (*self.sources, *headers))

    def compile(self) -> None:
        """Compiles it. What the compiler says to a mistake is the message of a StudyError."""
        compiler = program.find("sanvp-cc")
        if not os.access(compiler, os.X_OK):
            raise StudyError(f"{self.place}: there is no {shown(compiler)} to compile it: run scripts/build first")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        command = [str(compiler), *map(str, self.sources), *self.options, "-o", str(self.file)]
        ended = program.start(command, self.sources[0].parent, keep_output=True)
        if ended.status != 0:
            said = "\n".join((ended.output + ended.errors).strip().splitlines()[:MOST_LINES])
            raise StudyError(f"{self.place}: cannot be compiled: {shlex.join(command)}\n{said}")


def read_programs(value: object, folder: Path, place: str) -> list[Program]:
    """Reads `programs`: {program: source}, or {program: {sources: [...], options: -O3}}."""
    programs = []
    for name, about in mapping(value, place).items():
        here = f"{place}.{name}"
        entry = about if isinstance(about, Mapping) else {"sources": about}
        entry = known(entry, here, ("sources",), ("options",))
        listed = entry["sources"] if isinstance(entry["sources"], list) else [entry["sources"]]
        sources = tuple(folder / text(source, f"{here}.sources") for source in listed)
        for source in sources or (folder,):
            if not source.is_file():
                raise StudyError(f"{here}: there is no source {shown(source)}")
        programs.append(Program(folder / name, sources, _options(entry.get("options", "-O2"), here), here))
    return programs


def _options(value: object, place: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text(value, f"{place}.options")))
    except ValueError as error:  # such as a quotation mark without another
        raise StudyError(f"{place}.options: {error}") from None
