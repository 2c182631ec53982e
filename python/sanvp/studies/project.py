"""Paths of the project, or of an installed tree, which has no project around it."""

from __future__ import annotations

from pathlib import Path

from .. import program

PACKAGES = Path(__file__).resolve().parents[2]  # the folder that Python imports `sanvp` from
ROOT = PACKAGES.parent
STUDIES = ROOT / "scripts" / "studies"
RESULTS = ROOT / "results" / "study" if STUDIES.is_dir() else Path("results") / "study"
SANVP = program.find()
_PREFIX = SANVP.resolve().parent.parent
# What a result depends on besides the program: images of host software, and machine files.
SOFTWARE = (SANVP.parent / "sw", _PREFIX / "lib" / "sanvp" / "sw")
MACHINES = (ROOT / "platform" / "machines", _PREFIX / "share" / "sanvp" / "machines")


def shown(path: Path) -> str:
    """A path for messages: relative to the project's root if it lies inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def from_here(path: Path) -> str:
    """A path for the user to open: relative to the working folder if it lies inside."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
