"""Programs that hang: those that look again and again for what cannot come, and what a wait is said to be for."""

from __future__ import annotations

import pytest
from program import DEADLOCK, DONE, sanvp
from test_run import PROGRAM_FAILED, compile_program

START = (
    "int r, n = 0, f = 0, d = 0; char* b = 0; (void)n; (void)f; (void)d; (void)b; MPI_Request q[3];"
    "MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);"
)
SHORT = ("-s", "host.looks=20ms")


def run(tmp_path, body: str, *options: str):
    program = compile_program(tmp_path, START + body + "MPI_Finalize();")
    return sanvp("run", "qsnet-16", program, "--np", 3, *options)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "if (r == 0) { MPI_Irecv(&n, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, q);"
            "while (!f) MPI_Test(q, &f, MPI_STATUS_IGNORE); } MPI_Barrier(MPI_COMM_WORLD);",
            ["rank 0 on node 0 makes no progress in MPI_Test since ", "rank 1 on node 1 waits in MPI_Barrier"],
        ),
        (
            "if (r) while (!f) MPI_Iprobe(0, 3, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE);",
            [f"rank {r} on node {r} makes no progress in MPI_Iprobe (rank 0, tag 3)" for r in (1, 2)],
        ),
        (
            "MPI_Irecv(&n, 1, MPI_INT, (r + 1) % 3, 7, MPI_COMM_WORLD, q);"
            "while (!f) { MPI_Testall(1, q, &f, MPI_STATUSES_IGNORE); usleep(1); }",
            [f"rank {r} on node {r} makes no progress in MPI_Testall" for r in range(3)],
        ),
    ],
    ids=["one tests, others wait", "two probe, one waits", "all test and sleep"],
)
def test_a_rank_that_looks_for_ever_for_what_cannot_come_is_reported(tmp_path, body, words):
    result = run(tmp_path, body, *SHORT)
    assert result.status == DEADLOCK
    for line in words:
        assert line in result.err


# What ranks have received and whether they have found it, at their ends.
NOTHING = "received 0, found 0"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "double t = MPI_Wtime() + 0.15; if (r == 0) while (MPI_Wtime() < t)"
            "MPI_Iprobe(1, 3, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE); MPI_Barrier(MPI_COMM_WORLD);",
            [NOTHING] * 3,
        ),
        (
            "if (r == 0) { hal_compute_ps(200000000000); n = 9; MPI_Send(&n, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); }"
            "if (r == 1) while (!f) MPI_Iprobe(0, 3, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE);"
            "if (r == 1) MPI_Recv(&n, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            ["received 9, found 0", "received 9, found 1", NOTHING],
        ),
        (
            "b = calloc(24, 1 << 20); if (r == 0) { b[0] = 2; b[(24 << 20) - 1] = 3;"
            "MPI_Isend(b, 24 << 20, MPI_BYTE, 1, 3, MPI_COMM_WORLD, q);"
            "while (!f) MPI_Test(q, &f, MPI_STATUS_IGNORE); }"
            "if (r == 1) { MPI_Recv(b, 24 << 20, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            "n = b[0] + b[(24 << 20) - 1]; }",
            ["received 0, found 1", "received 5, found 0", NOTHING],
        ),
    ],
    ids=["until a time", "while another computes", "while data move"],
)
def test_a_rank_may_look_again_and_again_for_what_will_come(tmp_path, body, found):
    result = run(tmp_path, body + 'printf("%d received %d, found %d\\n", r, n, f);', *SHORT)
    assert result.status == DONE, result.err
    assert sorted(result.out.splitlines()) == [f"[{r}] {r} {words}" for r, words in enumerate(found)]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "if (r) { MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, q); MPI_Wait(q, MPI_STATUS_IGNORE); }"
            "else MPI_Recv(&n, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            [
                "rank 1 on node 1 waits in MPI_Wait (of MPI_Ibcast, rank 0)",
                "rank 0 on node 0 waits in MPI_Recv (rank 2",
            ],
        ),
        (
            "if (r != 1) MPI_Allreduce(&n, &d, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
            ["rank 0 on node 0 waits in MPI_Allreduce (rank 1, 4 bytes)"],
        ),
        (
            "MPI_Irecv(&n, 1, MPI_INT, (r + 1) % 3, 7, MPI_COMM_WORLD, &q[0]);"
            "MPI_Irecv(&d, 1, MPI_INT, (r + 2) % 3, 8, MPI_COMM_WORLD, &q[1]);"
            "MPI_Send(&r, 1, MPI_INT, (r + 2) % 3, 7, MPI_COMM_WORLD); MPI_Waitall(2, q, MPI_STATUSES_IGNORE);",
            [f"rank {r} on node {r} waits in MPI_Waitall (of MPI_Irecv, rank {(r + 2) % 3}, tag 8)" for r in range(3)],
        ),
    ],
    ids=["a nonblocking collective", "a collective", "one of several"],
)
def test_a_hang_names_the_operation_and_the_rank_that_is_waited_for(tmp_path, body, words):
    result = run(tmp_path, body)
    assert result.status == DEADLOCK
    for line in words:
        assert line in result.err


def test_the_time_of_ranks_that_wait_until_the_run_ends_counts_as_waiting(tmp_path):
    result = run(tmp_path, "MPI_Recv(&n, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "--json", "-")
    assert result.status == DEADLOCK
    time = result.json["jobs"][0]["time"]
    assert time["waiting_ns"] > 0.9 * sum(time.values())  # 50 ms, until the lack of progress is noticed


# More than the 4096 early messages that a process keeps to begin with (sw/elanlib/tport.c: transport.unexpected, 512
# bytes each), and the last one has another tag.
FLOOD = (
    "const int many = 5000; if (r == 1) for (int i = 0; i <= many; ++i)"
    "MPI_Send(&i, 1, MPI_INT, 0, i == many, MPI_COMM_WORLD);"
    "if (r == 0) usleep(20000);"
)


def test_messages_that_find_no_room_wait_at_their_sender_until_they_are_received(tmp_path):
    receive = "if (r == 0) for (int i = 0; i <= many; ++i) {"
    receive += "MPI_Recv(&n, 1, MPI_INT, 1, i == many, MPI_COMM_WORLD, MPI_STATUS_IGNORE); assert(n == i); d += 1; }"
    result = run(tmp_path, FLOOD + receive + 'if (r == 0) printf("%d\\n", d);')
    assert result.status == DONE, result.err
    assert result.out == "[0] 5001\n"


@pytest.mark.parametrize("room", ["32K", "2M", "4M"])
@pytest.mark.parametrize("look", ["", "while (!f) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE);"])
def test_a_receive_gets_first_what_found_no_room_if_it_asks_for_that(tmp_path, look, room):
    receive = "MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); assert(n == many); d = 1;"
    receive += "for (int i = 0; i < many; ++i) {"
    receive += "MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); assert(n == i); d += 1; }"
    receive += 'printf("%d\\n", d);'
    result = run(tmp_path, f"{FLOOD} if (r == 0) {{ {look} {receive} }}", "-s", f"transport.unexpected={room}")
    assert result.status == DONE, result.err
    assert result.out == "[0] 5001\n"


def test_the_room_for_early_messages_has_a_least_size(tmp_path):
    result = run(tmp_path, "", "-s", "transport.unexpected=4K")
    assert result.status == PROGRAM_FAILED
    assert "transport.unexpected is too small for this card: it takes 32K at least" in result.err


def test_more_early_messages_than_the_card_has_memory_for_are_reported_with_the_cure(tmp_path):
    receive = "if (r == 0) MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    result = run(tmp_path, FLOOD.replace("5000", "70000") + receive)
    assert result.status == DEADLOCK
    assert "[0] note: 65536 messages have come before their receives, and Elan memory has no place" in result.err
    assert "or run with -s transport.matching=host" in result.err
    assert "rank 0 on node 0 waits in MPI_Recv (rank 1, tag 1, 4 bytes)" in result.err
    assert "rank 1 on node 1 waits in MPI_Send (rank 0, tag 0, 4 bytes)" in result.err


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-8"])
def test_a_test_of_many_requests_takes_longer_than_one_of_few(tmp_path, machine):
    """So a program that tests thousands of messages gets on, and does not look a million times in a millisecond."""
    program = compile_program(
        tmp_path,
        "enum { MANY = 1000 }; static MPI_Request q[MANY]; int r, flag, counts[] = {1, MANY}; MPI_Init(&argc, &argv);"
        "MPI_Comm_rank(MPI_COMM_WORLD, &r);"
        "for (int i = 0; i < MANY; ++i) MPI_Irecv(&flag, 0, MPI_INT, 1 - r, 0, MPI_COMM_WORLD, &q[i]);"
        "for (int i = 0; i < 2; ++i) { double t = MPI_Wtime(); MPI_Testall(counts[i], q, &flag, MPI_STATUSES_IGNORE);"
        'if (r == 0) printf("%.0f\\n", 1e9 * (MPI_Wtime() - t)); }'
        "for (int i = 0; i < MANY; ++i) MPI_Send(&flag, 0, MPI_INT, 1 - r, 0, MPI_COMM_WORLD);"
        "MPI_Waitall(MANY, q, MPI_STATUSES_IGNORE); MPI_Finalize();",
    )
    result = sanvp("run", machine, program, "--np", 2)
    assert result.status == DONE, result.err
    few, many = (float(line.split()[-1]) for line in result.out.splitlines())
    assert 20 * few < many < 1000 * few
