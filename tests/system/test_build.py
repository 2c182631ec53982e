"""What the build refuses, and its trial of what is trained."""

from __future__ import annotations

import fnmatch
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from program import PROJECT, SANVP


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


def train(folder, program: str) -> subprocess.CompletedProcess:
    """The trial, for objects in two folders, with a shell script that counts; in each, one count is of before."""
    places = {kind: [folder / f"{kind} {part}" for part in ("net", "host")] for kind in ("counted", "used")}
    for place in (*places["counted"], *places["used"]):
        place.mkdir(parents=True)
        (place / "before.cpp.gcda").touch()
    script = folder / "program"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    script.chmod(0o755)
    lists = [f"-D{kind.upper()}={';'.join(map(str, of))}" for kind, of in places.items()]
    command = ["cmake", f"-DPROGRAM={script}", *lists, f"-DPLACE={folder}", "-P", f"{PROJECT}/cmake/Train.cmake"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_counts_of_the_trial_are_put_beside_the_objects_that_use_them(tmp_path):
    folder = tmp_path / "with a space"
    run = train(folder, f"touch '{folder}/counted net/now.cpp.gcda' '{folder}/counted host/too.cpp.gcda'")
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert [path.name for path in (folder / "used net").iterdir()] == ["now.cpp.gcda"]
    assert [path.name for path in (folder / "used host").iterdir()] == ["too.cpp.gcda"]


def test_a_trial_that_fails_leaves_no_counts_of_before_and_stops_no_build(tmp_path):
    run = train(tmp_path, "exit 3")
    assert run.returncode == 0
    assert "sanvp traffic qsnet-64 uniform" in run.stderr
    assert "sanvp run qsnet-64 halo" in run.stderr
    assert list((tmp_path / "used net").iterdir()) == list((tmp_path / "used host").iterdir()) == []


@pytest.mark.parametrize("source", ["net/network", "nic/elan3/link", "host/cpu", "native/thread"])
def test_what_is_trained_is_compiled_again_after_new_trials(source):
    build = Path(SANVP).parent
    if "SANVP_TRAIN:BOOL=ON" not in (build / "CMakeCache.txt").read_text(encoding="utf-8"):
        pytest.skip("this build is not trained")
    target = f"CMakeFiles/sanvp_models_{source.split('/')[0]}.dir/models/{source}.cpp.o"
    told = ["ninja", "-C", build, "-t", "deps", target]
    includes = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert f"{build.resolve()}/training/trained.hpp" in includes


def test_clangd_leaves_out_the_flags_that_clang_tidy_is_not_given(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(PROJECT / "scripts"), *sys.path])
    left_out = runpy.run_path(str(PROJECT / "scripts" / "tidy.py"))["GCC_ONLY"]
    patterns = yaml.safe_load((PROJECT / ".clangd").read_text())["CompileFlags"]["Remove"]
    for flag in left_out:
        assert any(fnmatch.fnmatchcase(flag + "x" * pattern.endswith("*"), pattern) for pattern in patterns), flag
