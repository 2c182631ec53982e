"""Algorithms of MPI's collective operations: each comes to what the standard says, by name and by size, on each."""

from __future__ import annotations

import random

import pytest
from algorithms import ALGORITHMS
from binaries import needs_compilers, wrapper
from program import PROJECT, SANVP, USER_MISTAKE, done, sanvp

HOST_PROGRAM_FAILED = 4
IMAGE = str(SANVP).rsplit("/", 1)[0] + "/sw/tests/mpi_algorithms.so"
MOST_ALGORITHMS = max(len(names) for names in ALGORITHMS.values())


def passes(machine: str, ranks: int, *options: str, program: str = IMAGE, arguments: tuple[object, ...] = ()) -> str:
    result = sanvp("run", machine, program, "--np", ranks, *options, "--", *arguments)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    return result.out


def settings(algorithm_of: dict[str, str]) -> tuple[str, ...]:
    return tuple(word for key, name in algorithm_of.items() for word in ("-s", f"{key}={name}"))


def slowest(operation: str, algorithm: str, *arguments: str, machine: str = "qsnet-16", ranks: int = 16):
    """Microseconds by bytes."""
    chosen = ("-s", f"mpi.{operation}={algorithm}")
    given = ("--operation", operation, "--count", "1", *arguments)
    out = passes(machine, ranks, *chosen, program="collectives", arguments=given)
    rows = (line.split("]")[-1].split() for line in out.splitlines())
    return {int(row[1]): float(row[3]) for row in rows if row[:1] == [operation]}


@pytest.mark.parametrize("ranks", [2, 3, 5, 8, 13])
@pytest.mark.parametrize("n", range(MOST_ALGORITHMS))
def test_whatever_is_drawn_comes_out_by_every_algorithm(n, ranks):
    chosen = {key: names[n % len(names)] for key, names in ALGORITHMS.items()}
    passes("qsnet-16", ranks, *settings(chosen), arguments=("--seed", n * 100 + ranks))


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_drawn_comes_out_by_algorithms_drawn_by_size(machine, seed):
    draw = random.Random(f"{machine} {seed}")
    chosen = {
        key: f"{draw.choice(names)}:{draw.choice(('16', '256', '1K', '3000'))},{draw.choice((*names, 'auto'))}"
        for key, names in ALGORITHMS.items()
    }
    passes(
        machine, draw.randrange(2, 13), *settings(chosen), arguments=("--seed", seed, "--most", "1K", "--rounds", 40)
    )


@pytest.mark.parametrize("nodes", ["0,0,0,1,1,2,2", "3,1,2,2,1,3,0,0,0,0,5,4", "0-3,0-3"])
@pytest.mark.parametrize("algorithm", ["hardware", "hardware:2K,chain"])
def test_broadcasts_of_all_sizes_and_roots_by_the_network_where_ranks_share_nodes(nodes, algorithm):
    ranks = sum(int(part.split("-")[-1]) - int(part.split("-")[0]) + 1 for part in nodes.split(","))
    options = ("--map", nodes, "-s", f"mpi.bcast={algorithm}")
    passes("qsnet-16", ranks, *options, arguments=("--seed", ranks, "--most", "64K"))


def test_a_size_chooses_the_algorithm():
    sizes = ("--least", "256", "--most", "4K")
    both = slowest("bcast", "binomial:1K,chain", *sizes)
    binomial, chain = (slowest("bcast", name, *sizes) for name in ("binomial", "chain"))
    for size, us in both.items():  # to read a rule takes some ns
        assert us == pytest.approx(binomial[size] if size <= 1024 else chain[size], abs=0.05), size
        assert abs(binomial[size] - chain[size]) > 1


@needs_compilers
def test_programs_of_risc_v_have_the_same_algorithms(tmp_path):
    support = [PROJECT / "sw/support" / name for name in ("options.c", "size.c")]
    source = PROJECT / "tests/images/mpi_algorithms.c"
    options = ("--target", "riscv64", "-O2", "-I", PROJECT)
    made = wrapper("sanvp-cc", *options, source, *support, "-o", "algorithms", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    last = settings({key: f"{names[-1]}:1K,{names[0]}" for key, names in ALGORITHMS.items()})
    passes("qsnet-16", 5, *last, program=str(tmp_path / "algorithms"), arguments=("--rounds", 30, "--most", "1K"))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("chain:1K,fastest", "-s mpi.bcast: 'fastest' is not one of auto, hardware"),
        ("chain:1K", "the last name has no size: add one for all that is larger"),
        ("chain:1K,", "the name after the last size is missing; by size, it is like hardware:256,binomial"),
        ("chain:1K,binomial:1KiB,auto", "sizes do not rise"),
        ("chain:some,auto", "a size is a number of bytes such as 256, 1K, 1KiB or 1MiB"),
        ("chain:18446744073709551624,auto", "a size is too large"),
        ("chain:18014398509481985K,auto", "a size is too large"),
        ("chain:,auto", "a size is missing after ':'"),
        ("chain,auto", "a size is missing: each name but the last has one"),
        ("chain:1,auto:2,chain:3,auto:4,chain:5,auto:6,chain", "too many rules: there are 6 at most"),
    ],
)
def test_rules_that_make_no_sense_are_refused_before_the_run(rules, message):
    result = sanvp("run", "qsnet-16", "collectives", "--np", 4, "-s", f"mpi.bcast={rules}")
    assert result.status == USER_MISTAKE
    assert result.err.count(message) == 1
    assert "computing" not in result.err


def test_sizes_of_rules_are_written_as_elsewhere():
    def metrics(size):
        arguments = ("collectives", "--np", 4, "-s", f"mpi.bcast=chain:{size},binomial", "--", "--operation", "bcast")
        return done("run", "qsnet-16", *arguments).out

    assert metrics("1024") == metrics("1K") == metrics("1k") == metrics("1KiB") != metrics("1MiB")
    assert metrics("1MiB") == metrics("1M") == metrics("1048576B")


@pytest.mark.parametrize("ranks", [3, 4, 16])
def test_from_three_ranks_on_the_network_broadcasts_faster_than_messages(ranks):
    sizes = ("--least", "1K", "--most", "1M")
    hardware = slowest("bcast", "hardware", *sizes, ranks=ranks)
    for name in ("binomial", "scatter-allgather", "chain"):
        for size, us in slowest("bcast", name, *sizes, ranks=ranks).items():
            assert hardware[size] <= 1.1 * us, (name, size)


def test_a_broadcast_by_the_network_is_as_fast_as_the_roots_bus():
    """FACTS.md 1.1: 200 MB/s main to main, one way; the same to 2 and to 15 other nodes."""
    few, many = (
        slowest("bcast", "hardware", "--least", "1M", "--most", "1M", ranks=ranks)[1 << 20] for ranks in (3, 16)
    )
    assert (1 << 20) / 200 < few < 1.1 * (1 << 20) / 200
    assert few == pytest.approx(many, rel=0.001)


def test_large_sizes_of_many_ranks_are_left_out_and_that_is_said():
    arguments = ("--operation", "alltoall", "--volume", "1M", "--count", "3")
    out = passes("qsnet-16", 16, program="collectives", arguments=arguments)
    # 240 blocks with their heads: of 1024 bytes four times below 1 MiB, of 4096 once, of 16384 above.
    assert "alltoall from 4096 bytes on is made fewer than 4 times, from 16384 bytes on is left out" in out
    everything = passes("qsnet-16", 16, program="collectives", arguments=(*arguments[:2], "--volume", "0"))
    assert "note" not in everything
    assert "16384" in everything


def test_records_that_end_while_the_library_looks_keep_their_order():
    """Nodes of the GCel forward others' packets in between: a look at all receives takes long enough for two to end."""
    arguments = ("--operation", "scan", "--least", "16", "--most", "64K", "--count", "1")
    passes("gcel-64", 24, "-s", "mpi.scan=recursive-doubling", program="collectives", arguments=arguments)
