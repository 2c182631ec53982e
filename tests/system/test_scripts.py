"""The scripts that install and build: what they print, how they wait, and the environment that they leave."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from program import PROJECT, SANVP

# Commands in the place of the system's: each is a script of a few lines.
MISSING = "echo 'unknown ok not-installed'"
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder before all others of PATH."""
    folder = tmp_path / "commands"
    folder.mkdir()
    return folder


def put(folder: Path, name: str, text: str) -> None:
    """Puts a shell script into a folder."""
    script = folder / name
    script.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
    script.chmod(0o755)


def in_library(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs shell code after scripts/lib.sh; standard input would give an answer to each question."""
    path = f"{folder / 'commands'}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", f"source '{PROJECT}/scripts/lib.sh'\n{code}", "a-script"],
        capture_output=True,
        text=True,
        input="yes\n" * 9,
        cwd=folder,
        env={**os.environ, "PATH": path, "LOG": "/a/variable/of/the/user's"},
        check=False,
        timeout=60,
    )


def test_a_build_of_a_thousand_steps_is_a_line_for_each_tenth(tmp_path: Path, commands: Path) -> None:
    steps = 'for i in {1..981}; do echo "[$i/981] Building CXX object x.o"; done'
    put(commands, "cmake", f"[[ $1 == --preset ]] || {{ echo '[0/2] Re-checking globbed directories...'; {steps}; }}")
    run = in_library("LOG=$PWD/log; make_environment() { :; }; build_preset ci sanvp", tmp_path)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.split("\n")
    assert lines[1] == "== building (preset ci)"
    assert lines[2:-1] == [f"  {-(-981 * tenth // 10) or 1} of 981 steps" for tenth in range(11)]
    assert (tmp_path / "log").read_text().count("\n") == 982


def test_a_build_that_fails_shows_the_end_of_its_log_and_the_log(tmp_path: Path, commands: Path) -> None:
    put(commands, "cmake", "[[ $1 == --preset ]] || { seq 99 | sed 's/.*/row &./'; echo 'x.cpp:7: error'; exit 1; }")
    run = in_library("LOG=$PWD/log; build_preset ci sanvp; echo went on", tmp_path)
    assert run.returncode == 1
    assert "went on" not in run.stdout
    assert "row 81.\n" in run.stderr
    assert "row 80." not in run.stderr
    last = f"a-script: failed: cmake --build --preset ci --target sanvp; the whole log is in {tmp_path}/log\n"
    assert run.stderr.endswith(f"x.cpp:7: error\n{last}")


def test_apt_get_is_tried_again_while_another_one_holds_the_lock_of_its_lists(tmp_path: Path, commands: Path) -> None:
    tries = f"echo >>tries; (($(wc -l <tries) > 2)) || {{ echo '{LOCKED}'; exit 100; }}"
    put(commands, "dpkg-query", MISSING)
    put(commands, "sleep", "")
    put(commands, "id", "echo 0")
    put(commands, "apt-get", f'if [[ $1 == update ]]; then {tries}; else echo "$@" >installed; head -c 1; fi')
    run = in_library("LOG=$PWD/log; need study", tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("waiting for another apt-get to end") == 1
    assert "-o DPkg::Lock::Timeout=600 python3-matplotlib" in (tmp_path / "installed").read_text()
    assert (tmp_path / "log").read_text() == "\n"  # of apt-get update; the installation reads no answer


def test_without_the_network_apt_get_is_not_tried_again(tmp_path: Path, commands: Path) -> None:
    put(commands, "dpkg-query", MISSING)
    put(commands, "id", "echo 0")
    put(commands, "apt-get", "echo 'E: Failed to fetch'; exit 100")
    run = in_library("need study", tmp_path)
    assert run.returncode == 1
    assert run.stderr == "a-script: apt-get update: E: Failed to fetch\n"


def test_without_root_nothing_is_installed_if_all_packages_are_there(tmp_path: Path, commands: Path) -> None:
    for name in ("sudo", "apt-get"):
        put(commands, name, "echo called; exit 1")
    put(commands, "id", "echo 1000")
    put(commands, "dpkg-query", "echo 'install ok installed'")
    run = in_library("need build study riscv", tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    put(commands, "dpkg-query", MISSING)
    refused = in_library("need dask", tmp_path)
    assert refused.returncode == 1
    assert "as root, run: apt-get install --no-install-recommends python3-distributed\n" in refused.stderr


@pytest.mark.parametrize("has", [True, False])
def test_the_reference_compiler_is_installed_where_the_system_has_it(tmp_path: Path, commands: Path, has: bool) -> None:
    """On Debian 12 it is the system's own, and a later Debian may have it no longer."""
    there = "echo 'Candidate: 12.4.0-5'"
    put(commands, "uname", "echo x86_64")
    put(commands, "id", "echo 0")
    put(commands, "dpkg-query", f"[[ $* != *gcc-12* ]] || {{ {MISSING}; exit; }}; echo 'install ok installed'")
    put(commands, "apt-cache", there if has else f"[[ $* == *gcc-12* ]] || {there}")
    put(commands, "apt-get", 'echo "$@" >>called')
    run = in_library("LOG=$PWD/log; need build study", tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert ("installing with apt-get: gcc-12\n" in run.stdout) == has
    assert (tmp_path / "called").exists() == has
    put(commands, "dpkg-query", MISSING)
    all_missing = in_library("LOG=$PWD/log; need build", tmp_path)
    assert (all_missing.returncode, all_missing.stderr) == (0, "")
    assert (" gcc-12" in (tmp_path / "called").read_text().splitlines()[-1]) == has


def test_without_root_the_reference_compiler_is_not_missed(tmp_path: Path, commands: Path) -> None:
    for name in ("sudo", "apt-get"):
        put(commands, name, "echo called; exit 1")
    put(commands, "id", "echo 1000")
    put(commands, "apt-cache", "echo 'Candidate: 12.4.0-5'")
    put(commands, "dpkg-query", f"[[ $* != *gcc-12* ]] || {{ {MISSING}; exit; }}; echo 'install ok installed'")
    run = in_library("need build", tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_the_environment_that_is_left_finds_the_package_and_the_programs(tmp_path: Path) -> None:
    venv = tmp_path / "a venv"
    for _ in range(2):  # the second time it is there
        made = in_library(f"VENV='{venv}' make_environment", tmp_path)
        assert made.returncode == 0, made.stderr
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SANVP")}
    code = "import sanvp, sys; print(sanvp.__file__, sys.prefix)"
    shell = f"source '{venv}/bin/activate' && python3 -c '{code}'"
    run = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path, env=plain, check=False)
    assert run.stdout == f"{PROJECT}/python/sanvp/__init__.py {venv}\n", run.stderr
    kernel = "import jupyter_client.kernelspec as k; print(k.KernelSpecManager().get_kernel_spec('python3').argv[0])"
    found = subprocess.run([f"{venv}/bin/python", "-c", kernel], capture_output=True, text=True, env=plain, check=False)
    if "No module named 'jupyter_client'" not in found.stderr:
        assert found.stdout == f"{venv}/bin/python\n", found.stderr


def test_the_studies_of_quickstart_explain_what_disagrees_with_the_papers(tmp_path: Path) -> None:
    script = (PROJECT / "scripts/quickstart").read_text(encoding="utf-8")
    studies = re.search(r"^studies=\((.*)\)$", script, re.MULTILINE)
    assert studies
    names = studies[1].split()
    command = [PROJECT / "scripts/study", "--results", tmp_path]
    subprocess.run(
        [*command, "run", "--quick", *names], check=True, env={**os.environ, "SANVP": str(Path(SANVP).resolve())}
    )
    told = subprocess.run([*command, "report", "--json", "-", *names], capture_output=True, text=True, check=True)
    rows = {row["id"]: row for row in json.loads(told.stdout) if row["measured"] is not None}
    disagree = [row for row in rows.values() if row["verdict"] not in ("within tolerance", "shape holds")]
    assert all(row["cause"] for row in disagree), disagree
    assert rows["qs.lat.mpi.0"]["verdict"] == "within tolerance"


def test_quickstart_refuses_what_it_does_not_know() -> None:
    run = subprocess.run(
        [PROJECT / "scripts/quickstart", "--wiht", "riscv"], capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "'--wiht' is not understood; usage: scripts/quickstart [--with FEATURE]..." in run.stderr
