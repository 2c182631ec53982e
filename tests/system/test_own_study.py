"""Studies of a user's own: from any folder, with programs that they compile, jobs together, and comparisons."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from program import PROJECT, SANVP
from study_bench import FAKE, USERS_MISTAKE, Bench, done

sys.path.insert(0, str(PROJECT / "python"))

import sanvp
from sanvp.studies.labels import common_label, label_of

RING = """\
#include <mpi.h>
#include "sw/hal/hal.h"
#include "rounds.h"

int main(int argc, char** argv) {
  int rank, ranks, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ROUNDS; ++i) {
    if (rank == 0) MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0) MPI_Send(&token, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) hal_metric("rounds", ROUNDS, "");
  return MPI_Finalize();
}
"""
OWN = """\
programs: {bin/ring: ring.c}
runs:
  round: {command: 'run qsnet-16 ./bin/ring --np {ranks}', axes: {ranks: [2, 3]}}
figures:
  rounds: {x: ranks, y: round.rounds}
"""


def study(folder: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `study` in a folder, with the program itself unless SANVP is given."""
    known = {"SANVP": str(Path(SANVP).resolve()), "PYTHONPATH": str(PROJECT / "python")}
    return subprocess.run(
        [sys.executable, "-B", "-m", "sanvp.studies", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **known, **environment},
    )


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a study and the source of its program."""
    folder = tmp_path / "with a space"
    folder.mkdir()
    (folder / "ring.c").write_text(RING)
    (folder / "rounds.h").write_text("#define ROUNDS 5\n")
    (folder / "mine.yaml").write_text(OWN)
    return folder


def test_a_study_runs_from_any_folder_and_compiles_its_program(own: Path, tmp_path: Path) -> None:
    run = study(tmp_path, "run", "with a space/mine.yaml")
    assert run.returncode == 0, run.stderr
    assert f"compiling {own}/bin/ring" in run.stderr
    assert "2 points, 0 of them have results" in run.stderr
    told = done(study(own, "report", "./mine.yaml", "--static"))
    assert "results/study/figures/mine-rounds.png" in told
    rows = (own / "results" / "study" / "figures" / "mine-rounds.csv").read_text().splitlines()
    assert [row.split(",")[:3] for row in rows] == [["ranks", "curve", "y"], ["2", "", "5.0"], ["3", "", "5.0"]]
    command = rows[1].split(",")[-1]
    assert command.startswith(f"cd '{own}' && ")
    assert "PASS" not in subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stderr


def test_the_program_itself_starts_the_driver_of_its_tree(own: Path) -> None:
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SANVP")}

    def told(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(SANVP).resolve()), "study", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=own, env=plain, check=False)

    assert "mine " in done(told("list", "./mine.yaml"))
    assert done(told("--help")).startswith("usage: sanvp study list")
    assert "--scheduler ADDRESS" in done(told("run", "--help"))
    assert told().returncode == USERS_MISTAKE
    assert told("run", "./nothing.yaml").returncode == USERS_MISTAKE


def test_its_program_is_compiled_again_when_a_source_or_a_header_is_newer(own: Path) -> None:
    done(study(own, "run", "mine.yaml"))
    assert "compiling" not in study(own, "run", "mine.yaml").stderr
    newer = (own / "bin" / "ring").stat().st_mtime + 5
    (own / "rounds.h").write_text("#define ROUNDS 7\n")
    os.utime(own / "rounds.h", (newer, newer))
    again = study(own, "run", "mine.yaml")
    assert "compiling" in again.stderr
    assert "2 points, 0 of them have results" in again.stderr  # another program starts afresh
    assert list(sanvp.study(own / "mine.yaml").points("round")["rounds"]) == [7, 7]


def test_what_the_compiler_says_is_told_with_the_place(own: Path) -> None:
    (own / "ring.c").write_text("int main(void) { return nothing; }\n")
    run = study(own, "run", "mine.yaml")
    assert run.returncode == USERS_MISTAKE
    assert "mine.yaml: programs.bin/ring: cannot be compiled" in run.stderr
    assert "ring.c:1:25: error: " in run.stderr
    (own / "mine.yaml").write_text(OWN.replace("ring.c", "rang.c"))
    assert f"there is no source {own}/rang.c" in study(own, "run", "mine.yaml").stderr


def test_a_study_that_is_not_there_is_an_error_that_says_how_to_name_one(tmp_path: Path) -> None:
    assert "nowhere.yaml: there is no such study file" in study(tmp_path, "run", "nowhere.yaml").stderr
    run = study(tmp_path, "--studies", tmp_path, "run", "mine")
    assert run.returncode == USERS_MISTAKE
    assert "a study of your own is given by its path, such as ./mine.yaml" in run.stderr


@pytest.mark.parametrize(
    ("expression", "label"),
    [
        ("uniform.latency_ns.mean", "latency mean (ns)"),
        ("uniform.accepted_per_node_MBps", "accepted per node (MB/s)"),
        ("round.rounds", "rounds"),
        ("load", "load"),
        ("2 * a.b_us", "2 * a.b_us"),
    ],
)
def test_a_label_is_made_of_the_name_and_its_unit(expression: str, label: str) -> None:
    assert label_of(expression) == label


def test_an_axis_of_several_curves_has_what_they_share() -> None:
    assert common_label(["a.time_us", "b.time_us"]) == "time (us)"
    assert common_label(["a.time_us", "a.slowest_us"]) == "us"
    assert common_label(["a.time_us", "a.rate_MBps"]) == ""


# A job's time is a tenth of its load in seconds; each further job makes it half as long again.
JOBS_FAKE = FAKE.replace(
    "pathlib.Path(options",
    """\
others = words.count("--job")
names = [words[2]] + [words[i + 1].split()[0] for i, word in enumerate(words) if word == "--job"]
scale = {{"slow": 4, "quick": 1}}
metrics["jobs"] = [
    {{
        "app": name,
        "ranks": 2,
        "metrics": {{"rate_MBps": {{"value": 100 / (1 + 0.5 * others), "unit": "MB/s"}}}},
        "time": {{"computing_ns": scale[name] * load * (1 + 0.5 * others), "waiting_ns": scale[name] * load}},
    }}
    for name in names
]
pathlib.Path(options""",
    1,
)
TOGETHER = """\
interference:
  both:
    machine: qsnet-16 --load {load} -s a=b
    jobs: {slow: slow --map 0-1, quick: quick --map 2-3 -- --bytes 8}
    metric: {quick: rate_MBps}
    axes: {load: [10, 20]}
"""


def test_jobs_are_compared_alone_and_together(bench: Bench) -> None:
    bench.program.write_text(JOBS_FAKE.format(python=sys.executable))
    bench.write(TOGETHER)
    done(bench.study("run", "small"))
    assert sorted(call for call in bench.calls() if "--load 10" in call) == [
        "run qsnet-16 quick --load 10 -s a=b --map 2-3 --json FILE -- --bytes 8",
        "run qsnet-16 slow --load 10 -s a=b --map 0-1 --job quick --map 2-3 -- --bytes 8 --json FILE",
        "run qsnet-16 slow --load 10 -s a=b --map 0-1 --json FILE",
    ]
    told = done(bench.study("report", "small", "--static"))
    # slow: (40 + 40) / 2 alone, (60 + 40) / 2 together; quick: 100 MB/s alone, 100 / 1.5 together
    assert "| load 10 | slow | rank time (ns) | 40 | 50 | 1.250 |" in told
    assert "| load 20 | slow | rank time (ns) | 80 | 100 | 1.250 |" in told
    assert "| load 10 | quick | rate (MB/s) | 100 | 66.6667 | 1.500 |" in told
    assert "Interference: both" in (bench.folder / "results" / "report.html").read_text()


def test_the_slowdown_of_jobs_has_an_interval_if_there_are_seeds(bench: Bench) -> None:
    drawn = '"time": {{"computing_ns": scale[name] * load * (1 + 0.5 * others * int(options["--seed"]))'
    fake = JOBS_FAKE.replace('"time": {{"computing_ns": scale[name] * load * (1 + 0.5 * others)', drawn)
    assert fake != JOBS_FAKE
    bench.program.write_text(fake.format(python=sys.executable))
    bench.write(TOGETHER.replace("    axes", "    seeds: 2\n    axes"))
    done(bench.study("run", "small"))
    # with seeds 1 and 2 the slowdowns are 1.25 and 1.5: half of the interval is 12.706 * 0.125
    assert "| load 10 | slow | rank time (ns) | 40 | 55 | 1.375 ± 1.6 |" in done(
        bench.study("report", "small", "--static")
    )


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("quick: quick --map 2-3 -- --bytes 8", "", "needs 2 jobs at least"),
        ("metric: {quick", "metric: {quack", "did you mean 'quick'?"),
        ("machine:", "maschine:", "did you mean 'machine'?"),
        ("{load}", "{lod}", "did you mean 'load'?"),
    ],
)
def test_a_mistake_in_interference_is_an_error_with_its_place(bench: Bench, right: str, wrong: str, told: str) -> None:
    assert right in TOGETHER
    bench.write(TOGETHER.replace(right, wrong))
    run = bench.study("list")
    assert run.returncode == USERS_MISTAKE
    assert "interference.both" in run.stderr
    assert told in run.stderr


def test_jobs_that_share_nodes_slow_each_other_down(tmp_path: Path) -> None:
    (tmp_path / "shared.yaml").write_text(
        "interference:\n  pairs:\n    machine: qsnet-16\n"
        "    jobs: {one: 'alltoall --map 0-3', two: 'alltoall --map 0-3'}\n    metric: time_us\n"
    )
    table = sanvp.study(tmp_path / "shared.yaml").interference("pairs")
    assert list(table["job"]) == ["one", "two"]
    assert (table["slowdown"] > 1.2).all()  # they share buses and cards
    assert table["slowdown"].iloc[0] == pytest.approx(table["together"].iloc[0] / table["alone"].iloc[0])


def compared(folder: Path, *sides: str, **environment: str) -> dict:
    return json.loads(done(study(folder, "compare", *sides, "--json", "-", **environment)))


def test_two_studies_are_compared_by_parameters_and_metrics(tmp_path: Path) -> None:
    text = "runs:\n  p: {command: 'run qsnet-16 alltoall --np {ranks}', axes: {ranks: [2, 4]}}\n"
    (tmp_path / "slow.yaml").write_text(text)
    (tmp_path / "fast.yaml").write_text(text.replace("alltoall", "alltoall -s host.pci.clock=66.66"))
    for name in ("slow.yaml", "fast.yaml"):
        done(study(tmp_path, "run", name))
    found = compared(tmp_path, "slow.yaml", "fast.yaml")
    assert found["parameters"] == [{"at": "", "parameter": "host.pci.clock", "a": "33.33", "b": "66.66"}]
    times = [one for one in found["moved"] if one["metric"] == "time_us"]
    assert [one["at"] for one in times] == ["p, ranks 2", "p, ranks 4"]
    by_hand = [sanvp.study(tmp_path / name).points("p")["time_us"] for name in ("slow.yaml", "fast.yaml")]
    assert [one["change"] for one in times] == pytest.approx(list((by_hand[1] - by_hand[0]) / by_hand[0]))
    same = compared(tmp_path, "slow.yaml", "slow.yaml")
    assert (same["parameters"], same["moved"]) == ([], [])
    assert same["equal"] > 10
    told = done(study(tmp_path, "compare", "slow.yaml", "fast.yaml"))
    assert "host.pci.clock  33.33  66.66" in told


def test_what_lies_within_the_interval_of_the_difference_has_not_moved(bench: Bench) -> None:
    text = "seeds: 3\nruns: {sent: {command: 'traffic qsnet-16 %s --load 0.1'}}\n"
    bench.program.write_text(
        FAKE.format(python=sys.executable).replace(
            "pathlib.Path(options",
            'metrics["drawn"] += {"near": 3, "far": 30}.get(words[2], 0)\npathlib.Path(options',
            1,
        )
    )
    for name in ("base", "near", "far"):
        (bench.folder / f"{name}.yaml").write_text(text % name)
        done(bench.study("run", name))

    def moved(name: str) -> list[str]:
        return [one["metric"] for one in json.loads(done(bench.study("compare", "base", name, "--json", "-")))["moved"]]

    # drawn: 1, 4, 9 with the seeds; half of its interval is 4.303 * 4.04 / sqrt(3) = 10.0, of a difference 14.2
    assert moved("near") == []
    assert moved("far") == ["drawn"]


def test_two_result_folders_are_compared_load_by_load(tmp_path: Path) -> None:
    for name, clock in (("one", "33.33"), ("two", "66.66")):
        sanvp.traffic(
            "qsnet-16",
            "uniform",
            load="0.1:0.3:0.2",
            packets=300,
            settings={"host.pci.clock": clock},
            out=name,
            folder=tmp_path,
        )
    found = compared(tmp_path, "one", "two")
    assert [row["parameter"] for row in found["parameters"]] == ["host.pci.clock"]
    assert found["points"] == 3  # two loads, and the parts of the machine during the last one
    assert found["moved"] == []  # a network without hosts does not know their bus
    sanvp.traffic(
        "qsnet-16",
        "uniform",
        load="0.1:0.3:0.2",
        packets=300,
        settings={"link.rate": "200MB/s"},
        out="three",
        folder=tmp_path,
    )
    slower = compared(tmp_path, "one", "three")
    assert {"at": "", "parameter": "link.rate", "a": "400MB/s", "b": "200MB/s"} in slower["parameters"]
    assert "latency_mean_ns" in {one["metric"] for one in slower["moved"]}


def test_two_folders_of_study_results_are_compared_by_command(bench: Bench) -> None:
    bench.write("runs: {sent: {command: 'traffic qsnet-16 uniform --load {load}', axes: {load: [0.1, 0.2]}}}\n")
    done(bench.study("--results", bench.folder / "before", "run", "small"))
    bench.program.write_text(bench.program.read_text().replace("100 * load", "101 * load"))
    done(bench.study("--results", bench.folder / "after", "run", "small"))
    found = json.loads(done(bench.study("compare", bench.folder / "before", bench.folder / "after", "--json", "-")))
    assert [(one["at"], one["metric"]) for one in found["moved"]] == [
        (f"traffic qsnet-16 uniform --load {load}", "rate") for load in (0.1, 0.2)
    ]
    assert found["moved"][0]["change"] == pytest.approx(0.01)


def test_a_folder_that_is_no_result_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = study(tmp_path, "compare", "empty", "empty")
    assert run.returncode == USERS_MISTAKE
    assert "empty: is no result folder" in run.stderr


def test_a_study_from_python_gives_points_values_and_verdicts(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "runs: {p: {command: 'run qsnet-16 ping --np 2 -s host.pci.clock={clock}', axes: {clock: [33.33, 66.66]}}}\n"
        "values: {gain: p.bandwidth_MBps(clock=66.66) / p.bandwidth_MBps(clock=33.33)}\n"
        "anchors: {a faster bus: {claim: gains, ref: here, measured: gain > 1.5}}\n"
        "figures: {bandwidth: {x: clock, y: p.bandwidth_MBps}}\n"
    )
    result = sanvp.study(tmp_path / "mine.yaml")
    points = result.points("p").set_index("clock")["bandwidth_MBps"]
    assert result.value("gain") == pytest.approx(points[66.66] / points[33.33])
    assert list(result.value("p.bandwidth_MBps")["value"]) == list(points)
    assert list(result.verdicts["verdict"]) == ["shape holds"]
    assert list(result.figure("bandwidth")["y"]) == list(points)
    with pytest.raises(sanvp.UserMistakeError, match="no run 'q'"):
        result.points("q")


def test_a_failed_point_raises_in_python_unless_part_of_the_results_will_do(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "runs: {p: {command: 'run qsnet-16 {app} --np 2', axes: {app: [ping, nosuch]}}}\n"
    )
    with pytest.raises(sanvp.UserMistakeError, match="1 points failed"):
        sanvp.study(tmp_path / "mine.yaml")
    result = sanvp.study(tmp_path / "mine.yaml", partial=True)
    assert len(result.points("p")) == 1
    assert any("nosuch" in command for command in result.failures)
