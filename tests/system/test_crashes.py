"""Messages of ends that libraries find, and of jumps to where no code is, lead to the program's own line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from binaries import SOURCES, needs_compilers, wrapper
from program import sanvp

pytestmark = needs_compilers

SOURCE = (SOURCES / "abort.cpp").read_text().splitlines()


def line_of(text: str) -> int:
    """Of the only line of the program that has it."""
    (number,) = (number for number, line in enumerate(SOURCE, 1) if text in line)
    return number


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def program(tmp_path_factory, request) -> Path:
    folder = tmp_path_factory.mktemp("crashes")
    options = ["--target", "riscv64", "-g", request.param, "-fno-optimize-sibling-calls"]
    made = wrapper("sanvp-c++", *options, SOURCES / "abort.cpp", "-o", folder / "abort", cwd=folder)
    assert made.returncode == 0, made.stderr
    return folder / "abort"


# Argument: signal, the library's function that the program has called, and where.
ENDS = {
    "assertion": ("SIGABRT", "__assert_fail()", "assert(value"),
    "exception": ("SIGABRT", "__cxa_throw()", "throw std::"),
    "another": ("SIGABRT", "free()", "memory + 8"),
    "abort": ("SIGABRT", "abort()", "std::abort();"),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_end_that_a_library_finds_names_the_line_of_the_program(program, end):
    signal, library, text = ENDS[end]
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", end)
    assert done.status == 4
    assert f"error: rank 0 on node 0: {signal} at pc 0x" in done.err
    assert re.search(rf"{re.escape(library)}, [^,]*at abort\.cpp:{line_of(text)}, main\(\) at abort", done.err)


def test_memory_that_is_freed_twice_names_the_second_time(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "twice")
    assert done.status == 4
    second = line_of("void* volatile memory") + 2
    assert f"(anonymous namespace)::frees_twice(void*) at abort.cpp:{second}, main() at" in done.err


@pytest.mark.parametrize(("end", "address"), [("null", "0x0"), ("wild", "0xdeadbee0"), ("data", None)])
def test_a_jump_to_where_no_code_is_names_all_callers(program, end, address):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", end)
    assert done.status == 4
    found = re.search(r"SIGSEGV at pc (0x\w+), address (0x\w+); called by (.*), at ", done.err)
    assert found[1] == found[2] == (address or found[1])
    call = line_of("  function();")
    assert re.fullmatch(rf"[^,]*calls[^,]*at abort\.cpp:{call}, main\(\) at abort\.cpp:\d+", found[3])


def test_an_exception_in_a_thread_names_its_line_and_not_the_library_that_has_begun_the_thread(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "thread")
    assert done.status == 4
    assert f"throws(int) at abort.cpp:{line_of('throw std::')}, " in done.err
    assert "start_thread" not in done.err and "execute_native" not in done.err


def test_a_function_that_was_inlined_from_a_header_leads_to_the_line_of_the_program(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "element")
    assert done.status == 4
    at = r"std::vector<int, std::allocator<int> >::at\(unsigned long\) at stl_vector\.h:\d+"
    assert re.search(rf"{at}, main\(\) at abort\.cpp:{line_of('.at(end.size())')}, at ", done.err)


def test_a_fault_in_a_function_that_was_inlined_names_both_lines(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "inlined")
    assert done.status == 4
    function = rf"reads_inline\([^)]*\) at abort\.cpp:{line_of('inline int reads_inline')}"
    call = f"; called by main() at abort.cpp:{line_of('return reads_inline(')}, at "
    assert re.search(rf" in [^;]*{function}, address 0x0{re.escape(call)}", done.err)


def test_a_signal_that_a_handler_ends_in_is_named_where_it_came(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "handled")
    assert done.status == 4
    assert "SIGABRT at pc 0x" in done.err
    handler, fault = line_of("void handles("), line_of("] int reads(")
    assert re.search(
        rf"handles\(int\) at abort\.cpp:{handler}, SIGSEGV in [^,]*reads\([^)]*\) at abort\.cpp:{fault}, ", done.err
    )
    assert f"main() at abort.cpp:{line_of('return reads(nullptr)')}, at " in done.err


def test_a_jump_to_where_no_code_is_is_named_below_its_handler(program):
    done = sanvp("run", "qsnet-16", program, "--np", 1, "--", "handled jump")
    call = line_of("  function();")
    assert re.search(
        rf"handles\(int\) at [^,]*, SIGSEGV at pc 0x0, [^,]*calls[^,]*at abort\.cpp:{call}, main", done.err
    )
