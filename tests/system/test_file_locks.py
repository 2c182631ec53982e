"""Ranks exclude each other by locks of files (tests/binaries/file_locks.c), natively and in programs for RISC-V."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import done

pytestmark = needs_compilers

MACHINES = ("qsnet-16", "myrinet-8", "gcel-64")
TARGETS = {"native": [], "riscv": ["--target", "riscv64"]}
FILES = {"free": [], "disk": ["-s", "host.disk.type=disk"]}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("file_locks")
    for kind, target in TARGETS.items():
        made = wrapper("sanvp-cc", *target, "-O2", SOURCES / "file_locks.c", "-o", kind, cwd=folder)
        assert (made.returncode, made.stderr) == (0, "")
    return {kind: folder / kind for kind in TARGETS}


def counted(program: Path, machine: str, way: str, folder: Path, *options: object) -> tuple[int, int]:
    run = done("run", machine, program, "--np", 5, "--map", "0,0,1,2,2", *options, "--", way, "numbers", cwd=folder)
    assert "wrong" not in run.out
    sum_, all_ = re.fullmatch(r"\[0\] counted (\d+) of (\d+)\n", run.out).groups()
    return int(sum_), int(all_)


@pytest.mark.parametrize("files", FILES)
@pytest.mark.parametrize("way", ["flock", "fcntl", "open", "lockf"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", TARGETS)
def test_no_addition_under_a_lock_is_lost(compiled, tmp_path, kind, machine, way, files):
    assert counted(compiled[kind], machine, way, tmp_path, *FILES[files]) == (50, 50)


@pytest.mark.parametrize("kind", TARGETS)
def test_without_a_lock_additions_are_lost(compiled, tmp_path, kind):
    sum_, _ = counted(compiled[kind], "qsnet-16", "none", tmp_path)
    assert sum_ < 50
