"""A program counter has no lowest bit: entries and handlers at odd addresses are those before."""

from __future__ import annotations

import struct
from pathlib import Path

from toolchain import WAYS, by_interpreter, compile_program, needs_toolchain

pytestmark = needs_toolchain

HANDLERS = r"""
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
static volatile int handled;
static void handle(int number) { handled = number; }
int main(void) {
  signal(SIGUSR1, (void (*)(int))((uintptr_t)handle | 1));
  raise(SIGUSR1);
  printf("handled %d\n", handled == SIGUSR1);
  return 0;
}
"""
ENTRY = 24  # e_entry in an ELF header of 64 bits


@WAYS
def test_an_entry_and_a_handler_at_odd_addresses_run(tmp_path: Path, way: tuple[str, ...]) -> None:
    (tmp_path / "program.c").write_text(HANDLERS, encoding="ascii")
    program = compile_program(tmp_path / "program.c", tmp_path / "program")
    header = bytearray(program.read_bytes())
    header[ENTRY : ENTRY + 8] = struct.pack("<Q", struct.unpack_from("<Q", header, ENTRY)[0] | 1)
    program.write_bytes(header)
    done = by_interpreter(program, folder=tmp_path, options=way)
    assert (done.status, done.output) == (0, b"handled 1\n"), done.errors
