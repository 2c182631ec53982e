"""A run with `--check-mpi`, and what it found."""

from __future__ import annotations

import json
from pathlib import Path

from program import Result, sanvp

MACHINE = "qsnet-16"


def check(program: Path, folder: Path, *arguments: object, ranks: int = 4) -> tuple[Result, dict]:
    """A run on four ranks, and what it found."""
    run = sanvp("run", MACHINE, program, "--np", ranks, "--check-mpi", "--out", folder, "--", *arguments)
    return run, json.loads((folder / "mpi_check.json").read_text())
