"""Calls of the C library with a length beyond all memory, a mistake of the program: they end at once, in a fault."""

from __future__ import annotations

import pytest
from compiled import MACHINE, PROGRAM_FAILED, compile_program
from program import sanvp

BEFORE = """\
static char from[64], to[64];
static int less(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
"""
CALLS = {
    "memset": "memset(to, 1, wrong);",
    "memcpy": "memcpy(to, from, wrong);",
    "memmove": "memmove(to, from + argc, wrong);",
    "qsort": "qsort(to, wrong / 4, 4, less);",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_length_beyond_all_memory_is_a_fault_of_the_program(call, tmp_path):
    body = f"volatile size_t wrong = (size_t)-argc / 2;\n{CALLS[call]}\nputchar(to[argc] + less(to, from));"
    program = compile_program(tmp_path, body, before=BEFORE)
    result = sanvp("run", MACHINE, program, "--np", 1)
    assert result.status == PROGRAM_FAILED
    assert "segmentation fault at address " in result.err
    assert "main()" in result.err
