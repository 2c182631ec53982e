"""`--snapshots`: gdb goes back, and the whole machine with it.

What a position shows is the same whenever it is reached.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from gdb_client import Client, gdb, needs_gdb, started
from program import PROJECT, SANVP, sanvp

pytestmark = needs_compilers
USER_MISTAKE, HOST_PROGRAM_FAILED = 2, 4


# What gdb up to version 15 says, and what it says from 16 on.
AT_THE_BEGINNING = re.compile("No more reverse-execution history|Reached end of recorded history")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("back")
    (folder / "counts.c").write_text(COUNTS)
    (folder / "workers.c").write_text(WORKERS)
    lessons = PROJECT / "examples" / "time-travel"
    sources = {"ring": SOURCES / "ring.c", "counts": folder / "counts.c", "workers": folder / "workers.c"}
    sources |= {name: lessons / f"{name}.c" for name in ("early", "rows", "tail")}
    for name, source in sources.items():
        command = ("sanvp-cc", "--target", "riscv64", "-g", "-O1", "-pthread", source, "-o", folder / name)
        made = wrapper(*command, cwd=folder)
        assert made.returncode == 0, made.stderr
    return folder


COUNTS = """#include <mpi.h>
#include <stdio.h>
int count, from_others;
__attribute__((noinline)) void step(int i) {
  count += i;
  printf("step %d\\n", i);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i <= 10; ++i) {
    step(i);
    int other = 0;
    MPI_Sendrecv(&count, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    from_others += other;
  }
  printf("%d %d\\n", count, from_others);
  MPI_Finalize();
  return 0;
}
"""


def registers(client: Client) -> str:
    return client.ask("g")


def plain_output(folder: Path) -> str:
    return subprocess.run(
        [SANVP, "run", "qsnet-16", "./counts", "--np", "2"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def test_a_step_back_is_the_state_before_the_step(programs: Path) -> None:
    """Registers and time of each of the last instructions are those that were there on the way forward."""
    with started(programs, "./counts", "--np", "2", "--gdb-wait", "--snapshots", "8") as run:
        client = Client(run)
        assert "ReverseStep+;ReverseContinue+" in client.ask("qSupported:multiprocess+;swbreak+")
        client.ask("Hgp1.3e8")
        seen = []
        for _ in range(12):
            seen.append(registers(client))
            assert client.ask("vCont;s:p1.3e8").startswith("T05")
        client.ask("Hcp1.3e8")
        for expected in reversed(seen):
            assert client.ask("bs").startswith("T05")
            client.ask("Hgp1.3e8")
            assert registers(client) == expected
        client.ask("D")
        ended = run.end()
    assert (ended.status, ended.output) == (0, plain_output(programs))


@needs_gdb
def test_gdb_goes_back_to_the_last_store_and_nothing_is_printed_twice(programs: Path) -> None:
    with started(programs, "./counts", "--np", "2", "--gdb-wait", "--snapshots", "16") as run:
        said = gdb(
            run,
            """set schedule-multiple on
            break step if (int)$a0 == 7
            continue
            print count
            delete
            watch count
            reverse-continue
            print count
            backtrace
            delete
            break step
            reverse-continue
            info args
            delete
            reverse-finish
            reverse-next
            detach inferiors 1 2
            """,
        )
        ended = run.end()
    assert "$1 = 21" in said
    assert "$2 = 15" in said, said
    assert "step (i=i@entry=6)" in said
    assert "\ni = 6\n" in said
    assert (ended.status, ended.output) == (0, plain_output(programs))


@needs_gdb
def test_the_beginning_is_said_and_the_way_forward_is_the_same(programs: Path) -> None:
    with started(programs, "./counts", "--np", "2", "--gdb-wait", "--snapshots", "8") as run:
        said = gdb(
            run,
            """set schedule-multiple on
            break step if (int)$a0 == 3
            continue
            delete
            reverse-continue
            break step if (int)$a0 == 3
            continue
            print i
            delete
            detach inferiors 1 2
            """,
        )
        ended = run.end()
    assert AT_THE_BEGINNING.search(said), said
    assert "$1 = 3" in said
    assert (ended.status, ended.output) == (0, plain_output(programs))


LESSON = """set schedule-multiple on
break early.c:17
continue
print received[0]
watch received[0]
reverse-continue
print received[0]
inferior 1
print buffer[0]
watch buffer[0]
reverse-continue
backtrace
detach inferiors 1 2
"""


@needs_gdb
@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-16", "tofu-36"])
def test_the_lesson_finds_the_store_that_came_too_early(programs: Path, machine: str) -> None:
    """From a wrong element to the card's write of it, and from there to the sender's store before the send ended."""
    with started(programs, "./early", "--np", "2", "--gdb-wait", "--snapshots", "16", machine=machine) as run:
        said = gdb(run, LESSON)
        ended = run.end()
    assert "$1 = 2" in said  # round 1 ...
    assert "$2 = 0" in said  # ... before the card has written
    assert re.search(r"written by the card of node 1.* the last packet that it got: \d+ from node 0, at ", said), said
    assert re.search(r"rank 0 there, .*, has sent rank 1 65536 bytes, tag 0, MPI_COMM_WORLD", said), said
    assert "$3 = 2" in said  # the sender's buffer at that time
    assert "fill (value=value@entry=2)" in said.split("$3 = 2")[1]
    assert ended.status == 0
    assert ended.output.startswith("[1] round 1: element 0 is 2\n")


CARD_LESSON = """set schedule-multiple on
break rows.c:42
continue
delete
monitor break register 0 PutDma write
reverse-continue
monitor card 0
inferior 1
print descriptor.source & 0xfff
print (long)rows[2] & 0xfff
print (long)rows[0] & 0xfff
reverse-continue
reverse-continue
monitor card 0
detach inferiors 1 2
"""


@needs_gdb
def test_the_lesson_about_the_card_finds_three_commands_with_one_descriptor(programs: Path) -> None:
    """Each store to PutDma names the same record, and the card has read none of them when the last one is there."""
    with started(programs, "./rows", "--np", "2", "--gdb-wait", "--snapshots", "16") as run:
        said = gdb(run, CARD_LESSON)
        ended = run.end()
    stores = re.findall(r"at ([0-9.]+)us: (0x[0-9a-f]+) is stored to PutDma of context", said)
    assert len(stores) == 3 and len({record for _, record in stores}) == 1, said
    times = [float(time) for time, _ in stores]
    assert times == sorted(times, reverse=True)
    last, first = (part.split("registers:")[0] for part in said.split("queues:")[1:])
    assert f"command PutDma, context 16, argument {stores[0][1]}" in last
    assert "command PutDma" not in first
    values = re.findall(r"^\$\d = (\d+)$", said, re.MULTILINE)
    assert values[0] == values[1] != values[2]  # the descriptor is that of row 2 already
    assert (ended.status, ended.output) == (0, "[1] 0: \n[1] 1: \n[1] 2: row 2\n")


FIRMWARE_LESSON = """set schedule-multiple on
break tail.c:14
continue
watch text[1002]
reverse-continue
continue
delete
monitor break packet 1 0
reverse-continue
monitor card 1
monitor mpi
detach inferiors 1 2
"""


@needs_gdb
def test_the_lesson_about_firmware_finds_the_descriptor_that_its_thread_has_made(programs: Path) -> None:
    """Nothing has stored the last byte of 1003, and the DMA that fetched them has 1000."""
    own_tport(programs, ".size = bytes,", ".size = bytes & ~7u,")
    options = ("--np", "2", "-s", "nic.firmware=tport.so", "--gdb-wait", "--snapshots", "16")
    with started(programs, "./tail", *options) as run:
        said = gdb(run, FIRMWARE_LESSON)
        ended = run.end()
    assert AT_THE_BEGINNING.search(said), said
    assert re.search(r"breakpoint 1 of the machine, at [0-9.]+us: packet \d+ from node 1 to node 0 is sent", said), said
    assert re.search(r"dma get, context 16, process 0, bytes 1000, sent 0, .* state waits for answers", said), said
    assert "a thread is at work" in said
    assert "from 0, to 1, tag 0, communicator MPI_COMM_WORLD, bytes 1003" in said
    assert (ended.status, ended.output) == (0, "[1] byte 1000 of 1003 is missing\n")


WORKERS = """#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
int words[4], rank;
__attribute__((noinline)) void store(int i, int value) { words[i] = value; }
void* work(void* number) {
  int i = (int)(long)number;
  for (int round = 1; round <= 3; ++round) store(i, 100 * rank + 10 * i + round);
  return NULL;
}
__attribute__((noinline)) void seen(int word) { printf("from the other: %d\\n", word); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  int other[4];
  MPI_Sendrecv(words, 4, MPI_INT, 1 - rank, 0, other, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  seen(other[2]);
  MPI_Finalize();
  return 0;
}
"""
# The inferior that stopped is detached first: gdb 13 would resume the thread with which it went over the watchpoint.
TO_A_WORKER = """set schedule-multiple on
tbreak seen if rank == 0
continue
print word
inferior 2
watch words[2]
reverse-continue
backtrace
reverse-continue
print words[2]
delete
reverse-stepi
print value
reverse-finish
print round
print words[2]
detach inferiors 2 1
"""


@needs_gdb
@pytest.mark.parametrize(
    "machine", ["qsnet-16", *[pytest.param(name, marks=pytest.mark.long) for name in ("myrinet-16", "tofu-36")]]
)
def test_a_word_from_another_rank_leads_to_the_store_of_the_thread_there_that_has_ended(
    programs: Path, machine: str
) -> None:
    """At the beginning of the way back all workers have been joined; each rank's four share two CPUs."""
    settings = ("./workers", "--np", "2", "-s", "host.cpus=2")
    straight = sanvp("run", machine, *settings, cwd=programs)
    with started(programs, *settings, "--gdb-wait", "--snapshots", "16", machine=machine) as run:
        said = gdb(run, TO_A_WORKER)
        ended = run.end()
    values = re.findall(r"^\$\d = (-?\d+)$", said, re.MULTILINE)
    assert values == ["123", "121", "122", "2", "121"], said
    last, before = re.findall(r"Thread (2\.\d+) .* hit Hardware watchpoint 2: words\[2\]", said)
    assert last == before != "2.1"  # which is the one of main()
    assert "Old value = 123\nNew value = 122\n" in said
    assert "Old value = 122\nNew value = 121\n" in said
    assert re.search(r"^#1 .* in work \(", said, re.MULTILINE)
    assert (ended.status, ended.output) == (0, straight.out)
    assert "[0] from the other: 123\n" in ended.output


def own_tport(folder: Path, text: str, replacement: str) -> None:
    """The firmware `tport.so` with a change."""
    shown = wrapper("sanvp-cc", "--firmware-sources", cwd=folder)
    mine = shutil.copytree(shown.stdout.strip(), folder / "mine", dirs_exist_ok=True)
    source = mine / "sw" / "elanlib" / "firmware" / "tport.c"
    assert text in source.read_text()
    source.write_text(source.read_text().replace(text, replacement))
    made = wrapper("sanvp-cc", "--firmware", "-I", mine, source, "-o", "tport.so", cwd=folder)
    assert made.returncode == 0, made.stderr


MEET = "static int meet_receives(struct matcher* matcher, e3_addr slot) {\n"
LOOPS = MEET + "  static volatile int messages;\n  if (++messages > 4) for (;;) continue;\n"


def test_firmware_in_an_endless_loop_is_ended_also_after_going_back(programs: Path, tmp_path: Path) -> None:
    """By a timer of the process, which a fork does not copy."""
    own_tport(tmp_path, MEET, LOOPS)
    settings = (str(programs / "counts"), "--np", "2", "-s", "nic.firmware=tport.so", "-s", "nic.thread.patience=200ms")
    straight = sanvp("run", "qsnet-16", *settings, cwd=tmp_path)
    assert straight.status == HOST_PROGRAM_FAILED
    assert "endless loop that lets no simulated time pass" in straight.err
    end = re.search(r", at ([0-9.]+)us$", straight.err.rstrip())
    assert end, straight.err
    with started(tmp_path, *settings, "--gdb-wait", "--snapshots", "8") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")
        client.ask("qRcmd," + f"break time {float(end[1]) - 1}us".encode().hex())
        assert client.ask("vCont;c").startswith("T05")
        said = bytes.fromhex(client.ask("qRcmd," + b"back 10us".hex())).decode()
        assert "the machine is as it was" in said
        client.ask("qRcmd," + b"delete".hex())
        client.ask("D")
        ended = run.end()
    assert (ended.status, ended.output) == (straight.status, straight.out)
    assert straight.err in ended.errors


def test_monitor_goes_to_a_time(programs: Path) -> None:
    with started(programs, "./ring", "--np", "3", "--gdb-wait", "--snapshots", "8") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")

        def monitor(line: str) -> str:
            return bytes.fromhex(client.ask("qRcmd," + line.encode().hex())).decode()

        began = float(monitor("time")[:-3])
        monitor(f"break time {began + 30}us")
        assert client.ask("vCont;c").startswith("T05")
        assert "the machine is as it was" in monitor(f"goto {began + 10}us")
        now = float(monitor("time")[:-3])
        assert began + 10 <= now < began + 30
        assert "later than now" in monitor("goto 1s")
        assert "the machine is as it was" in monitor("back 5us")
        assert now - 5 <= float(monitor("time")[:-3]) <= now
        client.ask("D")
        ended = run.end()
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--snapshots", "8"), "there is no --gdb PORT"),
        (("--gdb", "0", "--snapshots", "1"), "give a number from 4 to 256"),
    ],
)
def test_numbers_that_are_not_possible_are_errors(programs: Path, options: tuple[str, ...], cause: str) -> None:
    run = sanvp("run", "qsnet-16", "./ring", "--np", "3", *options, cwd=programs)
    assert (run.status, cause in run.err) == (USER_MISTAKE, True), run.err


def test_no_process_is_left(programs: Path) -> None:
    """Those that keep states end with the run, also when the one that a user has started is killed."""

    def processes() -> str:
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        return "\n".join(line for line in listed.splitlines() if "./counts" in line and "--snapshots 5" in line)

    with started(programs, "./counts", "--np", "2", "--gdb-wait", "--snapshots", "5") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")
        client.ask("vCont;s:p1.3e8")
        client.ask("D")
        run.end()
    assert processes() == ""
    with started(programs, "./counts", "--np", "2", "--gdb-wait", "--snapshots", "5") as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+")
        client.ask("vCont;s:p1.3e8")
        assert processes().count("\n") >= 2
        run.process.kill()
        run.process.communicate()  # until none has its output
    assert processes() == ""
