"""A run of the program, with its place among the values of a study's axes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .project import ROOT
from .series import Scalar


@dataclass(frozen=True)
class Point:
    """One run of the program."""

    run: str
    coordinates: tuple[Scalar, ...]
    command: tuple[str, ...]
    tables: tuple[str, ...]
    seed: Scalar | None = None  # if the run is repeated with several
    folder: Path = ROOT  # where it runs
    warm_start: str = ""  # the time up to which others that differ in later faults may run with it; "": none
