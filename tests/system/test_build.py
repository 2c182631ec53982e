"""What the build refuses, and its trial of what is trained."""

from __future__ import annotations

import fnmatch
import json
import runpy
import shlex
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
    assert "models/native/safety_net.cpp" in said


def train(folder, program: str) -> subprocess.CompletedProcess:
    """The trial, for objects in two folders, with a shell script that counts; in each, one count is of before."""
    counts = [folder / name for name in ("net", "host of it")]
    for place in counts:
        (place / "models").mkdir(parents=True)
        (place / "models" / "before.cpp.gcda").touch()
    script = folder / "program"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    script.chmod(0o755)
    told = [f"-DPROGRAM={script}", f"-DCOUNTS={';'.join(map(str, counts))}", f"-DPLACE={folder}"]
    command = ["cmake", *told, "-P", f"{PROJECT}/cmake/Train.cmake"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_counts_of_a_trial_replace_those_of_before(tmp_path):
    folder = tmp_path / "with a space"
    run = train(folder, f"touch '{folder}/net/models/now.cpp.gcda'")
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert [path.name for path in folder.rglob("*.gcda")] == ["now.cpp.gcda"]


def test_a_trial_that_fails_leaves_no_counts_of_before_and_stops_no_build(tmp_path):
    run = train(tmp_path, "exit 3")
    assert run.returncode == 0
    assert "sanvp traffic qsnet-64 uniform" in run.stderr
    assert "sanvp run qsnet-16 halo" in run.stderr
    assert list(tmp_path.rglob("*.gcda")) == []


def trained_build() -> Path:
    build = Path(SANVP).resolve().parent
    if not (build / "training" / "trained.hpp").exists():
        pytest.skip("this build is not trained")
    return build


@pytest.mark.parametrize("folder", ["net", "switches", "native", "nic", "host"])
def test_what_is_trained_is_compiled_again_after_new_trials(folder):
    build = trained_build()
    source = sorted((PROJECT / "models" / folder).rglob("*.cpp"))[0].relative_to(PROJECT)
    told = ["ninja", "-C", build, "-t", "deps", f"CMakeFiles/sanvp_models_{folder}.dir/{source}.o"]
    includes = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert f"{build}/training/trained.hpp" in includes


@pytest.mark.parametrize("source", ["models/net/worm/turns.cpp", "models/nic/elan3/thread_processor.cpp"])
def test_all_functions_that_a_trial_ran_have_their_counts_those_of_one_file_alone_too(tmp_path, source):
    build = trained_build()
    database = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in database if entry["file"] == str(PROJECT / source))
    words = [word for word in shlex.split(command) if word not in ("-Wno-missing-profile", "-Werror", "-flto=auto")]
    trained = words[words.index("-o") + 1]
    words[words.index("-o") + 1] = str(tmp_path / "object.o")
    while not words[0].endswith(("g++", "c++")):  # ccache
        words.pop(0)
    words += ["-Wmissing-profile", "-dumpbase", trained, "-dumpbase-ext", ".o"]
    run = subprocess.run(words, cwd=build, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "missing-profile" not in run.stderr, run.stderr


def test_clangd_leaves_out_the_flags_that_clang_tidy_is_not_given(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(PROJECT / "scripts"), *sys.path])
    left_out = runpy.run_path(str(PROJECT / "scripts" / "tidy.py"))["GCC_ONLY"]
    patterns = yaml.safe_load((PROJECT / ".clangd").read_text())["CompileFlags"]["Remove"]
    for flag in left_out:
        assert any(fnmatch.fnmatchcase(flag + "x" * pattern.endswith("*"), pattern) for pattern in patterns), flag
