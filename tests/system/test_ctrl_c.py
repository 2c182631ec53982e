"""Ctrl-C ends a native program once and for all, wherever its code is, and the results are written."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from binaries import wrapper
from program import SANVP

INTERRUPTED = 130
TERMINATED = 143
LIMIT = 60  # s; it takes 2
MOST_LINES = 300  # written, some 100 a second at most; one second after Ctrl-C the code is ended at its next return

# A rank that spends its time in the simulator, which writes for it: the computer's time in its own code is next to
# nothing, and no simulated time passes.
WRITES = """#include <stdio.h>
#include <string.h>
int main(void) {
  static char line[65536];
  memset(line, 'x', sizeof line - 2);
  line[sizeof line - 2] = '\\n';
  for (;;) {
    fputs(line, stdout);
    fflush(stdout);
  }
}
"""


def test_one_ctrl_c_ends_a_loop_of_calls_that_take_no_simulated_time(tmp_path: Path) -> None:
    """The reader of its output is slow, so that almost all of the time passes in the simulator's write()."""
    (tmp_path / "writes.c").write_text(WRITES)
    made = wrapper("sanvp-cc", "writes.c", "-o", "writes", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    command = [SANVP, "run", "qsnet-16", "./writes", "--np", "1", "-s", "host.cpu.timing=off", "--json", "ended.json"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=(tmp_path / "errors").open("w"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in a background job it is ignored
    ) as run:
        assert run.stdout is not None
        lines = 0
        while run.stdout.read(1 << 16):
            time.sleep(0.01)
            lines += 1
            if lines == 5:
                run.send_signal(signal.SIGINT)
            assert lines < MOST_LINES, "no end by Ctrl-C"
        status = run.wait(LIMIT)
    errors = (tmp_path / "errors").read_text()
    assert status == INTERRUPTED, errors
    assert "it was running when Ctrl-C was pressed" in errors
    assert json.loads((tmp_path / "ended.json").read_text())["status"] == "interrupted"


# What the library does while a loop yields (sw/hal/give_way.c): here one long instruction of the image.
COMPUTES = """void hal_while_computing(void (*look)(void));
static char filled[64 << 20];
static void look(void) {
  void* at = filled;
  unsigned long bytes = sizeof filled;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0) : "memory");
}
int main(void) {
  volatile long turns = 0;
  hal_while_computing(look);
  for (;;) ++turns;
}
"""


def test_ctrl_c_while_a_loop_yields_names_the_loop(tmp_path: Path) -> None:
    (tmp_path / "computes.c").write_text(COMPUTES)
    made = wrapper("sanvp-cc", "-O2", "-g", "computes.c", "-o", "computes", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    with subprocess.Popen(
        [SANVP, "run", "qsnet-16", "./computes", "--np", "1"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in a background job it is ignored
    ) as run:
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=LIMIT)
    assert run.returncode == INTERRUPTED, errors
    assert "it was running when Ctrl-C was pressed, in main() at computes.c:11" in errors


# One line, then nothing but simulated time.
BEGINS = """#include <stdio.h>
#include <unistd.h>
int main(void) {
  puts("begun");
  for (;;) usleep(10);
}
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_output_in_a_file_shows_while_a_run_goes_on_and_sigterm_keeps_its_results(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "begins.c").write_text(BEGINS)
    made = wrapper("sanvp-cc", "begins.c", "-o", "begins", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    log = tmp_path / "log"
    with subprocess.Popen(
        [SANVP, "run", "qsnet-16", "./begins", "--np", "1", "--out", "out"],
        cwd=tmp_path,
        stdout=log.open("w"),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    ) as run:
        deadline = time.monotonic() + LIMIT
        while log.read_text() != "[0] begun\n":
            assert run.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        run.send_signal(number)
        _, errors = run.communicate(timeout=LIMIT)
    assert run.returncode == TERMINATED, errors
    assert f"error: {number.name} at " in errors
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "interrupted"


def test_a_hangup_that_is_ignored_as_by_nohup_ends_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [SANVP, "traffic", "qsnet-64", "uniform", "--load", "0.3", "--packets", "300000"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as run:
        time.sleep(0.5)
        run.send_signal(signal.SIGHUP)
        _, errors = run.communicate(timeout=LIMIT)
    assert run.returncode == 0, errors
