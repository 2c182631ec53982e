"""Fixtures for tests of several files."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_bench import Bench, make_bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder for studies, and a script in the program's place."""
    return make_bench(tmp_path)
