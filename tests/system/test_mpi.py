"""MPI but for its collective operations and windows: the standard's text call by call, and mistakes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from binaries import needs_compilers, wrapper
from program import DEADLOCK, PROJECT, SANVP, sanvp
from share import a_share

HOST_PROGRAM_FAILED = 4
CC = Path(SANVP).with_name("sanvp-cc")
IMAGES = Path(SANVP).parent / "sw" / "tests"
PROGRAMS = ("mpi_messages", "mpi_requests", "mpi_datatypes", "mpi_communicators", "mpi_topologies")
LATER = ("mpi_persistent_collectives", "mpi_exchanges", "mpi_layouts", "mpi_tools")  # MPI-3.1's and MPI-4's
# By chapters of MPI-3.1, with the others below and those of collective operations, windows and files (tests/README.md).
CHAPTERS = (
    "mpi_attribute_order",
    "mpi_conversions",
    "mpi_error_handlers",
    "mpi_freed_early",
    "mpi_group_algebra",
    "mpi_infos",
    "mpi_inter_collectives",
    "mpi_modes",
    "mpi_neighborhoods",
    "mpi_nested_types",
    "mpi_rare_cases",
    "mpi_sections",
    "mpi_type_corners",
)
REFUSED = {
    "spawn": "MPI_Comm_spawn: a job has no processes but those with which it was started",
    "port": "MPI_Open_port: a job has no ports",
    "name": "MPI_Lookup_name: a job has no names of services",
    "join": "MPI_Comm_join: a job has no sockets",
}
MISTAKES = {
    "before_init": ("MPI_Comm_size", "call MPI_Init first"),
    "type_before_init": ("MPI_Type_contiguous", "call MPI_Init first"),
    "no_rank": ("MPI_Send", "there is no rank 2; the communicator has ranks 0..1"),
    "bad_tag": ("MPI_Send", "the tag is -7; it must be 0 or more"),
    "bad_count": ("MPI_Irecv", "the count is -2; it must be 0 or more"),
    "null_buffer": ("MPI_Send", "the buffer is a null pointer"),
    "null_type": ("MPI_Send", "MPI_DATATYPE_NULL"),
    "null_comm": ("MPI_Barrier", "MPI_COMM_NULL"),
    "disconnect_null": ("MPI_Comm_disconnect", "MPI_COMM_NULL"),
    "disconnect_world": ("MPI_Comm_disconnect", "MPI_COMM_WORLD is predefined"),
    "truncated": ("MPI_Sendrecv", "has 8 bytes, the buffer 4; make the buffer larger"),
    "uncommitted": ("MPI_Send", "call MPI_Type_commit first"),
    "freed_type": ("MPI_Send", "the datatype has been freed"),
    "freed_comm": ("MPI_Send", "the communicator has been freed"),
    "freed_request": ("MPI_Wait", "the request is done or freed already"),
    "freed_group": ("MPI_Group_size", "the group has been freed"),
    "free_world": ("MPI_Comm_free", "MPI_COMM_WORLD is predefined"),
    "free_int": ("MPI_Type_free", "MPI_INT is predefined"),
    "no_buffer": ("MPI_Bsend", "attach a larger buffer with MPI_Buffer_attach"),
    "start_twice": ("MPI_Start", "is active already; wait for its end first"),
    "start_other": ("MPI_Start", "make it with MPI_Send_init or MPI_Recv_init"),
    "not_a_grid": ("MPI_Cart_shift", "make one with MPI_Cart_create"),
    "grid_too_large": ("MPI_Cart_create", "3 processes are asked for, the communicator has 2"),
    "no_key": ("MPI_Attr_put", "make it with MPI_Keyval_create"),
    "too_many_pieces": ("MPI_Type_create_indexed_block", "no memory for 2147483647 pieces; set host.memory"),
    "in_place_broadcast": ("MPI_Bcast", "MPI_IN_PLACE has no meaning for this argument"),
    "in_place_not_at_the_root": ("MPI_Gather", "MPI_IN_PLACE has no meaning for this argument, or not at this rank"),
    "in_place_result": ("MPI_Scan", "MPI_IN_PLACE has no meaning for this argument"),
    "in_place_send": ("MPI_Send", "MPI_IN_PLACE has no meaning for this argument"),
    "no_memory_group": ("MPI_Comm_group", "no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "no_memory_key": ("MPI_Comm_create_keyval", "no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "no_memory_handler": ("MPI_Comm_create_errhandler", "no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "no_memory_number": ("no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "no_memory_collective": ("MPI_Allreduce", "no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "no_memory_split": ("no memory for", "set host.memory (MPI_ERR_NO_MEM)"),
    "never_complete": ("MPI_Waitany", "a process that waits cannot call MPI_Grequest_complete; call it before"),
    "failing_copy": ("MPI_Comm_dup", "the program's function that copies attribute"),
    "init_twice": ("MPI_Init", "MPI is running already; call it once"),
    "after_the_end": ("MPI_Comm_rank", "MPI is not running"),
    "give_up": ("MPI_Abort", "code 3"),
}


def run(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()):
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    return sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks, *options, "--", *arguments)


def passes(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()) -> None:
    result = run(program, ranks, *arguments, options=options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize(("machine", "ranks"), [("qsnet-16", 1), ("qsnet-16", 7), ("myrinet-8", 8), ("tofu-36", 5)])
@pytest.mark.parametrize("program", LATER)
def test_calls_of_later_versions_do_what_the_standard_says(program, machine, ranks):
    result = sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("program", LATER)
def test_calls_of_later_versions_do_what_the_standard_says_where_ranks_share_nodes(program):
    passes(program, 4, options=("--map", "0,0,1,1"))


@pytest.mark.parametrize(
    ("program", "machine", "ranks"), a_share(CHAPTERS, ["qsnet-16", "myrinet-8", "tofu-36"], [1, 2, 7])
)
def test_each_chapter_on_each_kind_of_machine(program, ranks, machine, tmp_path):
    result = sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks, cwd=tmp_path)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


def test_attributes_of_oneself_go_first_at_the_end():
    result = sanvp("run", "qsnet-16", IMAGES / "mpi_attribute_order.so", "--np", 3)
    assert result.out == "[0] the three are gone\n[0] PASS\n"


@pytest.mark.parametrize(
    ("machine", "ranks", "options"),
    [
        ("qsnet-16", 7, ("--map", "0,0,0,1,1,2,0")),
        ("qsnet-16", 16, ("-s", "transport.matching=host")),
        ("myrinet-8", 9, ("--map", "0,0,0,1,1,2,0,2,2")),
        ("gcel-64", 6, ()),
    ],
    ids=["shared-nodes", "host-matching", "myrinet-shared", "parix"],
)
@pytest.mark.parametrize("program", CHAPTERS)
def test_each_chapter_by_other_ways_of_the_messages(program, machine, ranks, options, tmp_path):
    result = sanvp("run", machine, IMAGES / f"{program}.so", "--np", ranks, *options, cwd=tmp_path)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("machine", ["myrinet-8", "tofu-36"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says_on_other_machines(program, machine):
    result = sanvp("run", machine, IMAGES / f"{program}.so", "--np", 5)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@needs_compilers
@pytest.mark.parametrize("program", CHAPTERS)
def test_each_chapter_in_programs_of_risc_v(program, tmp_path):
    source = PROJECT / f"tests/images/{program}.c"
    made = wrapper("sanvp-cc", "--target", "riscv64", "-I", PROJECT, source, "-o", "prog", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    result = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 4, cwd=tmp_path)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("call", REFUSED)
def test_processes_outside_of_the_job_are_refused_with_what_to_do(call):
    result = run("mpi_tools", 2, call)
    assert result.status == HOST_PROGRAM_FAILED
    assert REFUSED[call] in result.err
    assert "start all ranks with --np" in result.err


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7, 8, 16])
@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says(program, ranks):
    passes(program, ranks)


@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says_on_64_ranks(program):
    passes(program, 64)


@pytest.mark.parametrize("program", PROGRAMS)
def test_mpi_does_what_the_standard_says_where_ranks_share_nodes(program):
    passes(program, 7, options=("--map", "0,0,0,1,1,2,0"))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_an_error_with_its_call_and_its_cure(mistake):
    result = run("mpi_mistakes", 2, mistake)
    assert result.status == HOST_PROGRAM_FAILED, result.err + result.out
    for words in MISTAKES[mistake]:
        assert words in result.err
    assert "PASS" not in result.out


def compiled(folder: Path, body: str, before: str = "") -> subprocess.CompletedProcess:
    source = folder / "prog.c"
    source.write_text(
        f"#include <mpi.h>\n#include <stdio.h>\n{before}\nint main(int argc, char** argv) {{\n"
        f"  MPI_Init(&argc, &argv);\n{body}\n  MPI_Finalize();\n  return 0;\n}}\n"
    )
    return subprocess.run([CC, source, "-o", folder / "prog"], capture_output=True, text=True, check=False)


def printed(folder: Path, ranks: int, body: str, before: str = "") -> list[str]:
    result = compiled(folder, body, before)
    assert result.returncode == 0, result.stderr
    run_of_it = sanvp("run", "qsnet-16", folder / "prog", "--np", ranks)
    assert run_of_it.status == 0, run_of_it.err + run_of_it.out
    return run_of_it.out.splitlines()


def test_the_null_arguments_of_spawning_are_there_for_programs_that_name_them(tmp_path):
    body = (
        "  char **arguments = MPI_ARGV_NULL, ***of_each = MPI_ARGVS_NULL;\n  int* codes = MPI_ERRCODES_IGNORE;\n"
        '  printf("%d %d %d\\n", arguments == NULL, of_each == NULL, codes == NULL);'
    )
    assert printed(tmp_path, 1, body) == ["[0] 1 1 1"]


def test_the_data_of_a_receive_that_is_done_are_in_the_buffer(tmp_path):
    lines = printed(
        tmp_path,
        1,
        """
  int out[4] = {1, 2, 3, 4}, gaps[8] = {0}, matched[4] = {0}, word[2] = {0, 9}, flag;
  MPI_Datatype type;
  MPI_Request request, send;
  MPI_Message message;
  MPI_Status status;
  MPI_Type_vector(4, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(gaps, 1, type, 0, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
  printf("%d %d %d %d\\n", gaps[0], gaps[2], gaps[4], gaps[6]);
  gaps[2] = 7; /* the program's from now on */
  MPI_Wait(&request, &status);
  printf("%d %zu\\n", gaps[2], (size_t)status.bytes_);
  MPI_Isend(out, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &send);
  MPI_Mprobe(0, 2, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(matched, 4, MPI_INT, &message, &request);
  for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
  printf("%d %d\\n", matched[0], matched[3]);
  MPI_Wait(&request, &status);
  MPI_Wait(&send, &status);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(out, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, &send);
  MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, &status);
  MPI_Imrecv(word, 1, MPI_INT, &message, &request);
  for (flag = 0; !flag;) printf("%d\\n", MPI_Request_get_status(request, &flag, &status));
  printf("%d %d %d\\n", word[0], word[1], MPI_Wait(&request, &status) == MPI_ERR_TRUNCATE);
  MPI_Wait(&send, &status);
  MPI_Type_free(&type);""",
    )
    assert lines[:3] == ["[0] 1 2 3 4", "[0] 7 16", "[0] 1 4"]
    assert set(lines[3:-1]) == {"[0] 0"}
    assert lines[-1] == "[0] 1 9 1"


HANDLER = """
static MPI_Comm told;
static int times;
static void handler(MPI_Comm* comm, int* code, ...) {
  told = *comm;
  ++times;
}
"""


@pytest.mark.parametrize(("ranks", "between_groups"), [(2, 0), (4, 1)])
def test_an_error_within_a_nonblocking_collective_goes_to_the_handler_of_its_communicator(
    tmp_path, ranks, between_groups
):
    # The root sends four words, which none of the others expects, and each another number than the one before; with
    # two groups the second of them gets its part within its own group.
    lines = printed(
        tmp_path,
        ranks,
        f"""
  const int between = {between_groups};
  int rank, words[4] = {{0}};
  MPI_Comm part, comm;
  MPI_Errhandler errors;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, between ? rank % 2 : 0, rank, &part);
  if (between) MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &comm);
  if (!between) MPI_Comm_dup(part, &comm);
  MPI_Comm_create_errhandler(handler, &errors);
  MPI_Comm_set_errhandler(comm, errors);
  const int sends = between ? rank % 2 : rank == 0, in_root_group = rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
  const int root = between && sends ? in_root_group : 0;
  MPI_Ibcast(words, sends ? 4 : rank == 2 ? 1 : 2, MPI_INT, root, comm, &request);
  const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (sends) printf("sent %d\\n", code == MPI_SUCCESS && times == 0);
  if (!sends) printf("told %d\\n", code == MPI_ERR_TRUNCATE && times == 1 && told == comm);
  MPI_Barrier(MPI_COMM_WORLD);""",
        HANDLER,
    )
    told, sent = [f"[{r}] told 1" for r in range(ranks)], [f"[{r}] sent 1" for r in range(ranks)]
    assert sorted(lines) == ([told[0], sent[1], told[2], sent[3]] if between_groups else [sent[0], told[1]])


def test_nonblocking_copies_of_communicators_do_not_run_out(tmp_path):
    lines = printed(
        tmp_path,
        2,
        """
  int rank, word;
  MPI_Comm copy;
  MPI_Request request;
  for (int i = 0; i < 33000; ++i) {
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (i < 32999) MPI_Comm_free(&copy);
  }
  MPI_Comm_rank(copy, &rank);
  word = rank + 40;
  MPI_Bcast(&word, 1, MPI_INT, 1, copy);
  printf("%d\\n", word);""",
    )
    assert sorted(lines) == ["[0] 41", "[1] 41"]


def test_a_receive_that_spins_in_mpi_test_sees_time_pass(tmp_path):
    # 1 MiB takes about 5 ms: some ten thousand tests.
    result = compiled(
        tmp_path,
        """
  static char bytes[1 << 20];
  int rank, flag = 0, tests = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(bytes, 1 << 20, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(bytes, 1 << 20, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    for (; !flag; ++tests) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    printf("tests %d\\n", tests);
  }""",
    )
    assert result.returncode == 0, result.stderr
    run_of_it = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 2)
    assert run_of_it.status == 0, run_of_it.err
    assert int(run_of_it.out.split()[-1]) > 100


def test_standard_sends_of_64_kib_to_each_other_wait_for_ever_and_are_reported(tmp_path):
    result = compiled(
        tmp_path,
        """
  static char out[65536], in[65536];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ssend(out, 65536, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(in, 65536, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);""",
    )
    assert result.returncode == 0, result.stderr
    run_of_it = sanvp("run", "qsnet-16", tmp_path / "prog", "--np", 2)
    assert run_of_it.status == DEADLOCK
    assert "MPI_Ssend" in run_of_it.err


def test_the_list_of_calls_is_that_of_the_library():
    script = PROJECT / "scripts" / "mpi_calls.py"
    listed = subprocess.run([script, Path(SANVP).parent], capture_output=True, text=True, check=True).stdout
    assert (PROJECT / "sw" / "mpi" / "CALLS.md").read_text() == listed
