"""Studies on Dask's workers give the bytes of a local run. Slurm's commands are scripts that run jobs at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from program import PROJECT, SANVP

pytestmark = pytest.mark.long

STUDY = """\
runs:
  sent: {command: 'traffic qsnet-16 uniform --load {load} --packets 300', axes: {load: [0.1, 0.3]}, seeds: 2}
  told:
    command: run qsnet-16 alltoall --np {ranks}
    axes: {ranks: [2, 4]}
    tables: {ranks: {index: {rank: rank}}}
figures:
  latency: {x: load, y: sent.latency_ns.mean}
  time: {x: ranks, y: told.time_us}
  ended: {x: rank, y: told.ranks.ended_ns}
anchors:
  more ranks take longer: {claim: so, ref: here, measured: "rises(told.time_us, 'ranks')"}
"""
SBATCH = """\
#!/bin/bash
echo "$(hostname)" >> submitted
bash "$1" > "job.$(wc -l < submitted)" 2>&1 &
echo "Submitted batch job $(wc -l < submitted)"
"""


def environment(**changes: str) -> dict[str, str]:
    known = {"SANVP": str(Path(SANVP).resolve()), "PYTHONPATH": str(PROJECT / "python")}
    return {**os.environ, **known, **changes}


def run(command: list[object], folder: Path, **changes: str) -> str:
    ended = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(**changes),
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def address_in(file: Path, seconds: float = 60) -> str:
    """The address that a scheduler writes when it has started."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            return json.loads(file.read_text())["address"]
        except (OSError, ValueError):
            time.sleep(0.1)
    raise TimeoutError(str(file))


def install(feature: str) -> None:
    if subprocess.run([PROJECT / "scripts" / "install", feature], check=False).returncode != 0:
        pytest.skip(f"what {feature} needs cannot be installed here")


def content(results: Path, folder: Path) -> dict[str, Any]:
    """What a study has left: the cache without what depends on the computer, and all files of its report."""
    run([sys.executable, "-B", "-m", "sanvp", "--results", results, "report", "./mine.yaml"], folder)
    found: dict[str, Any] = {}
    for file in sorted((results / "cache").glob("*.json")):
        kept = json.loads(file.read_text())
        kept["metrics"].pop("cpu_time_s")
        found[file.name] = [kept["command"], kept["metrics"], kept["tables"]]
    for file in [*sorted((results / "figures").iterdir()), results / "report.md"]:
        found[file.name] = file.read_bytes()
    return found


@pytest.fixture
def local(tmp_path: Path) -> dict[str, Any]:
    """A study in a folder, run here."""
    (tmp_path / "mine.yaml").write_text(STUDY)
    study = [sys.executable, "-B", "-m", "sanvp", "--results", "here", "run", "./mine.yaml"]
    run(study, tmp_path)
    return content(tmp_path / "here", tmp_path)


def test_a_local_cluster_gives_the_bytes_of_a_local_run(local: dict[str, Any], tmp_path: Path) -> None:
    install("dask")
    assert len(local) == 6 + 3 * 3 + 1  # points; PNG, SVG and values of each figure; the table
    cluster = PROJECT / "examples" / "dask" / "cluster.py"
    told = run([sys.executable, "-B", cluster, "local", "./mine.yaml", "there"], tmp_path)
    assert told == "sent: 4 points\ntold: 2 points\n"
    assert content(tmp_path / "there", tmp_path) == local


def test_a_scheduler_started_by_hand_takes_a_study(local: dict[str, Any], tmp_path: Path) -> None:
    install("dask")
    commands = [
        [
            "dask-scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            "scheduler.json",
        ],
        ["dask-worker", "--nthreads", "1", "--no-dashboard", "--scheduler-file", "scheduler.json"],
    ]
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # workers learn the path
    started = [
        subprocess.Popen(command, cwd=tmp_path, env=plain, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for command in commands
    ]
    try:
        address = address_in(tmp_path / "scheduler.json")
        command = ["-m", "sanvp", "--results", "there", "run", "./mine.yaml", "--scheduler", address]
        run([sys.executable, "-B", *command], tmp_path)
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(timeout=60)
    assert content(tmp_path / "there", tmp_path) == local


def test_workers_that_slurm_starts_give_the_same(local: dict[str, Any], tmp_path: Path) -> None:
    install("dask")
    install("slurm")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", "#!/bin/bash\n")):
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    interpreter = PROJECT / "build" / "venv" / "bin" / "python"
    cluster = PROJECT / "examples" / "dask" / "cluster.py"
    path = f"{commands}:{os.environ['PATH']}"
    told = run([interpreter, "-B", cluster, "slurm", "./mine.yaml", "there"], tmp_path, PATH=path)
    assert told == "sent: 4 points\ntold: 2 points\n"
    assert len((tmp_path / "submitted").read_text().split()) == 2
    assert content(tmp_path / "there", tmp_path) == local
