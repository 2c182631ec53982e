"""`sanvp run --gdb`: ranks under gdb, clients that misbehave, and that nothing of it shows in the results."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from gdb_client import Client, Run, frame, gdb, needs_gdb, results, started
from program import SANVP

pytestmark = needs_compilers


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("debugged")
    for name in ("ring", "crash"):
        source = SOURCES / f"{name}.c"
        made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", source, "-o", folder / name, cwd=folder)
        assert made.returncode == 0, made.stderr
    threads = [SOURCES / "threads.cpp", "-pthread", "-o", folder / "threads"]
    made = wrapper("sanvp-c++", "--target", "riscv64", "-g", *threads, cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder


def plain(folder: Path, *arguments: str) -> tuple[str, dict]:
    """Output and results without a debugger."""
    command = [str(SANVP), "run", "qsnet-16", *arguments, "--json", "plain.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, results(folder / "plain.json")


RING = ("./ring", "--np", "3")


@needs_gdb
def test_a_session_with_breakpoints_source_lines_watchpoints_and_ranks(programs: Path) -> None:
    with started(programs, *RING, "--gdb-wait") as run:
        said = gdb(
            run,
            """set schedule-multiple on
            tbreak fill
            continue
            backtrace
            info threads
            watch total
            continue
            print squares
            monitor ranks
            monitor time
            monitor card
            inferior 3
            print total
            inferior 1
            delete
            tbreak MPI_Recv thread 1.1
            continue
            backtrace 2
            next
            stepi
            detach inferiors 1 2 3
            """,
        )
        ended = run.end()
    assert "fill (count=" in said and "ring.c:14" in said
    assert "in main (argc=<optimized out>, argv=<optimized out>) at " in said
    assert '"rank 2 on node 2"' in said
    assert "Hardware watchpoint 2: total" in said and "Old value = 0" in said
    assert "$1 = {0, " in said
    assert re.search(r"  process 2: rank 1 on node 1, (runs|waits in MPI_Recv)", said), said
    assert "us\n" in said and "the card of node " in said
    assert "[Switching to inferior 3 [process 3]" in said and "$2 = " in said
    assert "MPI_Recv" in said.split("$2 = ")[1]
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")
    assert (ended.output, ended.result) == plain(programs, *RING)


MEETS = """#include <mpi.h>
static int rank;
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc == 99) rank = 3; MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@needs_gdb
@pytest.mark.parametrize("rank", range(3))
def test_next_goes_over_a_call_while_other_ranks_pass_the_breakpoint(tmp_path: Path, rank: int) -> None:
    """gdb steps others over the breakpoint that does not hold for them, and forgets where it waits for this one."""
    (tmp_path / "meets.c").write_text(MEETS)
    made = wrapper("sanvp-cc", "--target", "riscv64", "-g", "-O1", "meets.c", "-o", "meets", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    with started(tmp_path, "./meets", "--np", "3", "--gdb-wait") as run:
        said = gdb(
            run,
            f"""set schedule-multiple on
            break meets.c:6 if rank == {rank}
            continue
            next
            info program
            detach inferiors 1 2 3
            """,
        )
        ended = run.end()
    assert f'"rank {rank} on node {rank}" hit Breakpoint 1' in said
    assert "SIGTRAP" not in said
    assert "\n7\t  MPI_Finalize();" in said
    assert ended.status == 0


@needs_gdb
def test_stops_within_blocks_change_neither_turns_nor_times(programs: Path) -> None:
    """Threads on four CPUs take turns by budgets: steps, watchpoints and breakpoints must not end one early."""
    settings = ("./threads", "--np", "2", "-s", "host.cpus=4")
    with started(programs, *settings, "--gdb-wait") as run:
        said = gdb(
            run,
            """break pthread_mutex_lock
            continue
            stepi 300
            continue 20
            info threads
            delete
            watch -location *(long*)($sp+16)
            continue
            continue
            delete
            detach inferiors 1 2
            """,
        )
        ended = run.end()
    assert "hit Breakpoint 1" in said and "Hardware watchpoint 2" in said
    assert (ended.output, ended.result) == plain(programs, *settings)


@needs_gdb
@pytest.mark.parametrize("leave", ["detach inferiors 1 2 3", "disconnect"])
def test_a_call_of_a_function_leaves_nothing_behind_when_gdb_goes(programs: Path, leave: str) -> None:
    """The function returns to gdb's breakpoint on the stack, where no code may be."""
    with started(programs, *RING, "--gdb-wait") as run:
        said = gdb(run, f"break fill\ncontinue\nprint square(7)\n{leave}\n")
        ended = run.end()
    assert "hit Breakpoint 1" in said and "$1 = 49" in said
    assert "SIG" not in said + ended.errors
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")


@needs_gdb
@pytest.mark.parametrize("rank", range(3))
def test_a_run_whose_ranks_were_left_ends_for_those_that_were_not(programs: Path, rank: int) -> None:
    """Whichever rank ends last."""
    left = [other + 1 for other in range(3) if other != rank]
    with started(programs, *RING, "--gdb-wait") as run:
        said = gdb(
            run,
            f"""set schedule-multiple on
            detach inferiors {left[0]} {left[1]}
            inferior {rank + 1}
            continue
            """,
        )
        ended = run.end()
    assert f"[Inferior {rank + 1} (process {rank + 1}) exited normally]" in said
    assert "internal-error" not in said
    assert (ended.output, ended.result) == plain(programs, *RING)


@needs_gdb
def test_a_crash_is_seen_before_it_happens_and_named_after(programs: Path) -> None:
    with started(programs, "./crash", "--np", "1", "--gdb-wait") as run:
        said = gdb(run, "continue\nbacktrace\nprint node\ncontinue\n")
        ended = run.end()
    assert "Program received signal SIGSEGV, Segmentation fault." in said
    assert "walk (node=" in said and "$1 = (struct node *) 0x0" in said
    assert "Program terminated with signal SIGSEGV" in said
    assert ended.status == 4
    assert "SIGSEGV at pc 0x" in ended.errors and "address 0x8; called by main() at crash.c:" in ended.errors


@pytest.mark.parametrize(
    "argument, text",
    [
        ("null", "SIGSEGV at pc 0x{pc} in walk() at crash.c:{line}, address 0x8; called by main() at crash.c:28"),
        ("illegal", "SIGILL at pc 0x{pc} in main() at crash.c:32"),
        ("recursion", "more with -s host.stack=SIZE; called by recurse() at crash.c:21 again and again"),
        ("large", "; it has 8MiB of stack, more with -s host.stack=SIZE; called by main() at crash.c:35"),
        ("deeper", "more with -s host.stack=SIZE; called by deeper() at crash.c:50 again and again"),
    ],
)
def test_a_crash_names_function_line_and_callers(programs: Path, argument: str, text: str) -> None:
    command = [str(SANVP), "run", "qsnet-16", "./crash", "--np", "1", "--", argument]
    done = subprocess.run(command, cwd=programs, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    before, _, after = text.partition("{pc}")
    assert before in done.stderr
    assert after.partition("{line}")[2] in done.stderr
    assert ("stack overflow (SIGSEGV)" in done.stderr) == (argument in ("recursion", "large", "deeper"))
    assert ("in f() at crash.c:" in done.stderr) == (argument == "large")  # and not in float


def test_arrays_of_fortran_that_the_stack_has_no_room_for_are_named(tmp_path: Path) -> None:
    """libgfortran has a handler for the signal, whose frame has no room either."""
    (tmp_path / "large.f90").write_text(
        "program large\n  call work(2000000)\ncontains\n  subroutine work(n)\n    integer, intent(in) :: n\n"
        "    real(8) :: a(n)\n    a = 1\n    print *, sum(a)\n  end subroutine\nend program\n"
    )
    made = wrapper("sanvp-fc", "-fstack-arrays", "large.f90", "-o", "large", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    command = [str(SANVP), "run", "qsnet-16", "./large", "--np", "1"]
    small = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert small.returncode == 4
    assert "stack overflow (SIGSEGV)" in small.stderr and "more with -s host.stack=SIZE" in small.stderr
    command += ["-s", "host.stack=32MiB"]
    enough = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (enough.returncode, enough.stdout.split()) == (0, ["2000000.0000000000"])


def test_ctrl_c_names_the_place_of_a_loop(programs: Path) -> None:
    with started(programs, "./crash", "--np", "1", "--gdb-wait", "--", "endless") as run:
        client = Client(run)
        client.send(frame("vCont;c"))  # the program begins now
        time.sleep(1)
        client.socket.close()
        run.process.send_signal(signal.SIGINT)
        ended = run.end()
    assert ended.status == 130
    assert "interrupted, in main() at crash.c:39" in ended.errors


def test_the_client_stops_a_loop_and_kills_the_run(programs: Path) -> None:
    with started(programs, "./crash", "--np", "1", "--", "endless") as run:
        client = Client(run)
        assert client.ask("?").startswith("T05thread:")
        client.send(frame("vCont;c"))
        client.send(b"\x03")
        assert client.answer().startswith("T02thread:")
        assert client.ask("vKill;1") == "OK"
        ended = run.end()
    assert ended.status == 130
    assert "gdb has ended the run at " in ended.errors


def test_a_client_that_sends_nonsense_and_goes_does_no_harm(programs: Path) -> None:
    with started(programs, *RING, "--gdb-wait") as run:
        client = Client(run)
        client.send(b"$g#00")
        assert client.byte() == b"-"
        client.send(b"+++\x03#zz}}}$g$$")
        assert client.ask("nonsense") == ""
        assert client.ask("m0,ffffffffffffffff") == "E03"
        assert client.ask("QStartNoAckMode") == "OK"
        client.send(b"$vCont;s")
        client.socket.close()
        ended = run.end()
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")
    assert ended.result == plain(programs, *RING)[1]


def test_without_waiting_the_program_runs_before_a_client_comes(programs: Path) -> None:
    with started(programs, *RING) as run:
        ended = run.end()
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")
    assert ended.result == plain(programs, *RING)[1]


def refused(folder: Path, *arguments: str) -> str:
    command = [str(SANVP), "run", "qsnet-16", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr


def test_mistakes_are_one_sentence_each(programs: Path) -> None:
    assert "is not a program for RISC-V; compile it with" in refused(programs, "ping", "--np", "2", "--gdb", "0")
    assert "--gdb-wait: there is no --gdb PORT" in refused(programs, *RING, "--gdb-wait")
    for port in ("x", "-1", "65536"):
        assert "is not a port" in refused(programs, *RING, f"--gdb={port}")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"--gdb: port {port} cannot be used: Address already in use; choose another" in refused(
            programs, *RING, "--gdb", str(port)
        )


def test_it_listens_on_the_loopback_address_only(programs: Path) -> None:
    with started(programs, *RING, "--gdb-wait") as run:
        assert listeners(run) == {"0100007F"}


def listeners(run: Run) -> set[str]:
    """Addresses on which some program listens at the run's port, as /proc writes them."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    places = [line.split()[1].split(":") for line in lines if line.split()[3] == "0A"]
    return {address for address, port in places if int(port, 16) == run.port}
