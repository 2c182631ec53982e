"""Paths of the project."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUDIES = ROOT / "scripts" / "studies"
RESULTS = ROOT / "results" / "study"
SANVP = Path(os.environ.get("SANVP", ROOT / "build" / "sanvp"))


def shown(path: Path) -> str:
    """A path for messages: relative to the project's root if it lies inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def from_here(path: Path) -> str:
    """A path for the user to open: relative to the working folder if it lies inside."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
