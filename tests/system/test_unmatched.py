"""The report of a hang names the messages that no receive takes, on every card and for both kinds of program, and the
checker's advice fits."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import APPS, needs_compilers
from compiled import CC, compile_program
from program import DEADLOCK, done, sanvp

# Rank 1 waits for another tag than that of the message. The receives of tags 3 and 5 take theirs though nothing waits
# for them: those are no messages that no receive takes.
WRONG_TAG = """\
int rank, x[1000] = {0};
MPI_Comm other;
MPI_Request early[2];
MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Comm_dup(MPI_COMM_WORLD, &other);
if (rank == 0) {
  MPI_Send(x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  MPI_Send(x, 2, MPI_INT, 1, 5, other);
  MPI_Send(x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  MPI_Send(x, 1, MPI_CHAR, 1, 8, other);
  MPI_Recv(x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
} else {
  MPI_Irecv(x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, early);
  MPI_Irecv(x + 1, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, early + 1);
  MPI_Recv(x + 4, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, early, MPI_STATUSES_IGNORE);
  MPI_Send(x, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
}
MPI_Finalize();
"""
LARGE = """\
int rank;
char* x = calloc(1, 300000);
MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
if (rank == 0)
  MPI_Send(x, 300000, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
else
  MPI_Recv(x, 300000, MPI_CHAR, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
MPI_Finalize();
"""
MACHINES = ["qsnet-16", "myrinet-8", "tofu-36", "macrame-grid-64", "moc-2-1", "gcel-64"]
HINT = "--check-mpi looks for the mistake"
kinds = pytest.mark.parametrize("kind", [[], pytest.param(["--target", "riscv64"], marks=needs_compilers)])


def lines_of(text: str) -> list[str]:
    """The lines about messages."""
    found = [line.strip() for line in text.splitlines()]
    return found[found.index("messages that no receive takes:") + 1 :]


@kinds
def test_a_hang_names_the_messages_that_no_receive_takes_on_every_card(tmp_path: Path, kind: list[str]) -> None:
    program = compile_program(tmp_path, WRONG_TAG, *kind)
    for machine in [*MACHINES, "host"]:
        setting = ["qsnet-16", "-s", "transport.matching=host"] if machine == "host" else [machine]
        result = sanvp("run", setting[0], program, "--np", 2, *setting[1:])
        assert result.status == DEADLOCK, result.err
        assert "rank 1 on node 1 waits in MPI_Recv (rank 0, tag 8, 4 bytes) since" in result.err
        first, second, hint = lines_of(result.err)
        assert first == "to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 4 bytes"
        assert second.startswith("to rank 1: from rank 0, tag 8, communicator ")
        assert second.endswith(", 1 byte")
        assert hint == HINT


@kinds
def test_a_send_that_waits_for_its_receive_is_named_too(tmp_path: Path, kind: list[str]) -> None:
    program = compile_program(tmp_path, LARGE, *kind)
    result = sanvp("run", "qsnet-16", program, "--np", 2)
    assert result.status == DEADLOCK
    assert "rank 0 on node 0 waits in MPI_Send (rank 1, tag 7, 300000 bytes) since" in result.err
    assert lines_of(result.err) == ["to rank 1: from rank 0, tag 7, MPI_COMM_WORLD, 300000 bytes", HINT]


def test_without_such_messages_nothing_is_said_of_them(tmp_path: Path) -> None:
    both_receive = (
        WRONG_TAG[: WRONG_TAG.index("if (rank")]
        + "MPI_Barrier(other);\n"
        + (
            "MPI_Irecv(x, 1, MPI_INT, 1 - rank, 7, other, early);\n"
            "MPI_Cancel(early); MPI_Wait(early, MPI_STATUS_IGNORE);\n"
            "MPI_Recv(x, 1, MPI_INT, 1 - rank, 7, other, MPI_STATUS_IGNORE);\nMPI_Finalize();\n"
        )
    )
    result = sanvp("run", "qsnet-16", compile_program(tmp_path, both_receive), "--np", 2)
    assert result.status == DEADLOCK
    assert "messages that no receive takes" not in result.err
    assert HINT in result.err


@needs_compilers
def test_the_checker_is_not_named_where_a_rank_waits_for_its_own_thread(tmp_path: Path) -> None:
    own = (
        "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void* take(void* none) {\n  pthread_mutex_lock(&lock);\n  return none;\n}\n"
    )
    body = (
        "int rank, provided; pthread_t thread;\n"
        "MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "pthread_mutex_lock(&lock);\n"
        "if (rank == 1) pthread_create(&thread, NULL, take, NULL);\n"
        "if (rank == 1) pthread_join(thread, NULL);\nMPI_Finalize();\n"
    )
    program = compile_program(tmp_path, body, "--target", "riscv64", "-O1", headers=("pthread.h",), before=own)
    result = sanvp("run", "qsnet-16", program, "--np", 2)
    assert result.status == DEADLOCK
    lines = (tmp_path / "prog.c").read_text().splitlines()
    join, taken = (next(i for i, line in enumerate(lines, 1) if call in line) for call in ("_join", "  pthread_mutex"))
    told = rf"waits for another thread of its program since \S+, in main\(\) at prog\.c:{join}; thread 1 in take\(\) at"
    assert re.search(rf"{told} prog\.c:{taken}$", result.err, re.MULTILINE), result.err
    assert "waits in MPI_Finalize" in result.err
    assert HINT not in result.err


@kinds
def test_the_checker_advises_to_let_tags_fit_where_a_message_is_passed_over(tmp_path: Path, kind: list[str]) -> None:
    check = ["--check-mpi"] if kind else []
    result = sanvp("run", "qsnet-16", compile_program(tmp_path, WRONG_TAG, *kind, *check), "--np", 2, "--check-mpi")
    assert result.status == DEADLOCK
    (finding,) = (line for line in result.err.splitlines() if line.startswith("error: deadlock: "))
    assert "rank 1 has a message from rank 0 with tag 7, of MPI_Send in main() at prog.c:" in finding
    assert finding.endswith("let the tags, communicators and sources of sends and receives fit each other")
    assert HINT not in result.err


def test_the_checker_advises_to_send_first_where_all_receive(tmp_path: Path) -> None:
    both = "int rank, x; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" + (
        "MPI_Recv(&x, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
        "MPI_Send(&x, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD); MPI_Finalize();\n"
    )
    result = sanvp("run", "qsnet-16", compile_program(tmp_path, both), "--np", 2, "--check-mpi")
    assert "let one of them send first, or receive first" in result.err


@needs_compilers
def test_a_profile_of_a_riscv_program_has_its_operations_by_class_and_function(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run = done("run", "qsnet-16", APPS / "cg", "--np", 2, "--profile", "--out", out, "--json", tmp_path / "run.json")
    counted = {
        line.split()[0]: int(line.split()[1]) for line in run.out.split("operations, all ranks")[1].splitlines()[1:]
    }
    with (out / "functions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["function"] for row in rows} > {"main", "MPI_Allreduce", "hal_wait_words"}
    classes = [name for name in rows[0] if name not in ("job", "function", "instructions")]
    for name in classes:
        assert sum(int(row[name]) for row in rows) == counted.get(name, 0)
    for row in rows:
        assert int(row["instructions"]) == sum(int(row[name]) for name in classes)


@kinds
def test_a_program_that_plain_cc_links_is_told_by_a_symbol_what_to_do(tmp_path: Path, kind: list[str]) -> None:
    compiler = "riscv64-linux-gnu-gcc" if kind else shutil.which("gcc") or "cc"
    for name, body in (
        ("mpi", "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n"),
        ("c", "int main(void) { return 0; }\n"),
    ):
        (tmp_path / f"{name}.c").write_text(body)
        subprocess.run([CC, *kind, "-c", tmp_path / f"{name}.c", "-o", tmp_path / f"{name}.o"], check=True)
        linked = subprocess.run(
            [compiler, tmp_path / f"{name}.o", "-o", tmp_path / name], capture_output=True, text=True, check=False
        )
        assert linked.returncode != 0
        assert "undefined reference to `link_with_sanvp_cc_instead'" in linked.stderr
        subprocess.run([CC, *kind, tmp_path / f"{name}.o", "-o", tmp_path / name], check=True)
        done("run", "qsnet-16", tmp_path / name, "--np", 1)
