"""`monitor break` in gdb: the machine stops at packets, stores to registers, blocked links, unexpected messages.

Forward and, with `--snapshots`, backward; at the same instants each time.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from binaries import SOURCES, compile_text, needs_compilers, wrapper
from gdb_client import Client, Run, gdb, needs_gdb, started
from program import done
from trace_text import Timeline, of_json

pytestmark = needs_compilers
SIX = ["qsnet-16", "myrinet-16", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
PS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}


def in_ps(text: str) -> int:
    number, unit = re.fullmatch(r"([\d.]+)([a-z]+)", text).groups()
    return round(float(number) * PS[unit])


class Monitor(Client):
    """A client that uses `monitor`, and sees what the machine says when it stops."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.ask("qSupported:multiprocess+;swbreak+")

    def monitor(self, line: str) -> str:
        text, answer = "", self.ask("qRcmd," + line.encode().hex())
        while answer.startswith("O"):
            text += bytes.fromhex(answer[1:]).decode()
            answer = self.answer()
            self.send(b"+")
        return text + bytes.fromhex(answer).decode()

    def resume(self, packet: str = "vCont;c") -> str:
        """What is said before the stop; the stop reply if it is no stop by the machine."""
        said, answer = "", self.ask(packet)
        while answer.startswith("O"):
            said += bytes.fromhex(answer[1:]).decode()
            answer = self.answer()
            self.send(b"+")
        assert answer.startswith(("T05", "W")), answer
        return said or answer

    def time_ps(self) -> int:
        return in_ps(self.monitor("time").strip())


def at_ps(said: str) -> int:
    found = re.search(r"^breakpoint \d+ of the machine, at (\S+): ", said)
    assert found, said
    return in_ps(found[1])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stops")
    made = wrapper(
        "sanvp-cc", "--target", "riscv64", "-g", "-O1", SOURCES / "ring.c", "-o", folder / "ring", cwd=folder
    )
    assert made.returncode == 0, made.stderr
    compile_text(folder, "late", LATE)
    compile_text(folder, "crowd", CROWD)
    return folder


LATE = """#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  const int count = argc > 1 ? atoi(argv[1]) : 6;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count && rank == 0; ++i) MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
  if (rank == 1) usleep(50 * count);
  for (int i = 0; i < count && rank == 1; ++i)
    MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

CROWD = """#include <mpi.h>
enum { COUNT = 65536 };
static int buffer[COUNT];
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != 0) MPI_Send(buffer, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int from = 1; from < ranks && rank == 0; ++from)
    MPI_Recv(buffer, COUNT, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


def traced(folder: Path, machine: str, *program: str) -> Timeline:
    done("run", machine, *program, "--trace", folder / "trace.json", cwd=folder)
    return of_json((folder / "trace.json").read_text())


@pytest.mark.parametrize("machine", SIX)
def test_the_machine_stops_at_each_store_to_a_register(programs: Path, machine: str) -> None:
    """A store takes effect when it has crossed the bus, soon after its CPU has begun it."""
    windows = {"SDRAM", "SRAM"}
    with started(programs, "./ring", "--np", "3", "--gdb-wait", machine=machine) as run:
        client = Monitor(run)
        begin_ps = client.time_ps()
        stores = sorted(
            (begin, name.removeprefix("store to "))
            for (board, _), begin, _, name, _ in traced(programs, machine, "./ring", "--np", "3").slices
            if board == "node 0" and name.startswith("store to ") and begin > begin_ps - 2 * PS["us"]
        )
        to_registers = [(begin, name) for begin, name in stores if name not in windows]
        later = [name for begin, name in to_registers if begin > begin_ps]
        register = later[0] if later else to_registers[-1][1]  # a LANai's is written once, as the programs begin
        begun = [begin for begin, name in stores if name == register]
        said = client.monitor(f"break register 0 {register} write")
        assert said == f"gdb stops when {register} of the card of node 0 is written\n"
        stops = []
        while (stop := client.resume()).startswith("breakpoint"):
            assert f" is stored to {register}" in stop
            stops.append(at_ps(stop))
        ended = run.end()
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")
    assert stops == sorted(stops)
    assert 0 < len(stops) <= len(begun)  # what was begun before gdb was there may have taken effect, too
    pairs = zip(begun[-len(stops) :], stops, strict=True)
    assert all(0 < effect - begin < 20 * PS["us"] for begin, effect in pairs)


@pytest.mark.parametrize("machine", SIX)
def test_the_machine_stops_at_a_packet_when_it_is_sent_and_when_it_arrives(programs: Path, machine: str) -> None:
    with started(programs, "./ring", "--np", "3", "--gdb-wait", machine=machine) as run:
        client = Monitor(run)
        client.monitor("break packet 0 1")
        client.monitor("break packet any 1 delivered")
        sent = client.resume()
        number = re.search(r"packet (\d+) from node 0 to node 1 is sent", sent)
        assert number, sent
        arrived = client.resume()
        while f"packet {number[1]} from node 0 to node 1 is delivered" not in arrived:
            assert "breakpoint" in arrived, arrived
            arrived = client.resume()
        client.monitor("delete")
        assert client.resume().startswith("W")
        ended = run.end()
    assert ended.status == 0
    slices = traced(programs, machine, "./ring", "--np", "3").slices
    hops = [(begin, end) for _, begin, end, name, _ in slices if name.startswith(f"packet {number[1]} (")]
    assert min(hops)[0] - at_ps(sent) < PS["us"]  # its first hop begins when the card has set it up
    assert min(hops)[0] >= at_ps(sent)
    assert at_ps(sent) < at_ps(arrived) <= max(end for _, end in hops) + PS["us"]


def test_the_machine_stops_when_a_header_has_waited_so_long(programs: Path) -> None:
    """Many ranks send to one: another time stops as much later at the same header, to the very picosecond."""
    first = {}
    for wait_ns in (100, 500):
        with started(programs, "./crowd", "--np", "8", "--gdb-wait") as run:
            client = Monitor(run)
            said = client.monitor(f"break link 0 blocked {wait_ns}ns")
            assert said == f"gdb stops when a header has waited for link 0 for {wait_ns}ns\n"
            stop = client.resume()
            waits = json.loads(client.monitor("json switch 0"))["requests"]
            client.monitor("delete")
            assert client.resume().startswith("W")
            assert run.end().status == 0
        packet = int(re.search(r"the header of packet (\d+) has waited", stop)[1])
        since = next(round(one["since_ns"] * 1000) for one in waits if one["packet"] == packet)
        assert at_ps(stop) == since + wait_ns * PS["ns"]
        first[wait_ns] = (packet, since)
    assert first[100] == first[500]


def test_the_machine_stops_at_too_many_unexpected_messages(programs: Path) -> None:
    with started(programs, "./late", "--np", "2", "--gdb-wait") as run:
        client = Monitor(run)
        client.monitor("break mpi unexpected > 3")
        said = client.resume()
        assert "4 messages to rank 1 are sent and no receive takes them" in said
        seen = json.loads(client.monitor("json mpi"))["jobs"][0]
        assert len(seen["messages_not_received"]) == 4
        assert client.resume().startswith("W")  # the number has not been passed again
        assert run.end().status == 0


def test_a_reply_that_is_longer_than_a_packet_comes_whole(programs: Path) -> None:
    count, packet_bytes = 400, 0x4000
    with started(programs, "./late", "--np", "2", "--gdb-wait", "--", str(count)) as run:
        client = Monitor(run)
        client.monitor(f"break mpi unexpected > {count - 1}")
        client.resume()
        text = client.monitor("json mpi")
        assert len(text) > packet_bytes
        assert len(json.loads(text)["jobs"][0]["messages_not_received"]) == count
        client.monitor("delete")
        assert client.resume().startswith("W")


@needs_gdb
def test_gdb_prints_such_a_reply_to_its_end(programs: Path) -> None:
    with started(programs, "./late", "--np", "2", "--gdb-wait", "--", "400") as run:
        printed = gdb(run, "monitor break mpi unexpected > 399\ncontinue\nmonitor mpi\nmonitor delete\ncontinue\n")
    assert re.search(r"tag 0\b", printed), printed
    assert re.search(r"tag 399\b", printed), printed


@pytest.mark.parametrize("machine", ["qsnet-16", "myrinet-16", "tofu-36"])
def test_the_way_back_has_the_same_stops(programs: Path, machine: str) -> None:
    with started(programs, "./late", "--np", "2", "--gdb-wait", "--snapshots", "8", machine=machine) as run:
        client = Monitor(run)
        client.monitor("break packet 0 1")
        forward = [client.resume() for _ in range(4)]
        assert all("from node 0 to node 1 is sent" in stop for stop in forward)
        backward = [client.resume("bc") for _ in range(3)]
        assert backward == forward[2::-1]
        assert client.monitor("breaks").startswith("1: packet 0 1, ")
        assert [client.resume() for _ in range(3)] == forward[1:]
        client.monitor("delete 1")
        assert "replaylog:begin" in client.resume("bc")
        client.ask("D")
        assert run.end().status == 0


@needs_gdb
def test_gdb_shows_why_the_machine_has_stopped(programs: Path) -> None:
    with started(programs, "./ring", "--np", "3", "--gdb-wait", "--snapshots", "8") as run:
        said = gdb(
            run,
            """set schedule-multiple on
            monitor break packet 0 1
            monitor breaks
            continue
            monitor ranks
            continue
            reverse-continue
            monitor delete
            detach inferiors 1 2 3
            """,
        )
        ended = run.end()
    stops = re.findall(r"breakpoint 1 of the machine, at (\S+): packet (\d+) from node 0 to node 1 is sent", said)
    assert len(stops) == 3, said
    assert stops[2] == stops[0] != stops[1]
    assert (ended.status, ended.output) == (0, "[0] sum 20\n")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("packet 0", "source and destination of the packet are missing"),
        ("packet 0 16", "there is no node 16"),
        ("register 0 PutDm write", "did you mean 'PutDma'"),
        ("register 0 PutDma", "`write` are missing"),
        ("register 99 PutDma write", "there is no card 99"),
        ("link 0 blocked", "a link and a time are missing"),
        ("link 9999 blocked 1us", "there is no link 9999"),
        ("mpi unexpected 5", "a number of messages is missing"),
        ("paket 0 1", "did you mean 'packet'"),
        ("", "there is no breakpoint ''"),
    ],
)
def test_what_cannot_be_is_said(programs: Path, line: str, cause: str) -> None:
    with started(programs, "./ring", "--np", "3", "--gdb-wait") as run:
        client = Monitor(run)
        assert cause in client.monitor(f"break {line}")
        assert client.monitor("breaks") == "no breakpoints of the machine are set\n"
        assert "there is no breakpoint 7" in client.monitor("delete 7")
        client.ask("D")
        assert run.end().status == 0
