"""sanvp for 64-bit ARM, cross-compiled and run under qemu-user, gives the bytes that it gives on x86-64."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import APPS, SOURCES, needs_compilers, wrapper
from gdb_client import GDB
from program import DONE, PROJECT, SANVP, USER_MISTAKE

pytestmark = [pytest.mark.long, needs_compilers]
EMULATED = PROJECT / "build-arm64" / "sanvp-emulated"
TIMES = ("cpu_time_s", "wall_time_s")


@pytest.fixture(scope="module")
def arm64() -> str:
    if shutil.which("aarch64-linux-gnu-g++") is None or shutil.which("qemu-aarch64") is None:
        pytest.skip("no compiler for arm64, or no qemu: scripts/install arm64")
    subprocess.run([PROJECT / "scripts" / "build", "arm64"], check=True)
    return str(EMULATED)


def outcome(program: str, folder: Path, *arguments: object) -> tuple[int, str, str, object]:
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [program, *map(str, arguments), "--json", "result.json"],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    file = folder / "result.json"
    values = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name in TIMES:
        values.pop(name, None)
    return done.returncode, done.stdout, done.stderr, values


PACKETS = "".join(
    f"{10 * i} {i % 64} {(i * 7 + 1) % 64} {64 + i % 5 * 100}\n" for i in range(300) if i % 64 != (i * 7 + 1) % 64
)


@pytest.mark.parametrize(
    "command",
    [
        ("check", "qsnet-64"),
        ("check", "tofu-36"),
        ("traffic", "qsnet-64", "uniform", "--load", "0.4", "--packets", "3000", "--fidelity", "worm"),
        ("traffic", "qsnet-64", "uniform", "--load", "0.4", "--packets", "300", "--fidelity", "flit"),
        ("traffic", "myrinet-8", "uniform", "--load", "0.2:0.6:0.2", "--packets", "1000"),
        ("replay", "qsnet-64", "--traffic", "traffic.txt"),
        ("run", "qsnet-16", APPS / "cg", "--np", "4"),
        ("run", "myrinet-8", APPS / "allreduce", "--np", "4"),
        ("run", "tofu-36", APPS / "md", "--np", "4"),
        ("run", "macrame-clos-64", APPS / "collectives", "--np", "4"),
    ],
    ids=lambda command: " ".join(str(word).split("/")[-1] for word in command),
)
def test_the_same_command_gives_the_same_bytes(arm64: str, tmp_path: Path, command: tuple) -> None:
    for name in ("x86", "arm"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "traffic.txt").write_text(PACKETS)
    expected = outcome(SANVP, tmp_path / "x86", *command)
    assert expected[0] == DONE, expected[2]
    assert outcome(arm64, tmp_path / "arm", *command) == expected


def test_apps_run_as_riscv_by_themselves(arm64: str, tmp_path: Path) -> None:
    expected = outcome(SANVP, tmp_path / "x86", "run", "qsnet-64", "cg", "--cpu", "riscv")
    found = outcome(arm64, tmp_path / "arm", "run", "qsnet-64", "cg")
    assert expected[0] == DONE and "PASS" in expected[1]
    assert found == expected


def test_a_native_program_is_refused(arm64: str, tmp_path: Path) -> None:
    native = Path(SANVP).with_name("sw") / "apps" / "hello.so"
    status, _, err, _ = outcome(arm64, tmp_path, "run", "qsnet-16", native)
    assert status == USER_MISTAKE
    assert err.count("\n") == 1 and "--target riscv64" in err


def test_a_study_has_the_same_table(arm64: str, tmp_path: Path) -> None:
    tables = []
    for name, program in (("x86", SANVP), ("arm", arm64)):
        results = tmp_path / name
        study = [PROJECT / "scripts" / "study", "--results", results]
        environment = {**os.environ, "SANVP": program}
        for command in (["run", "--quick", "qsnet-load"], ["report", "qsnet-load", "--json", results / "report.json"]):
            subprocess.run([*study, *command], check=True, capture_output=True, text=True, env=environment)
        tables.append(json.loads((results / "report.json").read_text(encoding="utf-8")))
    assert tables[0] and tables[0] == tables[1]


def test_a_session_of_gdb_is_the_same(arm64: str, tmp_path: Path) -> None:
    if shutil.which(GDB) is None:
        pytest.skip(f"no {GDB}: scripts/install riscv")
    made = wrapper(
        "sanvp-cc", "--target", "riscv64", "-g", "-O1", SOURCES / "ring.c", "-o", tmp_path / "ring", cwd=tmp_path
    )
    assert made.returncode == 0, made.stderr
    script = [
        "break fill",
        "continue",
        "backtrace",
        "watch total",
        "continue",
        "delete",
        "finish",
        "print squares",
        "monitor time",
        "detach",
    ]
    said = []
    for program in (SANVP, arm64):
        run = subprocess.Popen(
            [program, "run", "qsnet-16", "./ring", "--np", "1", "--gdb", "0", "--gdb-wait"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert run.stderr is not None
        port = run.stderr.readline().split("target remote :")[1].split("'")[0]
        commands = [f"target remote :{port}", *script]
        gdb = [GDB, "-nx", "-batch", "ring", *(word for command in commands for word in ("-ex", command))]
        said.append(
            (subprocess.run(gdb, cwd=tmp_path, capture_output=True, text=True, check=True).stdout, run.communicate()[0])
        )
    assert "Hardware watchpoint" in said[0][0]
    assert said[1] == said[0]
