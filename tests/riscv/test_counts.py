"""As many instructions are executed as qemu-riscv64 executes."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from toolchain import WAYS, by_interpreter, by_qemu, compile_program, needs_toolchain

pytestmark = needs_toolchain
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = subprocess.run(["qemu-riscv64", "-h"], check=True, capture_output=True, text=True).stdout
    if "-plugin" not in options:
        pytest.skip("this qemu-riscv64 takes no plugins")
    library = tmp_path_factory.mktemp("plugin") / "count.so"
    command = ["gcc", "-shared", "-fPIC", "-O2", str(HERE / "count_plugin.c"), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True)
    return library


@pytest.fixture
def in_tmp() -> Iterator[Path]:
    """A program's place right in /tmp: there it has the same path in both, and the C library counts its characters."""
    with tempfile.TemporaryDirectory(dir="/tmp") as unique:
        program = Path(unique + "-program")
        yield program
        program.unlink(missing_ok=True)


def count_in(text: str) -> int:
    found = re.search(r"instructions (\d+)", text)
    assert found is not None, text
    return int(found[1])


@WAYS
@pytest.mark.parametrize("name", ["sieve.c", "linpack.c", "sorting.c", "life.c"])
def test_the_counts_are_equal(tmp_path: Path, in_tmp: Path, plugin: Path, name: str, way: tuple[str, ...]) -> None:
    program = compile_program(HERE / "programs" / name, in_tmp, "-lm")
    log = tmp_path / "log"
    # The kernel's version is of a length that start-up code parses.
    options = ("-r", "6.1.0", "-plugin", str(plugin), "-d", "plugin", "-D", str(log))
    by_qemu(program, folder=tmp_path, options=options)
    errors = by_interpreter(program, folder=tmp_path, options=("--report", *way)).errors
    assert count_in(errors.decode()) == count_in(log.read_text(encoding="ascii"))
    assert count_in(errors.decode()) > 500_000
