"""`run --seeds A:B`: one run for each seed, several at once, with the results of each by itself."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path

import pytest
from program import SANVP

USER_MISTAKE, PROGRAM_FAILED = 2, 4
# Daemons of the operating system interrupt ranks at times that the seed draws.
NOISE = ("daemons=tick", "tick.period=100us", "tick.duration=5us", "tick.cpus=all")
NOISY = tuple(word for setting in NOISE for word in ("-s", f"host.noise.{setting}"))


def sanvp(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SANVP, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, timeout=300
    )


def test_each_seed_has_the_results_of_a_run_with_it(tmp_path: Path) -> None:
    common = ("run", "qsnet-16", "allreduce", "--np", 8, *NOISY)
    program = ("--", "--least", 8, "--most", 8)
    many = sanvp(*common, "--seeds", "3:6", "--jobs", 3, "--out", "many", "--json", "many.json", *program, cwd=tmp_path)
    assert many.returncode == 0, many.stderr
    together = json.loads((tmp_path / "many.json").read_text())
    assert [run["seed"] for run in together["runs"]] == [3, 4, 5, 6]
    printed, times = "", []
    for run in together["runs"]:
        seed = run["seed"]
        options = ("--seed", seed, "--out", f"one-{seed}", "--json", f"{seed}.json")
        one = sanvp(*common, *options, *program, cwd=tmp_path)
        printed += f"seed {seed}:\n{one.stdout}"
        result = json.loads((tmp_path / f"{seed}.json").read_text())
        times.append(result["sim_time_ns"])
        for of_computer in (result, run["result"]):
            del of_computer["cpu_time_s"]
        assert run["result"] == result
        assert run["exit_status"] == 0
        for table in ("ranks.csv", "stats.csv", "congestion.csv"):
            here = tmp_path / "many" / f"seed-{seed}" / table
            assert here.read_bytes() == (tmp_path / f"one-{seed}" / table).read_bytes()
    assert many.stdout.startswith(printed + "over all seeds")
    assert len(set(times)) > 1
    over_all = together["metrics"]["sim_time_ns"]
    assert over_all["mean"] == pytest.approx(statistics.fmean(times))
    assert over_all["deviation"] == pytest.approx(statistics.stdev(times))
    assert over_all["seeds"] == 4
    table = (tmp_path / "many" / "seeds.csv").read_text().splitlines()
    assert table[0] == "seed,exit_status,metric,value"
    assert [float(row.split(",")[3]) for row in table if ",sim_time_ns," in row] == times


def test_the_number_of_runs_at_once_changes_nothing(tmp_path: Path) -> None:
    outputs = []
    for jobs in (1, 4):
        done = sanvp("run", "myrinet-8", "hello", *NOISY, "--seeds", "1:4", "--jobs", jobs, "--json", "-", cwd=tmp_path)
        together = json.loads(done.stdout)
        for run in together["runs"]:
            del run["result"]["cpu_time_s"]
        outputs.append((done.returncode, together, done.stderr))
    assert outputs[0] == outputs[1]
    assert outputs[0][2].count("Hello") >= 4 or outputs[0][2].count("hello") >= 4  # standard output is for the JSON


def test_a_failed_run_does_not_pass_off_an_earlier_result_as_its_own(tmp_path: Path) -> None:
    common = ("--seeds", "1:2", "--out", "out", "--json", "all.json")
    assert sanvp("run", "qsnet-16", "hello", *common, cwd=tmp_path).returncode == 0
    assert (tmp_path / "out" / "seed-1" / "result.json").is_file()
    assert sanvp("run", "qsnet-16", "nothing", *common, cwd=tmp_path).returncode == USER_MISTAKE
    runs = json.loads((tmp_path / "all.json").read_text())["runs"]
    assert [run["result"] for run in runs] == [None, None]


def test_a_failed_run_is_told_and_the_others_are_made(tmp_path: Path) -> None:
    done = sanvp("run", "qsnet-16", "nothing", "--seeds", "1:2", "--json", "f.json", cwd=tmp_path)
    assert done.returncode == USER_MISTAKE
    assert done.stderr.count("there is no program 'nothing'") == 2
    assert [line[:14] for line in done.stderr.splitlines()] == ["error: seed 1:", "error: seed 2:"]
    runs = json.loads((tmp_path / "f.json").read_text())["runs"]
    assert [(run["exit_status"], run["result"]) for run in runs] == [(USER_MISTAKE, None)] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seeds", "3"), "--seeds: '3' is no range; give the first and the last one, such as 1:8"),
        (("--seeds", "3:1"), "--seeds: '3:1' has no seeds"),
        (("--seeds", "1:2", "--seed", "7"), "--seeds: --seed is for one run"),
        (("--seeds", "1:2", "--trace", "t.json"), "--seeds: --trace is for one run"),
        (("--seeds", "1:2", "--gdb", "1234"), "--seeds: --gdb is for one run"),
        (("--seeds", "1:2", "--record", "r.goal"), "--seeds: --record is for one run"),
        (("--seeds", "1:2", "--jobs", "0"), "--jobs: 0 runs at once make no progress"),
        (("--jobs", "2"), "--jobs: there is one run; give several seeds, such as --seeds 1:8"),
    ],
)
def test_seeds_that_cannot_be_are_refused(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    done = sanvp("run", "qsnet-16", "hello", *options, cwd=tmp_path)
    assert done.returncode == USER_MISTAKE
    assert message in done.stderr
