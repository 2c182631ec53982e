"""`sanvp convert`: traces of SimGrid, DUMPI and Chakra, and training steps of models, as GOAL."""

from __future__ import annotations

import io
import random
import sys
from collections import Counter
from pathlib import Path

import pytest
from program import DONE, PROJECT, USER_MISTAKE, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.convert.__main__ import main
from sanvp.convert.collectives import ALGORITHMS, Group, play
from sanvp.convert.goal import Sequence, Writer

SAMPLES = PROJECT / "examples" / "goal"
PAIR = [SAMPLES / "pair-0.dumpi", SAMPLES / "pair-1.dumpi"]
LATENCY, OVERHEAD = 100, 50  # ns
HOST = f"loggops:{LATENCY},{OVERHEAD},0,0,0,1000000000"
FREE = "loggops:0,0,0,0,0,1000000000"
MESSAGE = OVERHEAD + LATENCY + OVERHEAD
OPERATIONS = ["allreduce", "reduce", "allgather", "gather", "scatter", "broadcast", "alltoall", "reduce_scatter"]


def converted(folder: Path, *words: object) -> Path:
    """The GOAL file that a command writes."""
    file = folder / "program.goal"
    assert main([*map(str, words), "-o", str(file)]) == DONE
    return file


def time(file: Path, host: str = HOST) -> float:
    """Its time on an ideal network, in nanoseconds."""
    words = ("--file", file, "--network", "ideal", "--host", host, "--json", "-")
    run = done("traffic", "qsnet-64", "goal", *words).json
    assert run["verdict"] == "done"
    return run["time_ns"]


def refusal(capfd: pytest.CaptureFixture[str], *words: object) -> str:
    """The message of a command that must be refused and must not leave a file."""
    output = Path("/nonexistent") if "-o" in words else None
    assert main([*map(str, words)]) == USER_MISTAKE
    assert output is None or not output.exists()
    return capfd.readouterr().err


# ---- collective operations


def messages(name: str, ranks: int, size: int, algorithm: str) -> tuple[Counter, Counter]:
    """What is sent and what is received, by sender, receiver and size."""
    sent: Counter = Counter()
    received: Counter = Counter()
    for me in range(ranks):
        out = io.StringIO()
        with Writer(out, ranks, "test").rank(me) as rank:
            play(name, Sequence(rank), Group(tuple(range(ranks)), me, 7, algorithm), size)
        for line in out.getvalue().split("\n"):
            words = line.split()
            if len(words) > 4 and words[1] == "send":
                sent[(me, int(words[4]), int(words[2][:-1]))] += 1
            elif len(words) > 4 and words[1] == "recv":
                received[(int(words[4]), me, int(words[2][:-1]))] += 1
    return sent, received


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", [*OPERATIONS, "barrier"])
def test_each_message_of_a_collective_operation_is_received_with_its_size(name, algorithm):
    for ranks in (1, 2, 3, 4, 7, 8):
        sent, received = messages(name, ranks, 1000, algorithm)
        assert sent == received
        assert bool(sent) == (ranks > 1)


@pytest.mark.parametrize(
    ("name", "algorithm", "ranks", "parts"),
    [
        ("allreduce", "ring", 5, 2 * 4),  # twice each part but the own: the least that is possible
        ("allreduce", "direct", 5, 2 * 4),
        ("allreduce", "recursive", 8, 2 * 7),
        ("reduce_scatter", "recursive", 8, 7),
        ("alltoall", "ring", 5, 4),
        ("alltoall", "direct", 5, 4),
    ],
)
def test_an_operation_moves_the_least_bytes_that_its_algorithm_needs(name, algorithm, ranks, parts):
    part = 120
    sent, _ = messages(name, ranks, part * ranks, algorithm)
    for me in range(ranks):
        assert sum(size * count for (source, _, size), count in sent.items() if source == me) == parts * part


# ---- SimGrid


def test_standard_output_is_no_file_of_goal(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "--output: '-' is no name of a file" in refusal(capfd, "dumpi", *PAIR, "-o", "-")
    assert list(tmp_path.iterdir()) == []


def test_a_trace_of_simgrid_takes_its_closed_form(tmp_path):
    file = converted(tmp_path, "simgrid", SAMPLES / "ring.simgrid")
    # 20 us of computing (at 1 Gflop/s), three messages one after the other, and 2 * 2 steps of the ring, which rank 0
    # enters last. (With costs of the CPU, messages that arrive meanwhile would delay those that leave.)
    assert time(file, f"loggops:{LATENCY},0,0,0,0,1000000000") == 20_000 + (3 + 4) * LATENCY


def test_a_trace_of_simgrid_may_list_a_file_for_each_rank(tmp_path):
    listed = tmp_path / "ring.txt"
    lines = (SAMPLES / "ring.simgrid").read_text().splitlines()
    for rank in range(3):
        text = "".join(line + "\n" for line in lines if line.startswith(f"{rank} "))
        (tmp_path / f"ring-{rank}").write_text(text)
    listed.write_text("ring-0\nring-1\nring-2\n")
    whole = converted(tmp_path, "simgrid", SAMPLES / "ring.simgrid").read_text()
    assert converted(tmp_path, "simgrid", listed).read_text().split("\n", 1)[1] == whole.split("\n", 1)[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 compute x\n", ":1: 'compute x'"),
        ("0 init\n0 fly 3\n", ":2: the action 'fly' is not known"),
        ("0 send 1 0 8\n", ":1: 'send 1 0 8': there is no rank 1"),
        ("0 send\n", ":1: 'send'"),
        ("0 bcast 8 0 99\n", "datatype 99"),
        ("nonsense\n", "No such file"),
        ("1 init\n", "no action of rank 0"),
        ("", "is empty"),
    ],
)
def test_a_mistake_in_a_trace_of_simgrid_is_named_with_its_line(tmp_path, capfd, text, message):
    trace = tmp_path / "trace"
    trace.write_text(text)
    assert message in refusal(capfd, "simgrid", trace, "-o", tmp_path / "out.goal")
    assert not (tmp_path / "out.goal").exists()


# ---- DUMPI


def test_a_trace_of_dumpi_takes_its_closed_form(tmp_path):
    # 10 us before the messages, 10 us beside them, 5 us; then 2 steps of an allreduce of 8 bytes, 4 in each.
    assert time(converted(tmp_path, "dumpi", *PAIR)) == 10_000 + OVERHEAD + 10_000 + OVERHEAD + 5_000 + 2 * MESSAGE


def test_computation_of_a_trace_of_dumpi_is_scaled(tmp_path):
    file = converted(tmp_path, "dumpi", *PAIR, "--cpu-ratio", 2)
    assert time(file, FREE) == 2 * 25_000


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("11 (MPI_DOUBLE)\nint source", "99 (mine)\nint source", ":4: MPI_Irecv: the size of the datatype 'mine'"),
        ("int source=1", "int source=7", ":4: MPI_Irecv: there is no rank 7"),
        ("int source=1\n", "", ":4: MPI_Irecv has no 'source'"),
        ("MPI_Isend returning", "MPI_Send returning", "MPI_Send returns, but it was not entered"),
        ("(MPI_COMM_WORLD)\nMPI_Allreduce", "(user)\nMPI_Allreduce", "only the ranks of MPI_COMM_WORLD"),
        ("MPI_Finalize returning", "", "MPI_Finalize does not return"),
    ],
)
def test_a_mistake_in_a_trace_of_dumpi_is_named_with_its_line(tmp_path, capfd, old, new, message):
    text = PAIR[0].read_text()
    assert old in text
    (tmp_path / "pair-0").write_text(text.replace(old, new, 1))
    assert message in refusal(capfd, "dumpi", tmp_path / "pair-0", PAIR[1], "-o", tmp_path / "out.goal")


# ---- Chakra

COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
INT64, TEXT = 9, 29  # fields of an attribute's value


def varint(value: int) -> bytes:
    parts = [value & 0x7F]
    while value := value >> 7:
        parts[-1] |= 0x80
        parts.append(value & 0x7F)
    return bytes(parts)


def field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def node(number: int, kind: int, after: tuple[int, ...] = (), micros: int = 0, **attributes: int | str) -> bytes:
    packed = b"".join(map(varint, after))
    data = field(1, number) + field(2, f"node{number}") + field(3, kind) + field(7, micros)
    data += field(5, packed) if after else b""
    for name, value in attributes.items():
        data += field(10, field(1, name) + field(INT64 if isinstance(value, int) else TEXT, value))
    return data


def trace(file: Path, *nodes: bytes) -> Path:
    """An execution trace: its metadata, then its nodes."""
    file.write_bytes(b"".join(varint(len(one)) + one for one in (field(1, "0.0.4"), *nodes)))
    return file


def test_a_trace_of_chakra_takes_its_closed_form(tmp_path):
    ranks = 4
    # A message of each pair beside 3 us of computing, an allreduce over all, and 2 us.
    files = []
    for me in range(ranks):
        kind, partner = (SEND, "comm_dst") if me % 2 == 0 else (RECEIVE, "comm_src")
        files.append(
            trace(
                tmp_path / f"trace.{me}.et",
                node(3, COMPUTE, (2,), 2),  # nodes are in no order
                node(0, COMPUTE, (), 3),
                node(1, kind, (), comm_size=100, comm_tag=1, **{partner: me ^ 1}),
                node(2, COLLECTIVE, (0, 1), comm_type=0, comm_size=800),
            )
        )
    assert time(converted(tmp_path, "chakra", *files)) == 3_000 + 2 * 3 * MESSAGE + 2_000
    assert time(converted(tmp_path, "chakra", *files, "--algorithm", "recursive")) == 3_000 + 4 * MESSAGE + 2_000


def test_process_groups_of_chakra_are_those_of_a_file(tmp_path, capfd):
    groups = tmp_path / "groups.json"
    groups.write_text('{"even": [0, 2], "odd": [1, 3]}')
    files = []
    for me in range(4):
        name = "odd" if me % 2 else "even"
        one = node(0, COLLECTIVE, (), comm_type=2, comm_size=800, pg_name=name)
        files.append(trace(tmp_path / f"trace.{me}.et", one))
    assert time(converted(tmp_path, "chakra", *files, "--groups", groups)) == MESSAGE
    assert "give --groups" in refusal(capfd, "chakra", *files, "-o", tmp_path / "out.goal")


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ((node(0, COMPUTE, (1,)), node(1, COMPUTE, (0,))), "wait for each other in a circle"),
        ((node(0, COMPUTE, (5,)),), "node 0 waits for node 5"),
        ((node(0, COMPUTE), node(0, COMPUTE)), "two nodes have the id 0"),
        ((node(0, SEND, comm_size=8, comm_dst=9),), "node 0 (node0) comm_dst is 9"),
        ((node(0, SEND, comm_dst=0),), "has no attribute comm_size"),
        ((node(0, COMPUTE, num_ops=5),), "give --flops"),
        ((b"\x12\x05ab",), "field 2 ends after its message"),
        ((b"\x08",), "a number has no end"),
    ],
)
def test_a_mistake_in_a_trace_of_chakra_is_named(tmp_path, capfd, nodes, message):
    file = trace(tmp_path / "trace.0.et", *nodes)
    assert message in refusal(capfd, "chakra", file, "-o", tmp_path / "out.goal")


# ---- training steps


def test_stages_one_forward_one_backward_have_the_known_bubble(tmp_path):
    stages, batches, layers, hidden, sequence, flops = 4, 6, 8, 256, 128, 1e9
    sizes = ("--layers", layers, "--hidden", hidden, "--sequence", sequence, "--flops", flops)
    file = converted(
        tmp_path, "training", *sizes, "--data", 1, "--tensor", 1, "--pipeline", stages, "--micro-batches", batches
    )
    forward = (24 * sequence * hidden**2 + 4 * sequence**2 * hidden) * layers / stages / flops * 1e9
    # Without costs of messages a step takes (batches + stages - 1) times a forward and a backward.
    assert time(file, FREE) == pytest.approx((batches + stages - 1) * 3 * forward, rel=1e-9)


def test_each_dimension_sends_the_bytes_that_it_must(tmp_path):
    layers, hidden, sequence, batches, data, tensor = 2, 64, 32, 3, 4, 2
    sizes = ("--layers", layers, "--hidden", hidden, "--sequence", sequence, "--micro-batches", batches)
    file = converted(tmp_path, "training", *sizes, "--data", data, "--tensor", tensor, "--pipeline", 1, "--experts", 2)
    sent: Counter = Counter()
    for line in file.read_text().split("num_ranks", 1)[1].split("\nrank 1", 1)[0].split("\n"):
        words = line.split()
        if words[1:2] == ["send"]:
            sent[int(words[6])] += int(words[2][:-1])
    activations = sequence * hidden * 2
    weights = hidden**2 * 2 // tensor
    tensor_tag, expert_tag, gradient_tag = 3, 4, 16
    assert sent[tensor_tag] == batches * layers * 4 * activations * 2 * (tensor - 1) // tensor
    assert sent[expert_tag] == batches * layers * 4 * (activations * 2 // tensor) // 2  # half stays with the rank
    attention, experts = (
        sum(size for tag, size in sent.items() if tag >= gradient_tag and tag % 2 == odd) for odd in (0, 1)
    )
    assert attention == layers * 4 * weights * 2 * (data - 1) // data
    assert experts == layers * 8 * weights * 2 * (data // 2 - 1) // (data // 2)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_training_step_ends_with_each_algorithm(tmp_path, algorithm):
    words = ("--data", 3, "--tensor", 2, "--pipeline", 2, "--layers", 4, "--hidden", 64, "--experts", 3)
    assert time(converted(tmp_path, "training", *words, "--algorithm", algorithm)) > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--layers", 3, "--pipeline", 2), "--layers 3 is no multiple of --pipeline 2"),
        (("--tensor", 0), "--tensor 0: give at least 1"),
        (("--data", 4, "--experts", 3), "--data 4 is no multiple of --experts 3"),
        (("--micro-batches", -1), "--micro-batches -1: give at least 1"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(tmp_path, capfd, words, message):
    assert message in refusal(capfd, "training", *words, "-o", tmp_path / "out.goal")


# ---- all


@pytest.mark.parametrize("kind", ["simgrid", "dumpi", "chakra"])
def test_a_damaged_trace_is_refused_or_converted(tmp_path, kind, capfd):
    dice = random.Random(kind)
    chakra = trace(
        tmp_path / "trace",
        node(0, COMPUTE, (), 3),
        node(1, SEND, (0,), comm_size=8, comm_dst=0),
        node(2, COLLECTIVE, (1,), comm_type=6, comm_size=99, pg_name=""),
    )
    whole = {"simgrid": SAMPLES / "ring.simgrid", "dumpi": PAIR[0], "chakra": chakra}[kind].read_bytes()
    damaged = tmp_path / "damaged"
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(data))
            data[at : at + dice.randrange(3)] = dice.randbytes(dice.randrange(3))
        damaged.write_bytes(data)
        status = main([kind, str(damaged), "-o", str(tmp_path / "out.goal")])
        assert status in (DONE, USER_MISTAKE)
        refused += status == USER_MISTAKE
    assert refused > 0
    capfd.readouterr()
