"""`sanvp run --check-mpi`: each mistake of tests/mistakes is found and named, its right twin is not; what is
checked runs as if it were not."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from compiled import CC, PROGRAM_FAILED, compile_program
from program import DEADLOCK, DONE, PROJECT, USER_MISTAKE, Result, by_name, sanvp

PROGRAMS = PROJECT / "tests" / "programs"
MISTAKES = sorted((PROJECT / "tests" / "mistakes").glob("*.c"))
MACHINE = "qsnet-16"

ERROR, WARNING, NOTE = "error", "warning", "note"
TYPES, COUNTS, OPERATIONS = (ERROR, "type mismatch"), (ERROR, "different counts"), (ERROR, "different operations")
CHANGED, IN_USE, ALIASED = (ERROR, "buffer changed"), (ERROR, "buffer in use"), (ERROR, "aliased buffers")
TWICE, LOST, LEAK = (ERROR, "overlapping data"), (ERROR, "request lost"), (WARNING, "leak")
POTENTIAL, CONFLICT = (ERROR, "potential deadlock"), (ERROR, "conflicting accesses")
REFUSED = (WARNING, "call refused")
LOCALLY, BROKEN = (ERROR, "window written locally"), (ERROR, "broken assertion")
GONE = (ERROR, "window without memory")
UNRECEIVED = (ERROR, "message never received")

# What is found in each case after which the program goes on.
FOUND = {
    "type_of_message": {TYPES},
    "type_of_nonblocking": {TYPES},
    "type_of_persistent": {TYPES},
    "type_of_exchange": {TYPES},
    "type_of_matched": {TYPES},
    "type_by_any_source": {TYPES},
    "tag_not_asked_for": {TYPES},
    "matched_not_asked_for": {TYPES},
    "type_with_braces": {TYPES},
    "order_in_struct": {TYPES},
    "elements_of_derived": {TYPES},
    "bytes_for_doubles": {(WARNING, "bytes for another type")},
    "names_of_types": {(NOTE, "equivalent types with different names")},
    "too_long": {(WARNING, "truncation")},
    "never_received": {UNRECEIVED},
    "probed_only": {UNRECEIVED},
    "other_tag": {UNRECEIVED},
    "ready_too_early": {(ERROR, "ready send without receive"), POTENTIAL},
    "race_of_messages": {(NOTE, "message race")},
    "send_changed": {CHANGED},
    "started_send_changed": {CHANGED},
    "receive_written": {CHANGED},
    "two_receives": {IN_USE},
    "receives_at_one_line": {IN_USE, (WARNING, "buffer in use")},
    "parts_of_receives": {IN_USE},
    "columns": {IN_USE},
    "receive_over_send": {IN_USE},
    "send_of_receive": {IN_USE},
    "exchange_in_place": {ALIASED},
    "overlapping_type": {TWICE},
    "aliased_reduction": {ALIASED},
    "aliased_gathering": {ALIASED},
    "gathered_over_each_other": {TWICE},
    "broadcast_in_use": {IN_USE},
    "contribution_changed": {CHANGED},
    "write_changed": {CHANGED},
    "two_reads": {IN_USE},
    "reduced_by_itself": {ALIASED},
    "split_write_changed": {CHANGED},
    "split_read_in_use": {IN_USE},
    "split_ends_elsewhere": {(ERROR, "other buffer")},
    "collective_in_split": {(ERROR, "access in two calls")},
    "split_never_begun": {REFUSED},
    "send_without_type": {REFUSED},
    "handle_of_another_kind": {REFUSED},
    "root_of_none": {REFUSED},
    "broadcast_again": {REFUSED},
    "reduction_refused_by_all": {REFUSED},
    "send_not_waited_for": {LOST},
    "request_overwritten": {LOST},
    "barrier_not_waited_for": {LOST},
    "prepared_not_freed": {LEAK},
    "receive_freed": {(WARNING, "receive freed")},
    "broadcast_freed": {(ERROR, "request freed")},
    "broadcast_cancelled": {(ERROR, "request cancelled")},
    "access_freed": {(ERROR, "request freed")},
    "read_not_waited_for": {LOST},
    "communicator_left": {LEAK},
    "split_left": {LEAK},
    "grid_left": {LEAK},
    "type_left": {LEAK},
    "group_left": {LEAK},
    "operation_left": {LEAK},
    "key_left": {LEAK},
    "key_of_types_left": {LEAK},
    "key_of_windows_left": {LEAK},
    "handler_left": {LEAK},
    "info_left": {LEAK},
    "window_left": {LEAK},
    "counts_of_broadcast": {COUNTS},
    "types_of_broadcast": {TYPES},
    "layouts_of_broadcast": {TYPES},
    "operations_of_reduction": {OPERATIONS},
    "types_of_reduction": {TYPES},
    "types_of_gathering": {TYPES},
    "types_of_scattering": {TYPES},
    "counts_of_gathering": {COUNTS},
    "types_of_all_to_all": {TYPES},
    "types_by_rank": {TYPES},
    "types_of_nonblocking_reduction": {TYPES},
    "operations_of_scan": {OPERATIONS},
    "operations_of_prepared": {OPERATIONS},
    "characters_added": {(ERROR, "reduction of characters")},
    "sizes_of_grid": {(ERROR, "different arguments")},
    "edges_of_graph": {(ERROR, "different arguments")},
    "both_send_first": {POTENTIAL},
    "all_send_right": {POTENTIAL},
    "send_to_self": {POTENTIAL},
    "send_before_barrier": {POTENTIAL},
    "nonblocking_in_a_ring": {POTENTIAL},
    "synchronous_large": {POTENTIAL},
    "two_puts": {CONFLICT},
    "put_and_get": {CONFLICT},
    "put_and_accumulate": {CONFLICT},
    "other_accumulations": {CONFLICT},
    "put_changed": {CHANGED},
    "gets_into_one": {IN_USE},
    "get_not_over": {IN_USE},
    "stored_and_put": {LOCALLY},
    "types_of_put": {TYPES},
    "puts_in_shared_locks": {CONFLICT},
    "puts_without_flush": {CONFLICT},
    "puts_of_groups": {CONFLICT},
    "characters_accumulated": {(ERROR, "reduction of characters")},
    "stored_while_read": {LOCALLY},
    "stored_while_locked": {LOCALLY},
    "got_and_written": {CHANGED},
    "sums_of_other_types": {CONFLICT},
    "no_operation": {(ERROR, "operation that only fetches")},
    "put_after_all": {BROKEN},
    "put_into_a_group": {BROKEN},
    "stored_after_all": {BROKEN},
    "preceded_for_some": {(ERROR, "different arguments")},
    "not_posted": {BROKEN},
    "locked_unchecked": {BROKEN},
    "returned_before_free": {GONE},
    "released_before_free": {GONE},
}
# What is found where it does not: a word of the finding, and the run's status.
ENDS = {
    "broadcast_before_send": ("deadlock", DEADLOCK),
    "both_receive_first": ("deadlock", DEADLOCK),
    "both_send_synchronously": ("deadlock", DEADLOCK),
    "both_send_much": ("deadlock", DEADLOCK),
    "ring_of_receives": ("deadlock", DEADLOCK),
    "both_wait": ("deadlock", DEADLOCK),
    "wrong_tag": ("deadlock", DEADLOCK),
    "wrong_communicator": ("deadlock", DEADLOCK),
    "receive_from_none": ("deadlock", DEADLOCK),
    "probe_for_none": ("deadlock", DEADLOCK),
    "barrier_left_out": ("different collective operations", DEADLOCK),
    "other_collectives": ("different collective operations", DEADLOCK),
    "other_order": ("different collective operations", DEADLOCK),
    "other_roots": ("different roots", DEADLOCK),
    "order_on_communicators": ("potential deadlock", PROGRAM_FAILED),
    "blocking_and_not": ("different collective operations", DEADLOCK),
    "order_of_nonblocking": ("different collective operations", PROGRAM_FAILED),
    "barrier_and_receive": ("deadlock", DEADLOCK),
    "split_and_copy": ("different collective operations", PROGRAM_FAILED),
    "fence_left_out": ("different collective operations", DEADLOCK),
    "no_finalize": ("no MPI_Finalize", PROGRAM_FAILED),
    "after_finalize": ("call after MPI_Finalize", PROGRAM_FAILED),
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The program of mistakes for both kinds of CPU."""
    folder = tmp_path_factory.mktemp("mistakes")
    made = {}
    for target in ("native", "riscv64"):
        made[target] = folder / target
        command = [CC, "--target", target, "--check-mpi", "-I", PROJECT, *MISTAKES, "-o", made[target]]
        subprocess.run(command, check=True)
    return made


def check(program: Path, folder: Path, *arguments: object, ranks: int = 4) -> tuple[Result, dict]:
    """A run on four ranks, and what it found."""
    run = sanvp("run", MACHINE, program, "--np", ranks, "--check-mpi", "--out", folder, "--", *arguments)
    return run, json.loads((folder / "mpi_check.json").read_text())


def by_case(report: dict) -> dict[str, set[tuple[str, str]]]:
    """Findings by the function of their first call: the last, where others are inlined into it."""
    found: dict[str, set[tuple[str, str]]] = {}
    for finding in report["findings"]:
        case = re.findall(r"(\w+)\(\)", finding["calls"][0]["place"])[-1]
        found.setdefault(case, set()).add((finding["severity"], finding["kind"]))
    return found


@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_each_mistake_is_found_and_nothing_else(programs: dict[str, Path], target: str, tmp_path: Path) -> None:
    run, report = check(programs[target], tmp_path, "wrong", "all")
    assert run.status == PROGRAM_FAILED
    # The C library of a program for RISC-V may keep what is freed.
    only_native = {"released_before_free"} if target == "riscv64" else set()
    assert by_case(report) == {case: kinds for case, kinds in FOUND.items() if case not in only_native}
    assert report["errors"] == sum(finding["severity"] == ERROR for finding in report["findings"])


@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_the_right_twins_give_no_finding(programs: dict[str, Path], target: str, tmp_path: Path) -> None:
    run, report = check(programs[target], tmp_path, "right", "all")
    assert run.status == DONE, run.err
    assert report == {"errors": 0, "warnings": 0, "notes": 0, "findings": []}
    assert "--check-mpi: nothing was found" in run.err


@pytest.mark.parametrize("case", ENDS)
def test_a_mistake_that_ends_the_run_is_named_with_its_place(
    programs: dict[str, Path], case: str, tmp_path: Path
) -> None:
    kind, status = ENDS[case]
    run, report = check(programs["native"], tmp_path, "wrong", case)
    assert run.status == status, run.err
    named = [finding for finding in report["findings"] if finding["kind"] == kind]
    places = [call["place"] for finding in named for call in finding["calls"]]
    line = r" at \w+\.c:\d+"
    assert case == "barrier_left_out" or any(re.match(case + r"\(\)" + line, place) for place in places), report


def test_a_deadlock_on_a_program_for_riscv_is_named(programs: dict[str, Path], tmp_path: Path) -> None:
    run, report = check(programs["riscv64"], tmp_path, "wrong", "both_receive_first")
    assert run.status == DEADLOCK
    assert [finding["kind"] for finding in report["findings"]] == ["deadlock"]


def test_a_finding_has_ranks_places_and_the_cure(programs: dict[str, Path], tmp_path: Path) -> None:
    run, report = check(programs["native"], tmp_path, "wrong", "type_of_message", "communicator_left")
    line = (
        r"error: type mismatch: rank 0: MPI_Send in type_of_message\(\) at types\.c:\d+ of 2 MPI_INT to rank 1 is "
        r"received as 2 MPI_FLOAT by MPI_Recv in type_of_message\(\) at types\.c:\d+; use the same types"
    )
    assert re.search(line, run.err), run.err
    assert "error: --check-mpi found 1 mistake in the use of MPI" in run.err
    leak = next(finding for finding in report["findings"] if finding["kind"] == "leak")
    assert leak["ranks"] == [0, 1, 2, 3]  # one finding for all ranks
    rows = (tmp_path / "mpi_check.csv").read_text().splitlines()
    assert rows[0] == "severity,kind,job,ranks,times,call,place,text,cure"
    assert rows[2].startswith("warning,leak,0,ranks 0-3,4,MPI_Comm_dup,communicator_left() at leaks.c:")
    assert json.loads((tmp_path / "manifest.json").read_text())["status"] == "failed"


def test_a_finding_tells_the_elements_of_derived_types(programs: dict[str, Path], tmp_path: Path) -> None:
    run, _ = check(programs["native"], tmp_path, "wrong", "order_in_struct", "type_with_braces")
    assert "of 1 {1 MPI_DOUBLE, 2 MPI_INT} to rank 1 is received as 1 {2 MPI_INT, 1 MPI_DOUBLE} by" in run.err
    assert "of 1 {x} {2 MPI_INT} to rank 1 is received as 2 MPI_FLOAT by" in run.err


def test_a_call_that_returns_an_error_is_named_and_leaves_the_status(programs: dict[str, Path], tmp_path: Path) -> None:
    run, report = check(programs["native"], tmp_path, "wrong", "send_without_type")
    assert (run.status, report["errors"], report["warnings"]) == (DONE, 0, 1)
    assert re.search(r"ranks 0-3: MPI_Send in .* ended with MPI_ERR_TYPE; mend its arguments", run.err), run.err
    assert "nothing was found" not in run.err


def test_a_run_that_fails_otherwise_does_not_say_that_nothing_was_found(tmp_path: Path) -> None:
    program = compile_program(tmp_path, "MPI_Init(&argc, &argv); MPI_Abort(MPI_COMM_WORLD, 1);")
    run, report = check(program, tmp_path / "out", ranks=1)
    assert (run.status, report["findings"]) == (PROGRAM_FAILED, [])
    assert "nothing was found" not in run.err


@pytest.mark.parametrize("status", [0, 3])
def test_a_status_that_says_failure_leaves_the_findings_at_the_end(status: int, tmp_path: Path) -> None:
    body = """
      int rank, v = 1;
      MPI_Init(&argc, &argv);
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) MPI_Send(&v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
      MPI_Finalize();
      if (rank == 1) return %d;
    """
    program = compile_program(tmp_path, body % status)
    run, report = check(program, tmp_path / "out", ranks=2)
    assert run.status == PROGRAM_FAILED
    assert [finding["kind"] for finding in report["findings"]] == ["message never received"]


def test_the_cure_of_a_key_is_that_of_its_kind(programs: dict[str, Path], tmp_path: Path) -> None:
    cases = {"key_left": "Comm", "key_of_types_left": "Type", "key_of_windows_left": "Win"}
    _, report = check(programs["native"], tmp_path, "wrong", *cases)
    cures = {finding["calls"][0]["place"].split("()")[0]: finding["cure"] for finding in report["findings"]}
    assert cures == {case: f"call MPI_{kind}_free_keyval" for case, kind in cases.items()}


TOOL = """
int MPI_Finalize(void) { return argument == 0 ? PMPI_Finalize() : 0; }
"""


@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_a_tool_may_finalize_by_the_name_for_tools(target: str, tmp_path: Path) -> None:
    body = "argument = argc - 1; MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize();"
    options = ("--target", target, "--check-mpi")
    program = compile_program(tmp_path, body, *options, before="static int argument;" + TOOL)
    run, report = check(program, tmp_path / "right", ranks=2)
    assert (run.status, report["findings"]) == (DONE, []), run.err
    run, report = check(program, tmp_path / "wrong", "without", ranks=2)
    assert (run.status, [finding["kind"] for finding in report["findings"]]) == (PROGRAM_FAILED, ["no MPI_Finalize"])


def test_leaks_alone_do_not_fail_the_run(programs: dict[str, Path], tmp_path: Path) -> None:
    run, report = check(programs["native"], tmp_path, "wrong", "type_left", "names_of_types")
    assert (run.status, report["warnings"], report["notes"]) == (DONE, 1, 1)


@pytest.mark.parametrize(("machine", "app"), [("qsnet-16", "halo"), ("myrinet-8", "cg"), ("tofu-36", "fft")])
def test_a_right_program_gives_the_same_bytes_when_checked(machine: str, app: str, tmp_path: Path) -> None:
    for name, options in (("plain", ()), ("checked", ("--check-mpi",))):
        assert sanvp("run", machine, app, "--np", 8, "--out", tmp_path / name, *options).status == DONE
    for file in ("stats.csv", "ranks.csv", "congestion.csv"):
        assert (tmp_path / "plain" / file).read_bytes() == (tmp_path / "checked" / file).read_bytes()
    assert json.loads((tmp_path / "checked" / "mpi_check.json").read_text())["findings"] == []


@pytest.mark.parametrize("name", ["storm", "collective_storm", "cancel", "neighbors", "persistent", "two_groups"])
def test_programs_without_mistakes_give_no_error(name: str, tmp_path: Path) -> None:
    subprocess.run([CC, PROGRAMS / f"{name}.c", "-o", tmp_path / name], check=True)
    run = sanvp("run", "myrinet-8", tmp_path / name, "--np", 6, "--check-mpi")
    assert run.status == DONE, run.err


@pytest.mark.parametrize("machine", ["qsnet-16", "gcel-64"])
def test_the_measurement_of_windows_gives_no_error(machine: str) -> None:
    run = sanvp("run", machine, "rma", "--np", 2, "--check-mpi", "--", "--most", 512)
    assert run.status == DONE, run.err
    assert "PASS" in run.out


def test_a_program_for_riscv_must_be_linked_for_it(tmp_path: Path) -> None:
    subprocess.run([CC, "--target", "riscv64", PROGRAMS / "ring.c", "-o", tmp_path / "ring"], check=True)
    run = sanvp("run", MACHINE, tmp_path / "ring", "--np", 2, "--check-mpi")
    assert run.status == USER_MISTAKE
    assert "was not linked for it; link it by sanvp-cc --target riscv64 --check-mpi" in by_name(run.err)


THREAD = """
#include <pthread.h>
static void* call(void* none) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return none;
}
"""
THREADS = """
int level;
pthread_t thread;
MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &level);
pthread_create(&thread, NULL, call, NULL);
pthread_join(thread, NULL);
MPI_Finalize();
"""


def test_a_call_by_another_thread_needs_the_level(tmp_path: Path) -> None:
    options = ("--target", "riscv64", "--check-mpi", "-pthread")
    program = compile_program(tmp_path, THREADS, *options, before=THREAD)
    run, report = check(program, tmp_path / "wrong", ranks=1)
    assert run.status == PROGRAM_FAILED
    assert [finding["kind"] for finding in report["findings"]] == ["thread level"]
    run, report = check(program, tmp_path / "right", "multiple", ranks=1)
    assert (run.status, report["findings"]) == (DONE, [])


HANDLES = r"""
MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
int v = 1, n;
MPI_Datatype t;
MPI_Group g;
MPI_Request r;
MPI_Comm c;
MPI_Type_contiguous(1, MPI_INT, &t);
MPI_Comm_group(MPI_COMM_WORLD, &g);
MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
MPI_Comm_dup(MPI_COMM_WORLD, &c);
#define CODE(call, class) if (((v = (call))) != (class)) printf("%s gave %d\n", #call, v)
CODE(MPI_Barrier((MPI_Comm)MPI_INT), MPI_ERR_COMM);
CODE(MPI_Barrier((MPI_Comm)t), MPI_ERR_COMM);
CODE(MPI_Barrier((MPI_Comm)g), MPI_ERR_COMM);
CODE(MPI_Comm_size((MPI_Comm)MPI_SUM, &n), MPI_ERR_COMM);
CODE(MPI_Send(&v, 1, MPI_INT, 0, 0, (MPI_Comm)(intptr_t)91), MPI_ERR_COMM);
CODE(MPI_Send(&v, 1, (MPI_Datatype)MPI_COMM_WORLD, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
CODE(MPI_Send(&v, 1, (MPI_Datatype)c, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
CODE(MPI_Type_size((MPI_Datatype)MPI_SUM, &n), MPI_ERR_TYPE);
CODE(MPI_Type_commit((MPI_Datatype*)&g), MPI_ERR_TYPE);
CODE(MPI_Allreduce(&v, &n, 1, MPI_INT, (MPI_Op)MPI_INT, MPI_COMM_WORLD), MPI_ERR_OP);
CODE(MPI_Allreduce(&v, &n, 1, MPI_INT, (MPI_Op)MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_ERR_OP);
CODE(MPI_Group_size((MPI_Group)t, &n), MPI_ERR_GROUP);
CODE(MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &n), MPI_ERR_GROUP);
CODE(MPI_Group_size((MPI_Group)r, &n), MPI_ERR_GROUP);
CODE(MPI_Wait((MPI_Request*)&t, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
CODE(MPI_Cancel((MPI_Request*)&g), MPI_ERR_REQUEST);
CODE(MPI_Comm_free((MPI_Comm*)&t), MPI_ERR_COMM);
CODE(MPI_Barrier(c), MPI_SUCCESS);
CODE(MPI_Group_size(g, &n), MPI_SUCCESS);
CODE(MPI_Group_size(MPI_GROUP_EMPTY, &n), MPI_SUCCESS);
CODE(MPI_Comm_size(MPI_COMM_SELF, &n), MPI_SUCCESS);
MPI_Type_free(&t);
MPI_Group_free(&g);
MPI_Wait(&r, MPI_STATUS_IGNORE);
MPI_Comm copy = c;
MPI_Comm_free(&c);
CODE(MPI_Comm_free(&copy), MPI_ERR_COMM);
if (argc > 1) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Bcast(&v, 1, (MPI_Datatype)MPI_COMM_WORLD, 0, MPI_COMM_WORLD);
}
printf("END\n");
MPI_Finalize();
"""


@pytest.mark.parametrize("options", [(), ("--target", "riscv64", "--check-mpi")])
def test_handles_of_another_kind_have_their_error_class(options: tuple[str, ...], tmp_path: Path) -> None:
    program = compile_program(tmp_path, "MPI_Init(&argc, &argv);" + HANDLES, *options, headers=("stdint.h",))
    run = sanvp("run", MACHINE, program, "--np", 1)
    assert run.out == "[0] END\n", run.err
    fatal = sanvp("run", MACHINE, program, "--np", 1, "--", "fatal")
    assert fatal.status == PROGRAM_FAILED
    assert "MPI_Bcast: the datatype is a communicator; pass a datatype (MPI_ERR_TYPE)" in fatal.err


MANY = """
  const int n = 30000;
  int rank, *memory, *own = calloc(n, sizeof *own);
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(n * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  for (int i = 0; rank == 0 && i < n; ++i) {
    const int at = (int)((long)i * 7919 % n);
    ACCESS;
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  free(own);
  MPI_Finalize();
"""
PUT = "MPI_Put(own + i, 1, MPI_INT, 1, at, 1, MPI_INT, window)"
TWICE_IN_MANY = "if (i == n - 1) MPI_Put(own + i, 1, MPI_INT, 1, 7919, 1, MPI_INT, window); else " + PUT
ADD = "MPI_Accumulate(own, 1, MPI_INT, 1, i % 10, 1, MPI_INT, MPI_SUM, window)"


@pytest.mark.parametrize(
    ("access", "kinds"),
    [(PUT, set()), (ADD, set()), (TWICE_IN_MANY, {CONFLICT})],
    ids=["puts", "sums", "one conflict"],
)
def test_an_epoch_of_many_accesses_is_checked_in_seconds(access: str, kinds: set, tmp_path: Path) -> None:
    """Comparing each with all took 40 s."""
    compile_program(tmp_path, MANY.replace("ACCESS", access), "-O2")
    before = os.times()
    run, report = check(tmp_path / "prog", tmp_path)
    after = os.times()
    assert {(one["severity"], one["kind"]) for one in report["findings"]} == kinds, run.err
    assert after.children_user - before.children_user < 10


FORTRAN = """
subroutine exchange(rank)
  {use}
  integer, intent(in) :: rank
  integer :: ierror
  real :: numbers(4)
  numbers = 1
  if (rank == 0) call MPI_Send(numbers, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror)
  if (rank == 1) call MPI_Recv(numbers, 4, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
end subroutine
subroutine add(from, into, length, kind)
  {use}
  integer :: length, from(length), into(length), rank, ierror
  {kind} :: kind
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  into = into + from
end subroutine
program checked
  {use}
  external :: add
  integer :: rank, ierror, total
  {comm} :: copy
  {op} :: operation
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call exchange(rank)
  call MPI_Op_create(add, .true., operation, ierror)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, operation, MPI_COMM_WORLD, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Send(rank, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
"""
OF_MPIF = {"use": "include 'mpif.h'", "kind": "integer", "comm": "integer", "op": "integer"}
OF_MPI = OF_MPIF | {"use": "use mpi"}
OF_F08 = {"use": "use mpi_f08", "kind": "type(MPI_Datatype)", "comm": "type(MPI_Comm)", "op": "type(MPI_Op)"}


@needs_compilers
@pytest.mark.parametrize("words", [OF_MPIF, OF_MPI, OF_F08], ids=["mpif.h", "mpi", "mpi_f08"])
def test_calls_of_fortran_are_told_where_the_program_makes_them(words: dict[str, str], tmp_path: Path) -> None:
    source = FORTRAN.format(**words)
    (tmp_path / "prog.f90").write_text(source)
    made = wrapper("sanvp-fc", "--check-mpi", "prog.f90", "-o", "prog", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    _, report = check(tmp_path / "prog", tmp_path, ranks=2)
    lines = source.splitlines()
    places: dict[str, list] = {}
    for finding in report["findings"]:
        calls = [(call["call"], re.search(r":(\d+)", call["place"])[1]) for call in finding["calls"]]
        places.setdefault(finding["kind"], []).append(calls)

    def line(text: str) -> str:
        return str(1 + next(i for i, row in enumerate(lines) if text in row))

    sent, received = ("MPI_Send", line("MPI_Send(numbers")), ("MPI_Recv", line("MPI_Recv(numbers"))
    assert places["type mismatch"] == [[sent, received]]
    assert [calls[0] for calls in places["leak"]] == [
        ("MPI_Comm_dup", line("MPI_Comm_dup(")),
        ("MPI_Op_create", line("MPI_Op_create(")),
    ]
    assert places["call refused"] == [[("MPI_Send", line("MPI_Send(rank"))]]
    assert all("prog.f90:" in call["place"] for finding in report["findings"] for call in finding["calls"])
