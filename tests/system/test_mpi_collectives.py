"""Collective operations of MPI: what the standard says, whatever algorithm does them; and which is the quicker."""

from __future__ import annotations

import pytest
from algorithms import ALGORITHMS
from compiled import compile_program
from program import DEADLOCK, SANVP, USER_MISTAKE, sanvp

HOST_PROGRAM_FAILED = 4
IMAGES = str(SANVP).rsplit("/", 1)[0] + "/sw/tests"
PROGRAMS = ("mpi_collectives", "mpi_reductions", "mpi_nonblocking_collectives")
MOST_ALGORITHMS = max(len(names) for names in ALGORITHMS.values())


def run(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()):
    machine = "qsnet-16" if ranks <= 16 else "qsnet-64"
    return sanvp("run", machine, program, "--np", ranks, *options, "--", *arguments)


def passes(program: str, ranks: int, *arguments: str, options: tuple[str, ...] = ()) -> str:
    result = run(program, ranks, *arguments, options=options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    return result.out


def image(name: str) -> str:
    return f"{IMAGES}/{name}.so"


def nth_of_each(n: int) -> tuple[str, ...]:
    return tuple(word for key, names in ALGORITHMS.items() for word in ("-s", f"{key}={names[n % len(names)]}"))


def times(operation: str, algorithm: str, *arguments: str, ranks: int = 64) -> dict[int, float]:
    """Microseconds by bytes, a rank on each node."""
    out = passes("collectives", ranks, "--operation", operation, *arguments, options=("-s", algorithm))
    rows = (line.split("]")[-1].split() for line in out.splitlines())
    return {int(row[1]): float(row[2]) for row in rows if row[:1] == [operation]}


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 16])
@pytest.mark.parametrize("program", PROGRAMS)
def test_collective_operations_do_what_the_standard_says(program, ranks):
    passes(image(program), ranks)


@pytest.mark.parametrize("machine", ["myrinet-8", "tofu-36"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_collective_operations_do_what_the_standard_says_on_other_machines(program, machine):
    result = sanvp("run", machine, image(program), "--np", 5)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out


@pytest.mark.parametrize("program", PROGRAMS)
def test_collective_operations_on_64_ranks(program):
    passes(image(program), 64)


@pytest.mark.parametrize("ranks", [7, 8])
@pytest.mark.parametrize("n", range(MOST_ALGORITHMS))
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_algorithm_comes_to_the_same(program, n, ranks):
    arguments = ("again",) if program == "mpi_reductions" and n > 0 else ()
    passes(image(program), ranks, *arguments, options=nth_of_each(n))


@pytest.mark.parametrize("program", PROGRAMS)
def test_collective_operations_among_ranks_that_share_nodes(program):
    passes(image(program), 7, options=("--map", "0,0,0,1,1,2,2"))


def test_a_barrier_that_does_nothing_is_noticed_by_the_test_of_mpi():
    result = run(image("mpi_collectives"), 4, "--barrier", "none")
    assert result.status == HOST_PROGRAM_FAILED
    assert "not so: left >= last" in result.err


@pytest.mark.parametrize("key", ALGORITHMS)
def test_a_wrong_name_of_an_algorithm_is_answered_with_the_right_ones(key):
    result = run("collectives", 2, options=("-s", f"{key}=fastest"))
    assert result.status == USER_MISTAKE
    assert f"-s {key}: 'fastest' is not one of auto, {', '.join(ALGORITHMS[key])}" in result.err


@pytest.mark.parametrize(
    ("setting", "cause"),
    [
        ("mpi.alltoall=liner", "did you mean 'linear'?"),
        ("elan.barrier=foo", "'foo' is not one of hardware, software"),
        ("transport.eager=foo", "'foo' is no number of bytes; write such as 4M"),
    ],
)
def test_a_value_that_a_library_does_not_take_is_refused_before_the_run(setting, cause):
    result = run("collectives", 2, options=("-s", setting))
    assert result.status == USER_MISTAKE
    assert f"error: -s {setting.partition('=')[0]}: " in result.err
    assert cause in result.err


def test_an_operation_that_does_not_know_the_type_is_an_error():
    result = run(image("mpi_reductions"), 2, "wrong")
    assert result.status == HOST_PROGRAM_FAILED
    assert "MPI_BAND does not know the datatype MPI_DOUBLE" in result.err


def test_ranks_that_do_not_agree_on_the_size_get_an_error():
    result = run(image("mpi_reductions"), 2, "counts", options=("-s", "mpi.bcast=binomial"))
    assert result.status == HOST_PROGRAM_FAILED
    assert "counts and types must agree" in result.err


def test_the_network_makes_a_faster_barrier_and_a_faster_broadcast_than_software():
    assert times("barrier", "mpi.barrier=hardware")[0] < times("barrier", "mpi.barrier=dissemination")[0] / 2
    sizes = ("--least", "16", "--most", "1K", "--count", "1")
    hardware, software = (times("bcast", f"mpi.bcast={name}", *sizes) for name in ("hardware", "binomial"))
    assert hardware.keys() == software.keys() != set()
    for size, time in hardware.items():
        assert time < software[size], size


@pytest.mark.parametrize("operation", ["alltoall", "allreduce"])
def test_auto_is_as_quick_as_any_other(operation):
    sizes = ("--least", "16", "--most", "16", "--count", "1")
    auto = times(operation, f"mpi.{operation}=auto", *sizes)
    for name in ALGORITHMS[f"mpi.{operation}"]:
        for size, time in times(operation, f"mpi.{operation}={name}", *sizes).items():
            assert auto[size] < 1.1 * time, (name, size)


def test_between_two_ranks_a_broadcast_is_a_message():
    sizes = ("--least", "1K", "--most", "64K", "--count", "1")
    auto, message = (times("bcast", f"mpi.bcast={name}", *sizes, ranks=2) for name in ("auto", "binomial"))
    assert auto == pytest.approx(message, abs=0.01)  # us: to find out what auto is takes some ns
    assert len(auto) > 1


@pytest.mark.parametrize(
    "machine",
    [("qsnet-16",), ("qsnet-16", "-s", "transport.matching=host"), ("myrinet-8",), ("moc-2-1",), ("tofu-36",)],
)
def test_waitany_sees_an_operation_that_ends_while_the_library_is_busy_with_others(machine):
    trees = ("-s", "mpi.barrier=tree", "-s", "mpi.reduce=binomial")
    result = sanvp("run", *machine, image("mpi_waitany_background"), "--np", 8, *trees)
    assert result.status == 0, result.err
    assert "PASS" in result.out


REFUSED = """
  MPI_Init(&argc, &argv);
  int rank, data[16] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 2) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int broadcast = 0; broadcast < atoi(argv[1]); ++broadcast) MPI_Bcast(data, 16, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 2) MPI_Bcast(data, 16, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 2 && MPI_Bcast(WRONG, 0, MPI_COMM_WORLD) != MPI_SUCCESS) printf("refused\\n");
  if (argc > 3) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
"""
ARGUMENTS = {
    "NULL, 16, MPI_INT": "the buffer is a null pointer (MPI_ERR_BUFFER)",
    "data, -1, MPI_INT": "the count is -1; it must be 0 or more (MPI_ERR_COUNT)",
    "data, 16, MPI_DATATYPE_NULL": "the datatype is MPI_DATATYPE_NULL (MPI_ERR_TYPE)",
}


@pytest.mark.parametrize(("wrong", "told"), ARGUMENTS.items())
@pytest.mark.parametrize("broadcasts_before", [0, 1])
def test_a_broadcast_that_one_rank_refuses_is_told_by_its_call_not_by_the_card(
    tmp_path, wrong, told, broadcasts_before
):
    program = compile_program(tmp_path, REFUSED.replace("WRONG", wrong))
    result = run(str(program), 4, str(broadcasts_before))
    assert result.status == HOST_PROGRAM_FAILED
    assert f"error: rank 2 on node 2: MPI_Bcast: {told}" in result.err
    for later, call in ((), "MPI_Finalize"), (("barrier",), "MPI_Barrier"):
        returned = run(str(program), 4, str(broadcasts_before), "return", *later)
        assert returned.status == DEADLOCK
        assert "[2] refused" in returned.out
        assert f"rank 2 on node 2 waits in {call} since" in returned.err
        for other in (0, 1, 3):
            assert f"rank {other} on node {other} waits in MPI_Bcast (rank 0, 64 bytes) since" in returned.err
        assert "elan3:" not in returned.err


def test_a_process_that_refuses_a_broadcast_beside_others_on_its_node_is_told_by_its_call(tmp_path):
    program = compile_program(tmp_path, REFUSED.replace("WRONG", "NULL, 16, MPI_INT"))
    result = run(str(program), 4, "0", "return", options=("--map", "0,1,1,0"))
    assert result.status == DEADLOCK
    assert "rank 2 has ended" in result.err
    assert "rank 0 on node 0 waits in MPI_Finalize since" in result.err
