"""`sanvp run --check-mpi`: each mistake of tests/mistakes is found and named, its right twin is not."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from checked_mpi import check
from compiled import CC, PROGRAM_FAILED, compile_program
from program import DEADLOCK, DONE, PROJECT

MISTAKES = sorted((PROJECT / "tests" / "mistakes").glob("*.c"))

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


def test_an_error_that_ends_the_program_is_a_finding_too(tmp_path: Path) -> None:
    body = "int x = 0; MPI_Init(&argc, &argv);\nMPI_Send(&x, 1, MPI_INT, 0, -7, MPI_COMM_WORLD); MPI_Finalize();"
    run, report = check(compile_program(tmp_path, body), tmp_path / "out", ranks=1)
    assert (run.status, report["errors"]) == (PROGRAM_FAILED, 1)
    (finding,) = report["findings"]
    (call,) = finding["calls"]
    assert (finding["severity"], finding["kind"]) == (ERROR, "call refused")
    assert (call["rank"], call["call"]) == (0, "MPI_Send")
    assert re.fullmatch(r"main\(\) at prog\.c:\d+", call["place"])
    told = f"MPI_Send in {call['place']}: the tag is -7; it must be 0 or more (MPI_ERR_TAG)"
    assert finding["text"] == told
    assert f"error: call refused: rank 0: {told}\n" in run.err


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
