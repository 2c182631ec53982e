"""Fixtures for tests of several files; which tests are left out where no native programs run."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from program import SANVP
from study_bench import Bench, make_bench

X86_64 = 62  # e_machine of ELF


# CMake's own choice is make, which a small system has not.
os.environ.setdefault("CMAKE_GENERATOR", "Ninja")


def runs_native_programs() -> bool:
    """Whether the program that is tested is one of x86-64, and is not asked to do as others do."""
    library = Path(SANVP).with_name("libsanvp.so")  # what is tested may be a script that calls an emulator
    header = (library if library.is_file() else Path(SANVP)).open("rb").read(20)
    return struct.unpack_from("<H", header, 18)[0] == X86_64 and os.environ.get("SANVP_IMAGES") != "interpreted"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if runs_native_programs():
        return
    lines = Path(__file__).with_name("native.txt").read_text(encoding="utf-8").splitlines()
    native = [line for line in lines if line and not line.startswith("#")]
    left_out = [item for item in items if any(f"/{item.nodeid}".split("/")[-1].startswith(name) for name in native)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A folder for studies, and a script in the program's place."""
    return make_bench(tmp_path)
