"""Machines whose drivers and firmware are interpreted (models/native/interpreted), as on ARM."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from apps import EVERYWHERE, MACHINES
from binaries import APPS, needs_compilers
from program import DONE, SANVP, USER_MISTAKE

pytestmark = needs_compilers
INTERPRETED = {**os.environ, "SANVP_IMAGES": "interpreted"}


def run(folder: Path, *arguments: object, environment: dict[str, str] | None = None) -> tuple[int, str, str, dict]:
    """Status, output, messages and results; these without the time of the simulator."""
    file = folder / "result.json"
    file.unlink(missing_ok=True)
    command = [SANVP, "run", str(arguments[0]), "--json", str(file), *map(str, arguments[1:])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    values = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    values.pop("cpu_time_s", None)
    return done.returncode, done.stdout, done.stderr, values


@pytest.mark.parametrize("machine", MACHINES)
def test_interpreted_drivers_and_firmware_give_the_same_bytes(tmp_path: Path, machine: str) -> None:
    ranks, *options = EVERYWHERE["collectives"]
    command = (machine, APPS / "collectives", "--np", ranks, "--", *options)
    expected = run(tmp_path, *command)
    assert expected[0] == DONE, expected[2]
    assert run(tmp_path, *command, environment=INTERPRETED) == expected


def test_apps_that_come_with_sanvp_run_as_riscv_by_themselves(tmp_path: Path) -> None:
    asked = run(tmp_path, "qsnet-16", "hello", "--cpu", "riscv", "--np", 4)
    assert asked[0] == DONE and "[3] hello from rank 3 of 4" in asked[1]
    assert asked[3]["instructions"] > 0
    assert run(tmp_path, "qsnet-16", "hello", "--np", 4, environment=INTERPRETED) == asked


def test_a_native_program_is_refused_in_one_line_that_says_how_to_compile_it(tmp_path: Path) -> None:
    native = Path(SANVP).with_name("sw") / "apps" / "hello.so"
    status, out, err, _ = run(tmp_path, "qsnet-16", native, "--np", 4, environment=INTERPRETED)
    assert (status, out) == (USER_MISTAKE, "")
    assert err.count("\n") == 1
    assert "hello.so" in err and "x86-64 alone" in err and "--target riscv64" in err
