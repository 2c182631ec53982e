"""Threads of a rank that compete for messages of any source, by matched probes and receives."""

from __future__ import annotations

from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import done

pytestmark = needs_compilers


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("taken_once")
    made = wrapper("sanvp-cc", "--target", "riscv64", "-pthread", SOURCES / "taken_once.c", "-o", "program", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "program"


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize(
    "options",
    ["--np 1", "--np 3", "--np 2 -s host.cpus=3", "--map 0,0,1,1", "--map 0,0,0,0 -s host.cpus=2"],
)
def test_an_elan_gives_each_message_to_one_thread(program, options, way):
    """The threads take in turns: way n begins with another of the three ways."""
    result = done("run", "qsnet-16", program, *options.split(), "--", way)
    assert "0 messages were not taken once, wrong: 0" in result.out
