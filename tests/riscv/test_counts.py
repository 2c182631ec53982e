"""As many instructions are executed as qemu-riscv64 executes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from toolchain import WAYS, by_interpreter, by_qemu, compile_program, needs_toolchain

pytestmark = needs_toolchain
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("plugin") / "count.so"
    command = ["gcc", "-shared", "-fPIC", "-O2", str(HERE / "count_plugin.c"), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True)
    return library


def count_in(text: str) -> int:
    found = re.search(r"instructions (\d+)", text)
    assert found is not None, text
    return int(found[1])


@WAYS
@pytest.mark.parametrize("name", ["sieve.c", "linpack.c", "sorting.c", "life.c"])
def test_the_counts_are_equal(tmp_path: Path, plugin: Path, name: str, way: tuple[str, ...]) -> None:
    program = compile_program(HERE / "programs" / name, tmp_path / "program", "-lm")
    log = tmp_path / "log"
    # The kernel's version is of a length that start-up code parses.
    options = ("-r", "6.1.0", "-plugin", str(plugin), "-d", "plugin", "-D", str(log))
    by_qemu(program, folder=tmp_path, options=options)
    errors = by_interpreter(program, folder=tmp_path, options=("--report", *way)).errors
    assert count_in(errors.decode()) == count_in(log.read_text(encoding="ascii"))
    assert count_in(errors.decode()) > 500_000
