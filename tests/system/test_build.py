"""What the build refuses, profile-guided optimisation, and which files clang-tidy checks."""

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


@pytest.mark.parametrize("change", ["-DCMAKE_SYSTEM_PROCESSOR=ppc64le", "-DCMAKE_SYSTEM_NAME=FreeBSD"])
def test_other_processors_and_kernels_are_refused_at_once_with_what_is_missing(tmp_path, change):
    system = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64", change]
    command = ["cmake", "-S", PROJECT, "-B", tmp_path, "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", *system]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    said = " ".join(run.stderr.split())
    assert run.returncode != 0
    assert run.stderr.count("CMake Error") == 1
    assert f"not for {change.split('=')[1]}" in said or f"under {change.split('=')[1]}" in said
    assert "models/native/interpreted" in said


def test_without_catch2_there_are_no_tests_and_all_else_is_built(tmp_path):
    command = ["cmake", "-G", "Ninja", "-S", PROJECT, "-B", tmp_path, "-DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert "No tests: Catch2 2.13 or newer was not found (scripts/install test)" in run.stdout
    listing = ["ninja", "-C", tmp_path, "-t", "targets", "all"]
    targets = subprocess.run(listing, capture_output=True, text=True, check=True)
    names = [line.split(":")[0] for line in targets.stdout.splitlines()]
    assert "sanvp" in names
    assert "unit_tests" not in names


def profile(folder, program: str) -> subprocess.CompletedProcess:
    """The workload, with a shell script as the instrumented program. Two folders have a profile of an older version."""
    profiles = [folder / name for name in ("net", "host of it")]
    for place in profiles:
        (place / "models").mkdir(parents=True)
        (place / "models" / "before.cpp.gcda").touch()
    script = folder / "program"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    script.chmod(0o755)
    told = [f"-DPROGRAM={script}", f"-DPROFILES={';'.join(map(str, profiles))}", f"-DSCRATCH={folder}"]
    command = ["cmake", *told, "-P", f"{PROJECT}/cmake/PgoWorkload.cmake"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_new_profile_replaces_the_one_before(tmp_path):
    folder = tmp_path / "with a space"
    run = profile(folder, f"touch '{folder}/net/models/now.cpp.gcda'")
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert [path.name for path in folder.rglob("*.gcda")] == ["now.cpp.gcda"]


def test_a_workload_that_fails_leaves_no_old_profile_and_stops_no_build(tmp_path):
    run = profile(tmp_path, "exit 3")
    assert run.returncode == 0
    assert "sanvp traffic qsnet-64 uniform" in run.stderr
    assert "sanvp run qsnet-16 halo" in run.stderr
    assert list(tmp_path.rglob("*.gcda")) == []


def profile_guided_build() -> Path:
    build = Path(SANVP).resolve().parent
    if not (build / "pgo" / "profile_stamp.hpp").exists():
        pytest.skip("this build is not profile-guided; scripts/test --long tests one")
    return build


@pytest.mark.parametrize("folder", ["net", "switches", "native", "nic", "host"])
def test_models_are_compiled_again_after_a_new_profile(folder):
    build = profile_guided_build()
    source = sorted((PROJECT / "models" / folder).rglob("*.cpp"))[0].relative_to(PROJECT)
    told = ["ninja", "-C", build, "-t", "deps", f"CMakeFiles/sanvp_models_{folder}.dir/{source}.o"]
    includes = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert f"{build}/pgo/profile_stamp.hpp" in includes


@pytest.mark.parametrize("source", ["models/net/worm/turns.cpp", "models/nic/elan3/thread_processor.cpp"])
def test_all_functions_that_the_workload_ran_have_their_profile_those_of_one_file_alone_too(tmp_path, source):
    build = profile_guided_build()
    database = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in database if entry["file"] == str(PROJECT / source))
    words = [word for word in shlex.split(command) if word not in ("-Wno-missing-profile", "-Werror", "-flto=auto")]
    name = words[words.index("-o") + 1]
    words[words.index("-o") + 1] = str(tmp_path / "object.o")
    while not words[0].endswith(("g++", "c++")):  # ccache
        words.pop(0)
    words += ["-Wmissing-profile", "-dumpbase", name, "-dumpbase-ext", ".o"]
    run = subprocess.run(words, cwd=build, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "missing-profile" not in run.stderr, run.stderr


def test_a_profile_guided_build_simulates_the_same(tmp_path):
    plain = PROJECT / "build" / "sanvp"
    guided = profile_guided_build() / "sanvp"
    if not plain.exists():
        pytest.skip("there is no plain build beside it")
    traffic = ["traffic", "qsnet-64", "uniform", "--load", "0.5", "--packets", "5000"]
    for program in (plain, guided):
        subprocess.run([program, *traffic, "--out", tmp_path / program.parent.name], check=True, capture_output=True)
    tables = sorted(path.name for path in (tmp_path / "build").glob("*.csv"))
    assert tables
    for table in tables:
        assert (tmp_path / "build" / table).read_bytes() == (tmp_path / guided.parent.name / table).read_bytes(), table


def tidy(monkeypatch) -> dict:
    monkeypatch.setattr(sys, "path", [str(PROJECT / "scripts"), *sys.path])
    return runpy.run_path(str(PROJECT / "scripts" / "tidy.py"))


def test_clang_tidy_of_what_changed_takes_changed_sources_and_one_source_for_each_changed_header(monkeypatch):
    touched = tidy(monkeypatch)["touched"]
    net = PROJECT / "models" / "net"
    sources = sorted(net.glob("*.cpp"))
    network, other = net / "network.cpp", next(source for source in sources if source.stem != "network")
    assert touched(sources, {other}) == {other}
    assert touched(sources, {net / "network.hpp"}) == {network}
    assert touched(sources, {net / "network.hpp", network}) == {network}
    assert touched(sources, {PROJECT / "README.md", PROJECT / "gone.cpp"}) == set()


def test_what_changed_is_told_from_the_merge_base_and_on_main_from_the_parent_of_head(monkeypatch, tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", tmp_path, *identity, *arguments], check=True, capture_output=True)

    def commit(name):
        (tmp_path / name).touch()
        git("add", name)
        git("commit", "-m", name)

    changed_files = tidy(monkeypatch)["changed_files"]
    monkeypatch.setitem(changed_files.__globals__, "ROOT", tmp_path)
    assert changed_files() is None  # no history
    git("init", "-b", "main")
    commit("first")
    assert changed_files() is None
    commit("second")
    (tmp_path / "new").touch()
    assert changed_files() == {tmp_path / "second", tmp_path / "new"}
    git("checkout", "-b", "branch")
    commit("third")
    commit("fourth")
    assert changed_files() == {tmp_path / name for name in ("third", "fourth", "new")}


def test_clangd_leaves_out_the_flags_that_clang_tidy_is_not_given(monkeypatch):
    left_out = tidy(monkeypatch)["GCC_ONLY"]
    patterns = yaml.safe_load((PROJECT / ".clangd").read_text())["CompileFlags"]["Remove"]
    for flag in left_out:
        assert any(fnmatch.fnmatchcase(flag + "x" * pattern.endswith("*"), pattern) for pattern in patterns), flag
