"""Random `monitor` commands of gdb, between steps forward and back. Each must have an answer, JSON must be JSON, and
the run, let go, must end as it does without a debugger.

usage: monitor.py SANVP SECONDS [SEED]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gdb_client import Client, started

ROOT = Path(__file__).resolve().parents[2]
MACHINES = ["qsnet-16", "myrinet-16", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36"]
SUBJECTS = ["card", "packets", "link", "switch", "ranks", "mpi", "time", "breaks", "help"]
WORDS = [*SUBJECTS, "json", "break", "delete", "goto", "back", "packet", "register", "PutDma", "write", "blocked"]
WORDS += ["unexpected", ">", "delivered", "0", "1", "15", "64", "-1", "99999999999999999999", "1us", "60us", "0ns", "x"]
FORMS = ["break packet 0 1", "break packet any 2 delivered", "break link {n} blocked 1us", "break mpi unexpected > 0"]
FORMS += ["break register {n} any write", "break time {t}us", "goto {t}us", "back {n}us", "delete", "card {n}"]
FORMS += ["json card {n}", "json packets", "json link {n}", "json switch {n}", "json mpi", "json ranks"]


class SessionError(Exception):
    """What went wrong."""


def line(dice: random.Random) -> str:
    """A command that may or may not make sense."""
    if dice.random() < 0.7:
        return dice.choice(FORMS).format(n=dice.randrange(20), t=dice.randrange(400))
    return " ".join(dice.choices(WORDS, k=dice.randint(1, 5)))


def resumed(client: Client, packet: str) -> str:
    """The stop after a packet that resumes, without what the console is told before."""
    answer = client.ask(packet)
    while answer.startswith("O") and answer != "OK":
        answer = client.answer()
        client.send(b"+")
    return answer


def session(folder: Path, machine: str, dice: random.Random) -> int:
    """One run. @returns how many commands it has answered"""
    expected = subprocess.run(
        [str(SANVP), "run", machine, "./ring", "--np", "3"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
    with started(folder, "./ring", "--np", "3", "--gdb-wait", "--snapshots", "8", machine=machine) as run:
        client = Client(run)
        client.ask("qSupported:multiprocess+;swbreak+")
        count = dice.randint(20, 120)
        for _ in range(count):
            if dice.random() < 0.1:
                stop = resumed(client, dice.choice(["vCont;s:p1.0", "bs", "bc", "vCont;c"]))
                if stop[:1] in "WX":  # the program has ended
                    break
                if stop[:1] not in "TE":
                    raise SessionError(f"a stop is told as {stop!r}")
                continue
            asked = line(dice)
            answer = bytes.fromhex(client.ask("qRcmd," + asked.encode().hex())).decode()
            if not answer and not asked.startswith(("breaks", "delete")):
                raise SessionError(f"'{asked}' has no answer")
            if answer.startswith(("{", "[")):
                json.loads(answer)
        else:
            client.ask("D")
        ended = run.end()
    if (ended.status, ended.output) != (0, expected):
        raise SessionError(f"the run has ended with {ended}")
    return count


def main() -> None:
    seconds, seed = float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns() % 10**9
    until, number, commands = time.monotonic() + seconds, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = ROOT / "tests" / "binaries" / "ring.c"
        wrapper = [SANVP.parent / "sanvp-cc", "--target", "riscv64", "-g", "-O1", source, "-o", "ring"]
        if subprocess.run(wrapper, cwd=folder, check=False).returncode != 0:
            print("monitor: skipped, as there are no compilers for RISC-V")
            return
        while time.monotonic() < until or number == 0:
            dice = random.Random(f"{seed} {number}")
            machine = dice.choice(MACHINES)
            try:
                commands += session(folder, machine, dice)
            except Exception as error:
                sys.exit(f"monitor: seed {seed}, session {number} on {machine}: {error}")
            number += 1
    print(f"monitor: {number} sessions, {commands} commands, seed {seed}")


if __name__ == "__main__":
    SANVP = Path(sys.argv[1]).resolve()
    main()
