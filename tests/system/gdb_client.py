"""A run of `sanvp run --gdb`, and two kinds of client: gdb-multiarch with a script, and packets by hand."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from program import SANVP

GDB = "gdb-multiarch"
LIMIT = 120  # s; each takes less than 5

needs_gdb = pytest.mark.skipif(shutil.which(GDB) is None, reason=f"no {GDB}: scripts/install riscv")


class Outcome(NamedTuple):
    status: int
    output: str
    errors: str
    result: dict


class Run:
    """A run that listens. Its results are in `json`, without the time of the simulating computer."""

    def __init__(self, folder: Path, *arguments: str, machine: str = "qsnet-16") -> None:
        self.folder = folder
        command = [str(SANVP), "run", machine, *arguments, "--gdb", "0", "--json", "debugged.json"]
        if "--" in arguments:
            at = command.index("--")
            command = command[:at] + command[-4:] + command[at:-4]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stderr is not None
        self.greeting = self.process.stderr.readline()
        found = re.search(r"^gdb: gdb-multiarch (\S+) -ex 'target remote :(\d+)'", self.greeting)
        assert found, self.greeting + self.process.stderr.read()
        self.program, self.port = found[1], int(found[2])

    def end(self) -> Outcome:
        output, errors = self.process.communicate(timeout=LIMIT)
        return Outcome(self.process.returncode, output, errors, results(self.folder / "debugged.json"))


@contextmanager
def started(folder: Path, *arguments: str, machine: str = "qsnet-16") -> Iterator[Run]:
    run = Run(folder, *arguments, machine=machine)
    try:
        yield run
    finally:
        run.process.kill()
        run.process.communicate()


def results(path: Path) -> dict:
    return {key: value for key, value in json.loads(path.read_text()).items() if key != "cpu_time_s"}


def gdb(run: Run, script: str) -> str:
    """What gdb prints for these commands."""
    commands = run.folder / "commands.gdb"
    commands.write_text(f"set pagination off\nset confirm off\nset width 0\n{script}")
    command = [GDB, "-nx", "-batch", run.program, "-ex", f"target remote :{run.port}", "-x", str(commands)]
    done = subprocess.run(command, cwd=run.folder, capture_output=True, text=True, timeout=LIMIT, check=False)
    return done.stdout + done.stderr


class Client:
    """Packets by hand."""

    def __init__(self, run: Run) -> None:
        self.socket = socket.create_connection(("127.0.0.1", run.port), timeout=LIMIT)
        self.rest = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def byte(self) -> bytes:
        if not self.rest:
            self.rest = self.socket.recv(65536)
        first, self.rest = self.rest[:1], self.rest[1:]
        return first

    def answer(self) -> str:
        while (byte := self.byte()) != b"$":
            assert byte, "the server has closed"
        text = b""
        while (byte := self.byte()) != b"#":
            text += byte
        self.byte(), self.byte()
        return text.decode("latin-1")

    def ask(self, packet: str) -> str:
        self.send(frame(packet))
        answer = self.answer()
        self.send(b"+")
        return answer


def frame(packet: str) -> bytes:
    contents = packet.encode("latin-1")
    return b"$" + contents + b"#%02x" % (sum(contents) % 256)
