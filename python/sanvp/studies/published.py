"""Values of other programs, or of a paper, which a study shows beside its own: CSV files that a study file names."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import StudyError, one_of
from .functions import cell_value
from .project import shown
from .series import Key, Scalar, Series, Value, plain
from .yaml_file import known, mapping, text


@dataclass(frozen=True)
class Data:
    """A CSV file, and the columns that are a row's coordinates."""

    place: str
    file: Path
    index: Mapping[str, str]  # axis: column
    rows: tuple[Mapping[str, str], ...]

    def coordinates(self, axis: str) -> list[Scalar]:
        """The axis's values, each once."""
        return list(dict.fromkeys(cell_value(row[self.index[axis]]) for row in self.rows))

    def series(self, column: str) -> Value:
        """A column over the file's axes. A row whose cell is empty has no value."""
        cells: dict[Key, Scalar] = {}
        for row in self.rows:
            if column not in row:
                raise StudyError(f"{self.place}: no column '{column}' in {shown(self.file)}: {one_of(column, row)}")
            if row[column] != "":
                cells[tuple(cell_value(row[name]) for name in self.index.values())] = cell_value(row[column])
        return plain(Series(tuple(self.index), cells))


def read_data(name: str, value: object, place: str, beside: Path) -> Data:
    """Reads an entry of `data`. @param beside  the folder of the study file, where the file's path starts"""
    if not name.isidentifier():
        raise StudyError(f"{place}: '{name}' cannot name data")
    entry = known(value, place, ("file", "index"), ())
    index = {
        axis: text(column, f"{place}.index.{axis}")
        for axis, column in mapping(entry["index"], f"{place}.index").items()
    }
    file = beside / text(entry["file"], f"{place}.file")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"{place}.file: {shown(file)} cannot be read: {error}") from None
    rows = tuple(csv.DictReader(line for line in lines if not line.startswith("#")))
    if not rows:
        raise StudyError(f"{place}.file: {shown(file)} has no rows below its head")
    for row in rows:
        if None in row or None in row.values():
            raise StudyError(f"{place}.file: {shown(file)} has a row with other columns than its head")
        for column in index.values():
            if column not in row:
                raise StudyError(f"{place}.index: no column '{column}' in {shown(file)}: {one_of(column, row)}")
    return Data(place, file, index, rows)
