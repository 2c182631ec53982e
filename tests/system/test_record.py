"""`sanvp run --record`: what a program sends, receives, waits for and computes, as GOAL, and that played back."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from compiled import PROGRAM_FAILED, compile_program
from program import USER_MISTAKE, done, sanvp

MACHINES = ["qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
RECORDED = re.compile(r"recorded to .*: (\d+) ranks, (\d+) operations, ([\d.]+) us")
MD = ("md", "--np", 8, "--", "--edge", 2, "--steps", 3)
NOTHING_BUT_MESSAGES = """
  int rank, data[25] = {0}, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, 25, MPI_INT, 1, 5, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, 25, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
"""


def record(machine: str, file: Path, *words: object) -> float:
    """Records a program. @return its time from its first message to its last, in microseconds"""
    dashes = words.index("--") if "--" in words else len(words)
    run = done("run", machine, *words[:dashes], "--record", file, *words[dashes:])
    found = RECORDED.search(run.err)
    assert found, run.err
    return float(found[3])


def played(machine: str, file: Path, ranks: int, *words: object) -> float:
    return done("run", machine, "goal", "--np", ranks, "--json", "-", "--", "--file", file, *words).json["time_us"]


def messages(file: Path) -> tuple[Counter, Counter]:
    """Sends and receives by sender, receiver, size and tag."""
    sent: Counter = Counter()
    received: Counter = Counter()
    rank = -1
    for line in file.read_text().split("\n"):
        words = line.split()
        if words[:1] == ["rank"]:
            rank = int(words[1])
        elif words[1:2] == ["send"]:
            sent[(rank, int(words[4]), words[2], words[6])] += 1
        elif words[1:2] == ["recv"]:
            received[(int(words[4]), rank, words[2], words[6])] += 1
    return sent, received


@pytest.mark.parametrize("machine", MACHINES)
def test_a_recording_takes_the_program_s_time_on_the_same_machine(tmp_path, machine):
    file = tmp_path / "md.goal"
    time = record(machine, file, *MD)
    assert played(machine, file, 8) == pytest.approx(time, rel=0.02)


def test_a_recording_takes_the_program_s_time_on_another_machine_if_computing_is_scaled(tmp_path):
    def computing(file: Path) -> int:
        return sum(map(int, re.findall(r": calc (\d+)", file.read_text())))

    here, there = tmp_path / "here", tmp_path / "there"
    record("qsnet-16", here, *MD)
    time = record("tofu-36", there, *MD)
    ratio = computing(there) / computing(here)
    assert played("tofu-36", here, 8, "--cpu-ratio", f"{ratio:.4f}") == pytest.approx(time, rel=0.05)


def test_each_message_is_recorded_once_at_each_end_with_its_size(tmp_path):
    program = compile_program(tmp_path, NOTHING_BUT_MESSAGES)
    file = tmp_path / "p.goal"
    record("myrinet-8", file, program, "--np", 4)
    sent, received = messages(file)
    assert sent == received
    assert sum(count for (source, to, size, _), count in sent.items() if (source, to, size) == (0, 1, "100b")) == 1
    run = done("traffic", "qsnet-16", "goal", "--file", file, "--network", "ideal", "--json", "-").json
    assert run["verdict"] == "done"
    assert run["messages"] == sent.total()


def test_a_run_that_is_recorded_takes_its_time_where_cards_carry_messages_alone(tmp_path):
    # Barriers alone are others: those of a run that is recorded are messages of the library's callers.
    words = ("run", "myrinet-8", "halo", "--np", 4, "--json", "-")
    recorded = done(*words, "--record", tmp_path / "halo.goal").json
    assert recorded["time_us"] == pytest.approx(done(*words).json["time_us"], rel=0.001)


def test_the_same_run_records_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        record("qsnet-16", tmp_path / name, "halo", "--np", 4)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_accesses_to_other_ranks_memory_are_told(tmp_path):
    body = "static int there; shmem_init(); shmem_int_p(&there, 1, 1 - shmem_my_pe()); shmem_finalize();"
    program = compile_program(tmp_path, body, headers=("shmem.h",))
    run = done("run", "qsnet-16", program, "--np", 2, "--record", tmp_path / "p.goal")
    assert "accesses to memory of other ranks" in run.err


def test_a_program_that_fails_leaves_no_recording(tmp_path):
    program = compile_program(tmp_path, "return 3;")
    file = tmp_path / "p.goal"
    file.write_text("as it was")
    run = sanvp("run", "qsnet-16", program, "--np", 2, "--record", file)
    assert run.status == PROGRAM_FAILED
    assert "did not end well" in run.err
    assert file.read_text() == "as it was"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--record", "/nonexistent/p.goal"), "/nonexistent/p.goal cannot be written"),
        (("--record", "p.goal", "--job", "hello --np 2"), "record a job alone"),
    ],
)
def test_what_cannot_be_recorded_is_refused(tmp_path, words, message):
    run = sanvp("run", "qsnet-16", "hello", "--np", 2, *words, cwd=tmp_path)
    assert run.status == USER_MISTAKE
    assert message in run.err


@pytest.mark.parametrize("ratio", ["0", "-1", "x", "nan", "1e9"])
def test_a_ratio_that_makes_no_sense_is_refused(tmp_path, ratio):
    file = tmp_path / "p.goal"
    file.write_text("num_ranks 2\n")
    network = sanvp("traffic", "qsnet-16", "goal", "--file", file, "--cpu-ratio", ratio)
    assert network.status == USER_MISTAKE
    whole = sanvp("run", "qsnet-16", "goal", "--np", 2, "--", "--file", file, "--cpu-ratio", ratio)
    assert whole.status == PROGRAM_FAILED
    for run in (network, whole):
        assert "--cpu-ratio" in run.err


def test_twice_the_ratio_is_twice_the_computing(tmp_path):
    file = tmp_path / "p.goal"
    file.write_text("num_ranks 1\nrank 0 { calc 1000 }\n")
    assert played("qsnet-16", file, 1, "--cpu-ratio", 2) == pytest.approx(2, abs=0.05)  # and the reading of the clock
    words = ("traffic", "qsnet-16", "goal", "--file", file, "--network", "ideal", "--cpu-ratio", 2, "--json", "-")
    assert done(*words).json["time_ns"] == 2000


# ---- collective operations as calls

MEETINGS = """
  int rank, sum;
  static char sent[8 * 64], received[8 * 64];
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < atoi(argv[1]); ++i) {
    hal_compute_ps(1000000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Alltoall(sent, 64, MPI_CHAR, received, 64, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Bcast(sent, 100, MPI_CHAR, 1, half);
  }
  hal_metric("span_us", (MPI_Wtime() - start) * 1e6, "us");
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
"""
FEW, MANY = 5, 25


def test_a_collective_call_is_one_operation_with_its_communicator_and_root(tmp_path):
    program = compile_program(tmp_path, MEETINGS)
    file = tmp_path / "p.goal"
    record("myrinet-8", file, program, "--np", 8, "--record-level", "calls", "--", 2)
    text = file.read_text()
    assert set(re.findall(r"^comm \d (.*)$", text, re.MULTILINE)) == {"{ 6 4 2 0 }", "{ 7 5 3 1 }"}
    calls = Counter(re.findall(r"collective (.*)$", text, re.MULTILINE))
    assert calls == {
        "barrier": 8 * 3,
        "alltoall gives 64b takes 64b": 8 * 2,
        "bcast gives 100b root 1 comm 1": 4 * 2,
        "bcast gives 100b root 1 comm 2": 4 * 2,
        "allreduce gives 4b": 8,
    }
    program_messages = compile_program(tmp_path, NOTHING_BUT_MESSAGES)
    record("myrinet-8", file, program_messages, "--np", 4, "--record-level", "calls")
    sent, received = messages(file)
    assert sent == received
    assert sum(count for (source, to, size, _), count in sent.items() if (source, to, size) == (0, 1, "100b")) == 1


def test_calls_recorded_elsewhere_take_what_the_machine_s_own_operations_take(tmp_path):
    program = compile_program(tmp_path, MEETINGS)

    def longer(times: list[float]) -> float:
        return times[1] - times[0]

    def played_from(level: str) -> float:
        times = []
        for turns in (FEW, MANY):
            file = tmp_path / f"{level}-{turns}.goal"
            record("myrinet-8", file, program, "--np", 8, "--record-level", level, "--", turns)
            times.append(played("qsnet-16", file, 8))
        return longer(times)

    words = ("run", "qsnet-16", program, "--np", 8, "--json", "-", "--")
    own = longer([done(*words, turns).json["span_us"] for turns in (FEW, MANY)])
    calls = played_from("calls")
    assert calls == pytest.approx(own, rel=0.05)
    assert abs(calls - own) < abs(played_from("messages") - own)  # which lack the barrier of QsNET's network


def test_an_operation_that_goes_on_behind_its_call_is_not_recorded_as_one(tmp_path):
    body = "MPI_Request r; MPI_Init(&argc, &argv); MPI_Ibarrier(MPI_COMM_WORLD, &r); MPI_Wait(&r, MPI_STATUS_IGNORE); "
    program = compile_program(tmp_path, body + "MPI_Finalize();")
    run = sanvp("run", "qsnet-16", program, "--np", 2, "--record", tmp_path / "f", "--record-level", "calls")
    assert run.status == USER_MISTAKE
    assert "the program calls MPI_Ibarrier" in run.err
    assert "--record-level messages" in run.err


def test_a_request_that_a_rank_serves_in_a_collective_operation_is_not_left_out_in_silence(tmp_path):
    """Rank 0 answers while it waits in the barrier: its answers are not recorded, and rank 1 would wait for them."""
    program = compile_program(
        tmp_path,
        """int rank; long *base, before, one = 1; MPI_Win window; MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
        *base = 0; MPI_Barrier(MPI_COMM_WORLD); MPI_Win_lock_all(0, window);
        if (rank > 0) MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, window);
        MPI_Win_unlock_all(window); MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_free(&window); MPI_Finalize();""",
    )
    options = ("--np", 3, "--record", tmp_path / "f", "--record-level")
    run = sanvp("run", "qsnet-16", program, *options, "calls")
    assert run.status == USER_MISTAKE
    assert re.search(r"a message from rank \d to rank \d passed while one of them was in a collective", run.err)
    assert "--record-level messages" in run.err
    done("run", "qsnet-16", program, *options, "messages")
    done("run", "qsnet-16", "goal", "--", "--file", tmp_path / "f")


def test_a_network_alone_refuses_collective_calls(tmp_path):
    file = tmp_path / "p.goal"
    file.write_text("num_ranks 2\nrank 0 { collective barrier }\nrank 1 { collective barrier }\n")
    run = sanvp("traffic", "qsnet-16", "goal", "--file", file)
    assert run.status == USER_MISTAKE
    assert "--record-level messages" in run.err


@pytest.mark.parametrize(
    "operation",
    [
        "gather gives 8b root 1", "gatherv gives 8b takes 8b 8b 8b root 1", "scatter gives 8b root 2",
        "scatterv gives 8b 8b 8b takes 8b root 0", "allgather gives 8b", "allgatherv gives 8b takes 8b 8b 8b",
        "alltoall gives 8b", "alltoallv gives 4b 8b 16b takes 4b 8b 16b", "reduce gives 12b root 0",
        "allreduce gives 3b", "scan gives 8b", "exscan gives 16b", "reduce_scatter gives 8b 16b 8b",
        "reduce_scatter_block gives 8b", "bcast gives 8b root 0", "barrier",
    ],
)  # fmt: skip
def test_each_collective_operation_is_played(tmp_path, operation):
    matrix = operation.startswith("alltoallv")  # what a rank gives to another one is what that one takes
    texts = [
        f"alltoallv gives {' '.join([f'{4 << rank}b'] * 3)} takes 4b 8b 16b" if matrix else operation
        for rank in range(3)
    ]
    file = tmp_path / "p.goal"
    file.write_text(
        "num_ranks 3\n" + "".join(f"rank {rank} {{ collective {text} }}\n" for rank, text in enumerate(texts))
    )
    assert played("qsnet-16", file, 3) > 0


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("collective sum gives 8b", "no collective operation"),
        ("collective bcast gives 8b", "lacks its root"),
        ("collective bcast gives 8b root 5", "the root is no rank of the communicator"),
        ("collective barrier comm 1", "there is no such communicator"),
        ("collective allgatherv gives 8b takes 8b 8b 8b", "one for each rank"),
    ],
)
def test_a_mistake_in_a_collective_operation_is_named_by_the_rank_that_has_it(tmp_path, statement, message):
    file = tmp_path / "p.goal"
    file.write_text(f"num_ranks 2\nrank 1 {{\n{statement}\n}}\n")
    run = sanvp("run", "qsnet-16", "goal", "--np", 2, "--", "--file", file)
    assert run.status == PROGRAM_FAILED
    assert message in run.err
