"""OTF2 archives: those that `sanvp run --trace F.otf2` writes, as others read them; and archives played back."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from compiled import compile_program
from program import PROJECT, USER_MISTAKE, done, sanvp

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.convert.__main__ import main

otf2 = pytest.importorskip("otf2")

MESSAGES = """
  int rank, ranks, got;
  static int data[1000];
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Irecv(data, 1000, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(data, 10 * (rank + 1), MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(&rank, 1, MPI_INT, before, 6, &got, 1, MPI_INT, next, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
"""
COLLECTIVES = """
  int rank, sum;
  static char data[800];
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);  // the highest rank first
  MPI_Bcast(data, 100, MPI_CHAR, 1, half);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gather(data, 200, MPI_CHAR, data, 200, MPI_CHAR, 3, MPI_COMM_WORLD);
  MPI_Finalize();
"""
ACCESSES = """
  static long there;
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_long_p(&there, 1, next);
  shmem_quiet();
  (void)shmem_long_g(&there, next);
  (void)shmem_long_atomic_fetch_add(&there, 1, next);
  shmem_barrier_all();
  shmem_finalize();
"""


def traced(folder: Path, machine: str, *words: object) -> Path:
    """Runs a program. @return the archive of its calls"""
    archive = folder / "traces.otf2"
    dashes = words.index("--") if "--" in words else len(words)
    run = done("run", machine, *words[:dashes], "--trace", archive, *words[dashes:])
    assert f"trace in {archive}" in run.err
    return archive


def events(archive: Path) -> list[tuple[int, str, object]]:
    """The events in their order: rank, kind, and the event."""
    with otf2.reader.open(str(archive)) as trace:
        return [(location._ref, type(event).__name__, event) for location, event in trace.events]


def name(value: object) -> str:
    return str(value).rpartition(".")[2]


def span(rank: int, calls: str, found: list[tuple[int, str, object]]) -> tuple[int, int]:
    """When the rank's only call of that name begins and ends."""
    times = [e.time for of, kind, e in found if of == rank and kind in ("Enter", "Leave") and e.region.name == calls]
    begin, end = times
    return begin, end


def converted(folder: Path, archive: Path, *words: object) -> tuple[Path, float]:
    """An archive as GOAL. @return the file, and the recording's time in microseconds"""
    file = folder / "played.goal"
    command = ["/usr/bin/python3", "-m", "sanvp.convert", "otf2", archive, "-o", file, *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": PROJECT / "python"})
    return file, float(re.search(r", ([\d.]+) us$", run.stdout.strip())[1])


def played(machine: str, file: Path, ranks: int) -> float:
    words = ("run", machine, "goal", "--np", ranks, "--json", "-", "--", "--file", file, "--by", "mpi")
    return done(*words).json["time_us"]


# ---- written


@pytest.mark.parametrize("machine", ["qsnet-16", "tofu-36"])
def test_a_trace_changes_nothing_of_the_run(tmp_path, machine):
    words = ("run", machine, "halo", "--np", 4, "--json", "-")
    traced = done(*words, "--trace", tmp_path / "t.otf2").json
    plain = done(*words).json
    traced.pop("cpu_time_s")
    plain.pop("cpu_time_s")
    assert traced == plain


def test_each_message_is_there_at_both_ends_and_each_request_ends(tmp_path):
    found = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, MESSAGES), "--np", 4))
    sent = Counter(
        (of, e.receiver, e.msg_tag, e.msg_length) for of, kind, e in found if kind in ("MpiSend", "MpiIsend")
    )
    received = Counter(
        (e.sender, of, e.msg_tag, e.msg_length) for of, kind, e in found if kind in ("MpiRecv", "MpiIrecv")
    )
    ring = Counter((rank, (rank + 1) % 4, 5, 40 * (rank + 1)) for rank in range(4))
    assert sent == received == ring + Counter((rank, (rank + 3) % 4, 6, 4) for rank in range(4))
    for begins, ends in (("MpiIsend", "MpiIsendComplete"), ("MpiIrecvRequest", "MpiIrecv")):
        begun = [(of, e.request_id) for of, kind, e in found if kind == begins]
        assert sorted(begun) == sorted((of, e.request_id) for of, kind, e in found if kind == ends)
        assert len(begun) == 4


def test_events_are_within_the_calls_that_make_them(tmp_path):
    found = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, MESSAGES), "--np", 4))
    inside = {
        "MpiIsend": "MPI_Isend",
        "MpiIrecvRequest": "MPI_Irecv",
        "MpiIrecv": "MPI_Waitall",
        "MpiSend": "MPI_Sendrecv",
    }
    region: dict[int, str | None] = {}
    for of, kind, event in found:
        if kind == "Enter":
            assert region.get(of) is None
            region[of] = event.region.name
        elif kind == "Leave":
            assert region.pop(of) == event.region.name
        elif kind in inside:
            assert region[of] == inside[kind]
    assert not region


def test_a_collective_operation_has_its_communicator_root_and_bytes(tmp_path):
    found = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, COLLECTIVES), "--np", 4))
    ends = [(of, e) for of, kind, e in found if kind == "MpiCollectiveEnd"]
    by_call = {
        operation: {of: e for of, e in ends if name(e.collective_op) == operation}
        for operation in ("BCAST", "ALLREDUCE", "GATHER")
    }
    members = {of: [one._ref for one in e.communicator.group.members] for of, e in by_call["BCAST"].items()}
    assert members == {0: [2, 0], 1: [3, 1], 2: [2, 0], 3: [3, 1]}
    assert {of: (e.root, e.size_sent, e.size_received) for of, e in by_call["BCAST"].items()} == {
        of: (1, 200 if of < 2 else 0, 100) for of in range(4)
    }
    assert {(e.size_sent, e.size_received) for e in by_call["ALLREDUCE"].values()} == {(4, 4)}
    assert {of: (e.root, e.size_sent, e.size_received) for of, e in by_call["GATHER"].items()} == {
        of: (3, 200, 800 if of == 3 else 0) for of in range(4)
    }


def test_an_access_to_another_rank_s_memory_ends_by_its_id(tmp_path):
    program = compile_program(tmp_path, ACCESSES, headers=("shmem.h",))
    found = [(kind, e) for of, kind, e in events(traced(tmp_path, "qsnet-16", program, "--np", 2)) if of == 0]
    (put,), (get,), (atomic,) = (
        [e for kind, e in found if kind == wanted] for wanted in ("RmaPut", "RmaGet", "RmaAtomic")
    )
    assert [(e.remote, e.bytes) for e in (put, get)] == [(1, 8), (1, 8)]
    assert name(atomic.type) == "FETCH_AND_ACCUMULATE"
    ends = {e.matching_id: kind for kind, e in found if kind.startswith("RmaOpComplete")}
    assert ends == {
        put.matching_id: "RmaOpCompleteRemote",
        get.matching_id: "RmaOpCompleteBlocking",
        atomic.matching_id: "RmaOpCompleteBlocking",
    }
    assert sum(kind == "RmaCollectiveEnd" for kind, _ in found) == 1


def test_a_window_of_mpi_has_its_communicator_and_a_fence_ends_its_accesses(tmp_path):
    body = """
  int rank, here = 0, there = 5;
  MPI_Comm reversed;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  MPI_Win_create(&here, sizeof here, sizeof here, MPI_INFO_NULL, reversed, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&there, 1, MPI_INT, 0, 0, 1, MPI_INT, window);  // to the last rank of all
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
"""
    found = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, body), "--np", 3))
    mine = [(kind, e) for of, kind, e in found if of == 0 and kind.startswith("Rma")]
    assert [kind for kind, _ in mine] == ["RmaWinCreate", "RmaPut", "RmaOpCompleteRemote", "RmaWinDestroy"]
    put, end = mine[1][1], mine[2][1]
    assert (put.remote, put.bytes, put.matching_id) == (0, 4, end.matching_id)
    assert [one._ref for one in put.win.comm.group.members] == [2, 1, 0]
    region = [e.region.name for of, kind, e in found if of == 0 and kind == "Enter" and e.time <= end.time]
    assert region[-1] == "MPI_Win_fence"


def test_time_between_calls_is_what_the_program_computes(tmp_path):
    body = "MPI_Init(&argc, &argv); hal_compute_ps(123456789); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize();"
    archive = traced(tmp_path, "qsnet-16", compile_program(tmp_path, body), "--np", 2)
    found = events(archive)
    computed = span(0, "MPI_Barrier", found)[0] - span(0, "MPI_Init", found)[1]
    assert computed == pytest.approx(123456789, abs=10000)  # ps; and the call itself
    with otf2.reader.open(str(archive)) as trace:
        assert trace.timer_resolution == 10**12
        nodes = {group.system_tree_parent.name for group in trace.definitions.location_groups}
    assert nodes == {"node 0", "node 1"}


def test_the_same_run_writes_the_same_bytes(tmp_path):
    archives = []
    for one in ("a", "b"):
        (tmp_path / one).mkdir()
        archives.append(traced(tmp_path / one, "qsnet-16", "halo", "--np", 4).with_suffix(""))
    files = [sorted(archive.iterdir()) for archive in archives]
    assert len(files[0]) == 8  # an event file and a definition file of each rank
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]
    for suffix in (".def", ".otf2"):
        assert archives[0].with_suffix(suffix).read_bytes() == archives[1].with_suffix(suffix).read_bytes()


@pytest.mark.skipif(shutil.which("otf2-print") is None, reason="no otf2-print (Debian: otf2-tools)")
def test_otf2_print_reads_the_archive_and_finds_nothing_wrong(tmp_path):
    archive = traced(tmp_path, "qsnet-16", compile_program(tmp_path, MESSAGES), "--np", 4)
    printed = subprocess.run(["otf2-print", archive], capture_output=True, text=True, check=True)
    assert not printed.stderr
    assert len(re.findall(r"^MPI_ISEND +\d", printed.stdout, re.MULTILINE)) == 4
    enters, leaves = (len(re.findall(f"^{kind} ", printed.stdout, re.MULTILINE)) for kind in ("ENTER", "LEAVE"))
    assert enters == leaves > 0


def test_an_older_archive_of_the_name_is_replaced(tmp_path):
    many = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, MESSAGES), "--np", 4))
    few = events(traced(tmp_path, "qsnet-16", compile_program(tmp_path, MESSAGES), "--np", 2))
    assert {of for of, _, _ in many} == {0, 1, 2, 3}
    assert {of for of, _, _ in few} == {0, 1}
    assert not (tmp_path / "traces" / "3.evt").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("traffic", "qsnet-16", "uniform", "--trace", "t.otf2"), "an OTF2 archive holds calls of programs"),
        (("run", "qsnet-16", "hello", "--np", 2, "--trace", "t.otf2", "--trace-limit", "1MB"), "of the whole run"),
        (("run", "qsnet-16", "hello", "--np", 2, "--trace", "/nonexistent/t.otf2"), "cannot be written"),
        (("run", "qsnet-16", "hello", "--np", 2, "--trace", "t.otf2", "--job", "hello --np 2"), "record a job alone"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, words, message):
    run = sanvp(*words, cwd=tmp_path)
    assert run.status == USER_MISTAKE
    assert message in run.err


# ---- played back


@pytest.mark.parametrize(
    ("machine", "program"),
    [
        ("qsnet-16", "md --edge 2 --steps 3"),
        ("gcel-64", "md --edge 2 --steps 3"),
        ("qsnet-16", "cg --all 64 --iterations 12"),
    ],
)
def test_an_archive_takes_the_program_s_time_on_the_same_machine(tmp_path, machine, program):
    name, *arguments = program.split()
    archive = traced(tmp_path, machine, name, "--np", 8, "--", *arguments)
    file, time = converted(tmp_path, archive)
    assert played(machine, file, 8) == pytest.approx(time, rel=0.02)


SCORE_P = """num_ranks 4
comm 1 { 1 3 }
rank 3 {
l1: calc 3000
l2: calc 100000
l2 requires l1
l3: recv 1000b from 2 tag 0
l3 requires l2
l4: send 1000b to 0 tag 0
l4 requires l2
l5: calc 400
l5 requires l4
l6: collective allreduce gives 8b
l6 requires l5
l6 requires l3
l7: collective bcast gives 64b root 1 comm 1
l7 requires l6
}
"""


@pytest.fixture
def score_p(tmp_path):
    """An archive in Score-P's manner."""
    source, program = PROJECT / "tests" / "otf2" / "score_p.c", tmp_path / "score_p"
    compiler = shutil.which("cc")
    if compiler is None or not Path("/usr/include/otf2/otf2.h").exists():
        pytest.skip("no C compiler, or no header of OTF2 (Debian: libopen-trace-format2-dev)")
    subprocess.run([compiler, "-o", program, source, "-lopen-trace-format2"], check=True)
    subprocess.run([program, tmp_path], check=True)
    return tmp_path / "traces.otf2"


def test_an_archive_of_score_p_is_what_it_says(tmp_path, score_p):
    file, time = converted(tmp_path, score_p, "--cpu-ratio", 2)
    assert time == pytest.approx(
        94.7, abs=0.001
    )  # us: from the first end of MPI_Init to the last beginning of its opposite
    text = file.read_text()
    blocks = text.split("\n\n")
    assert "\n".join([*blocks[0].split("\n")[1:], blocks[-1]]) == SCORE_P
    assert "PASS" in done("run", "qsnet-16", "goal", "--np", 4, "--", "--file", file).out


def test_collective_operations_become_messages_if_an_algorithm_is_named(tmp_path, score_p):
    file, _ = converted(tmp_path, score_p, "--algorithm", "recursive")
    run = done("traffic", "qsnet-16", "goal", "--file", file, "--network", "ideal", "--json", "-").json
    assert run["verdict"] == "done"
    assert run["messages"] == 4 + 4 * 4 + 1  # the ring, halving and doubling among four, a broadcast between two


@pytest.mark.parametrize(
    "break_it",
    [
        lambda anchor: anchor.write_bytes(b""),
        lambda anchor: anchor.write_bytes(b"num_ranks 2\n"),
        lambda anchor: anchor.with_suffix(".def").unlink(),
        lambda anchor: anchor.with_suffix(".def").write_bytes(anchor.with_suffix(".def").read_bytes()[:100]),
        lambda anchor: anchor.unlink(),
    ],
)
def test_a_broken_archive_is_refused_in_one_line(tmp_path, score_p, break_it, capfd):
    break_it(score_p)
    assert main(["otf2", str(score_p), "-o", str(tmp_path / "f.goal")]) == USER_MISTAKE
    message = capfd.readouterr().err
    assert message.startswith("error: ")
    assert message.count("\n") == 1
    assert str(score_p) in message
    assert not (tmp_path / "f.goal").exists()


def test_without_python_s_otf2_the_converter_says_what_to_install(tmp_path, monkeypatch, capfd):
    archive = tmp_path / "t.otf2"
    archive.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "otf2", None)
    assert main(["otf2", str(archive), "-o", str(tmp_path / "f.goal")]) == USER_MISTAKE
    assert "python3-otf2" in capfd.readouterr().err


# ---- played by the app


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    archive = tmp_path_factory.mktemp("recorded") / "cg.otf2"
    done("run", "qsnet-16", "cg", "--np", 4, "--trace", archive, "--", "--iterations", 2)
    return archive


def test_the_app_plays_an_archive_as_goal_plays_its_conversion(tmp_path, recorded):
    by_app = done("run", "tofu-36", "otf2", "--json", "-", "--", "--file", recorded).json
    assert by_app["jobs"][0]["ranks"] == 4  # the archive's
    assert by_app["time_us"] == played("tofu-36", converted(tmp_path, recorded)[0], 4)
    assert not list(tmp_path.glob("*.part"))


def test_the_app_makes_computing_longer(tmp_path, recorded):
    def run(*words):
        return done("run", "qsnet-16", "otf2", "--json", "-", "--", f"--file={recorded}", *words).json

    once, twice = (run("--cpu-ratio", ratio) for ratio in (1, 2))  # to read an argument takes time as well
    computing = [json["jobs"][0]["time"]["computing_ns"] for json in (once, twice)]
    recorded_ns = sum(map(int, re.findall(r"calc (\d+)", converted(tmp_path, recorded)[0].read_text())))
    assert computing[1] - computing[0] == pytest.approx(recorded_ns, rel=0.01)  # what is not recorded takes as long
    assert twice["time_us"] > once["time_us"]


def test_two_archives_are_two_jobs(recorded):
    run = done(
        "run", "qsnet-16", "otf2", "--job", f"otf2 -- --file {recorded}", "--json", "-", "--", "--file", recorded
    )
    assert [job["ranks"] for job in run.json["jobs"]] == [4, 4]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--np", "3", "--", "--file", "{}"], "has 4 ranks, not 3; give --np 4, or leave it out"),
        (["--", "--file", "nothing.otf2"], "error: nothing.otf2: No such file or directory"),
        (["--", "--fil", "{}"], "did you mean '--file'?"),
        (["--cpu", "riscv", "--", "--file", "{}"], "sanvp convert otf2"),
    ],
)
def test_what_the_app_cannot_play_is_refused_before_the_run(recorded, words, message):
    run = sanvp("run", "qsnet-16", "otf2", *(word.format(recorded) for word in words))
    assert run.status == USER_MISTAKE
    assert message in run.err
    assert "job 0" not in run.err


def test_without_a_file_the_app_asks_for_one():
    run = sanvp("run", "qsnet-16", "otf2", "--np", 2)
    assert "otf2 wants an archive: -- --file traces.otf2" in run.err
