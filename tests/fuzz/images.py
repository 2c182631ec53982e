"""Mutated programs, which `sanvp run` must run, refuse, or end: no crash, no hang, no exit status 1.

Code that was changed may loop for ever without simulated time: that is told, and Ctrl-C ends it.

usage: images.py SANVP SECONDS [SEED]
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STATUSES = {0, 2, 3, 4, 5}
INTERRUPTED = 130
TOLD = b"without letting simulated time pass"  # after 10 s of this computer's time
HEADERS = 4096  # bytes at the beginning, and of section headers at the end
TIMEOUT_S = 30
AFTER_CTRL_C_S = 5
CXX = """\
#include <iostream>
#include <string>
std::string text = "made before main";
int main() { std::cout << text << std::endl; }
"""


def mutated(image: bytes, dice: random.Random) -> bytes:
    """The image with a few changes, mostly in headers and tables."""
    changed = bytearray(image)
    place = dice.random()
    if place < 0.4:
        begin, end = 0, min(HEADERS, len(image))
    elif place < 0.6:
        begin, end = max(0, len(image) - 2 * HEADERS), len(image)
    else:
        begin, end = 0, len(image)
    for _ in range(dice.choice([1, 1, 2, 4, 16])):
        at = dice.randrange(begin, end - 8)
        kind = dice.random()
        if kind < 0.4:
            changed[at] = dice.randrange(256)
        elif kind < 0.7:
            changed[at] ^= 1 << dice.randrange(8)
        else:
            size = dice.choice([4, 8])
            value = dice.choice([0, 1, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1, dice.getrandbits(64), dice.getrandbits(20)])
            changed[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return bytes(changed[: dice.randrange(len(changed))] if dice.random() < 0.02 else changed)


def heed_ctrl_c() -> None:
    """In the new process: what runs in the background ignores it otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(command: list, folder: str) -> object:
    """The exit status of a run, or what is wrong with its end."""
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **streams, cwd=folder, preexec_fn=heed_ctrl_c) as run:
        err = b""
        for limit in (TIMEOUT_S, AFTER_CTRL_C_S):
            try:
                _, err = run.communicate(timeout=limit)
                break
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGINT)
        else:
            run.kill()
            return "no end, also by Ctrl-C"
        return 0 if run.returncode in (INTERRUPTED, -signal.SIGINT) and TOLD in err else run.returncode


def of_cxx(sanvp: Path) -> bytes:
    """A program that is loaded differently: each rank has a private copy of the code, and constructors run."""
    with tempfile.TemporaryDirectory(prefix="sanvp-fuzz-") as folder:
        source = Path(folder, "program.cpp")
        source.write_text(CXX)
        subprocess.run([sanvp.with_name("sanvp-c++"), source, "-o", Path(folder, "program")], check=True)
        return Path(folder, "program").read_bytes()


def main() -> int:
    """Runs the mutated programs and returns the exit status."""
    sanvp, seconds = Path(sys.argv[1]), float(sys.argv[2])
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    images = [(sanvp.parent / "sw/apps" / f"{name}.so").read_bytes() for name in ("hello", "ping", "cg")]
    images.append(of_cxx(sanvp))
    end, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory(prefix="sanvp-fuzz-") as folder:
        while time.monotonic() < end:
            count += 1
            program = Path(folder, "program")
            program.write_bytes(mutated(dice.choice(images), dice))
            command = [sanvp, "run", "qsnet-16", program, "--np", "2", "--until", "1ms", "--progress", "off"]
            status = ended(command, folder)
            if status not in STATUSES:
                kept = Path(f"fuzz-program-{count}")
                kept.write_bytes(program.read_bytes())
                print(f"fuzz: program, input {count}: {status}; the input is in {kept}", file=sys.stderr)
                return 1
    print(f"{'program':<10} {count:>8}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
