"""Fixtures for tests of several files, and the option --long."""

from __future__ import annotations

from pathlib import Path

import pytest
from study_bench import Bench, make_bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder for studies, and a script in the program's place."""
    return make_bench(tmp_path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that are marked `long`")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
