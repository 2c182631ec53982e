"""What the build refuses."""

from __future__ import annotations

import subprocess

import pytest
from program import PROJECT


@pytest.mark.parametrize("change", ["-DCMAKE_SYSTEM_PROCESSOR=aarch64", "-DCMAKE_SYSTEM_NAME=FreeBSD"])
def test_other_processors_and_kernels_are_refused_at_once_with_what_is_missing(tmp_path, change):
    system = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64", change]
    command = ["cmake", "-S", PROJECT, "-B", tmp_path, "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", *system]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = " ".join(run.stderr.split())
    assert run.returncode != 0
    assert run.stderr.count("CMake Error") == 1
    assert f"not for {change.split('=')[1]}" in said or f"under {change.split('=')[1]}" in said
    assert "stack_switch.cpp" in said
