"""Paths of the project."""

from __future__ import annotations

from pathlib import Path

from .. import program

PACKAGES = Path(__file__).resolve().parents[2]  # the folder that Python imports `sanvp` from
ROOT = PACKAGES.parent
STUDIES = ROOT / "scripts" / "studies"
RESULTS = ROOT / "results" / "study"
SANVP = program.find()


def shown(path: Path) -> str:
    """A path for messages: relative to the project's root if it lies inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
