"""Code that the assembler of images has gone through counts its instructions, and does what it did before."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import counted
import pytest

sys.path.insert(0, str(counted.IMAGES))
import count
import operands
from instructions import decode

PROGRAMS = counted.ROOT / "tests" / "counting"
COMPILED = '\t.file\t"a.c"\n\t.text\n\t.globl\tf\n\t.type\tf, @function\nf:\n'


def classes(text: str) -> str:
    """Of an instruction, as words."""
    found = decode(text).classes
    return " ".join(f"{operands.CLASSES[kind]}:{found[kind]}" for kind in sorted(found))


def passed(code: str, *, head: str = COMPILED) -> str:
    """The text with counting."""
    lines = count.counted(head + code, lambda _: {"own"})
    assert lines is not None
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("movl (%rdi), %eax", "load:1"),
        ("movl %eax, %ebx", "move:1"),
        ("movl $5, %eax", "integer:1"),
        ("movl $5, 8(%rsp)", "store:1"),
        ("addl %eax, (%rdi)", "integer:1 load:1 store:1"),
        ("cmpq $0, own(%rip)", "integer:1 load:1"),
        ("leaq 8(%rdi,%rax,4), %rdx", "integer:1"),
        ("shrl %eax", "shift:1"),
        ("imulq $24, %rax, %rdx", "multiply:1"),
        ("idivl 8(%rsp)", "divide:1 load:1"),
        ("cltq", "move:1"),
        ("pushq %rbp", "store:1"),
        ("popq %rbp", "load:1"),
        ("call *8(%rax)", "load:1 call:1"),
        ("ret", "call:1"),
        ("notrack jmp *%rax", "branch:1"),
        ("nopw 0(%rax,%rax,1)", ""),
        ("endbr64", ""),
        ("lock xaddl %eax, (%rdi)", "integer:1 load:1 store:1 atomic:1"),
        ("xchgl %eax, (%rdi)", "load:1 store:1 atomic:1"),
        ("mfence", "atomic:1"),
        ("addsd (%rdi), %xmm0", "load:1 float_add:1"),
        ("addpd %xmm1, %xmm0", "float_add:2"),
        ("vfmadd231ps %ymm1, %ymm2, %ymm3", "float_fused:8"),
        ("vaddpd (%rdi), %zmm1, %zmm2{%k1}", "load:8 float_add:8"),
        ("divss %xmm1, %xmm0", "float_divide:1"),
        ("vsqrtpd %ymm0, %ymm1", "float_sqrt:4"),
        ("ucomisd 8(%rsp), %xmm0", "load:1 float_add:1"),
        ("cvtsi2sdl %eax, %xmm0", "conversion:1"),
        ("cvtdq2pd %xmm0, %xmm1", "conversion:2"),
        ("paddd %xmm0, %xmm1", "integer:4"),
        ("vpxor %ymm0, %ymm0, %ymm0", "integer:4"),
        ("psrld $3, %xmm0", "shift:4"),
        ("pmulld %xmm0, %xmm1", "multiply:4"),
        ("pshufd $3, %xmm0, %xmm1", "move:1"),
        ("xorps %xmm0, %xmm0", "move:1"),
        ("movaps %xmm0, 16(%rsp)", "store:2"),
        ("vmovupd (%rdi), %ymm0", "load:4"),
        ("movsd %xmm0, 8(%rdi)", "store:1"),
        ("fldt 16(%rsp)", "load:2"),
        ("fmulp %st, %st(1)", "float_multiply:1"),
        ("rep stosq", "store:1"),
        ("unheard_of %rax", "integer:1"),
    ],
)
def test_an_instruction_has_its_classes(text, expected):
    assert classes(text) == expected


@pytest.mark.parametrize(
    ("text", "read", "written"),
    [
        ("addl %eax, %ebx", 0, operands.ALL_FLAGS),
        ("incl %eax", 0, operands.ALL_FLAGS & ~operands.CF),
        ("adcq %rax, %rbx", operands.CF, operands.ALL_FLAGS),
        ("jne .L3", operands.ZF, 0),
        ("cmovbe %eax, %ebx", operands.CF | operands.ZF, 0),
        ("movl %eax, %ebx", 0, 0),
        ("shll %cl, %eax", 0, 0),
        ("shll $0, %eax", 0, 0),
        ("shll $3, %eax", 0, operands.ALL_FLAGS),
        ("vucomisd %xmm0, %xmm1", 0, operands.ALL_FLAGS),
        ("vaddpd %ymm0, %ymm1, %ymm2", 0, 0),
        ("pushfq", operands.ALL_FLAGS, 0),
        ("unheard_of %rax", operands.ALL_FLAGS, 0),
    ],
)
def test_an_instruction_reads_and_writes_its_flags(text, read, written):
    instruction = decode(text)
    assert (instruction.flags_read, instruction.flags_written) == (read, written)


def test_a_block_adds_its_price_where_no_flag_is_live():
    text = passed("\tcmpl\t$3, %edi\n\tmovl\t%esi, %eax\n\tjne\t.L2\n\tmovl\t$5, %eax\n.L2:\n\tret\n")
    assert text.index("sanvp_spent") < text.index("cmpl")
    between = text[text.index("cmpl") : text.index("jne")]
    assert "addq" not in between
    assert text.count("addq\t$2147483647, %gs:sanvp_spent(%rip)") == 3


def test_flags_that_live_through_a_block_stay():
    text = passed("\tcmpl\t$3, %edi\n.L2:\n\tmovl\t(%rsi), %eax\n\tje\t.L3\n\tjmp\t.L2\n.L3:\n\tret\n")
    inside = text[text.index(".L2:") : text.index("je\t")]
    assert "addq" not in inside
    assert "leaq\t2147483647(" in inside


def test_a_loop_looks_at_the_counter_and_a_straight_function_does_not():
    loop = passed(".L2:\n\taddl\t(%rdi), %eax\n\taddq\t$4, %rdi\n\tcmpq\t%rsi, %rdi\n\tjne\t.L2\n\tret\n")
    assert "call\tsanvp_give_way" in loop
    assert "sanvp_give_way;" not in passed("\tmovl\t%edi, %eax\n\tret\n")


def test_a_loop_that_only_polls_memory_waits():
    text = passed(".L2:\n\tmovl\town(%rip), %eax\n\ttestl\t%eax, %eax\n\tje\t.L2\n\tret\n")
    assert "call\tsanvp_spin" in text
    assert "sanvp_give_way;" not in text


@pytest.mark.parametrize(
    "turn",
    ["\tincl\t%ecx\n", "\tmovl\t%eax, (%rdx)\n", "\tmovl\t(%rdi), %edi\n"],
    ids=["it counts", "it stores", "it follows a list"],
)
def test_a_loop_that_changes_something_does_not_wait(turn):
    text = passed(f".L2:\n\tmovl\town(%rip), %eax\n{turn}\ttestl\t%eax, %eax\n\tje\t.L2\n\tret\n")
    assert "call\tsanvp_spin" not in text


@pytest.mark.parametrize("directive", [".macro x", ".rept 3", ".if 1", ".intel_syntax noprefix"])
def test_a_file_that_cannot_be_followed_stays_as_it_is(directive):
    assert count.counted(COMPILED + f"\t{directive}\n\tret\n", lambda _: set()) is None


def test_statements_of_inline_assembly_are_separated():
    text = passed(
        '#APP\n# 3 "a.c" 1\n\tincl %eax; decl %ebx # a; comment\n'
        "1:\tnop; /* ; */ jmp 1b\n\trep; stosb\n#NO_APP\n\tret\n"
    )
    assert ".byte\t2,1,0,2\n" in text  # two of class integer
    assert ".byte\t2,1,6,1\n" in text  # nop and branch


def test_nothing_comes_between_a_prefix_and_its_instruction():
    text = passed("\tjmp\t.L2\n.L2:\n#APP\n\tlock\n\taddl $1, (%rdi)\n#NO_APP\n\tret\n")
    assert "\tlock\n\taddl $1, (%rdi)\n" in text


def test_data_amid_code_stays_together():
    text = passed("\tjmp\t*.L4(,%rdi,8)\n.L4:\n\t.quad\t.L5\n\t.quad\t.L6\n.L5:\n\tret\n.L6:\n\tret\n")
    assert ".L4:\n\t.quad\t.L5\n\t.quad\t.L6\n.L5:" in text


needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")


@needs_valgrind
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
@pytest.mark.parametrize("name", ["varied.c", "varied.cpp"])
def test_counts_are_those_of_callgrind(name, level, tmp_path):
    counts = counted.run(counted.build(PROGRAMS / name, tmp_path, [level], counts=True))
    plain = counted.build(PROGRAMS / name, tmp_path, [level], counts=False, aligned=False)
    assert counts.output == subprocess.run([plain], check=True, capture_output=True, text=True).stdout
    assert counts.instructions == counted.callgrind(plain, counted.functions(plain))
    assert counts.times >= counts.instructions // 2000  # 1000 at a time


WAITS = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct box { int pad; volatile long flag; };
volatile int global;
static volatile double number;
struct box boxes[3], *chosen = boxes;
extern volatile long sanvp_spins;
static void* set(void* unused) {
  usleep(20000);
  global = 1;
  usleep(20000);
  number = 2;
  usleep(20000);
  boxes[2].flag = 1;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (!global) {}
  printf("%d ", sanvp_spins > 0);
  sanvp_spins = 0;
  while (number < 1.5) __builtin_ia32_pause();
  printf("%d ", sanvp_spins > 0);
  sanvp_spins = 0;
  while (!boxes[0].flag && !chosen[2].flag) {}
  printf("%d\\n", sanvp_spins > 0);
  return 0;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3", "-Os"])
def test_a_loop_that_waits_calls_the_simulator_until_it_ends(level, tmp_path):
    source = tmp_path / "waits.c"
    source.write_text(WAITS)
    program = counted.build(source, tmp_path, [level, "-pthread"], counts=True)
    assert subprocess.run([program], check=True, timeout=20, capture_output=True, text=True).stdout == "1 1 1\n"


KEEPS = """
__attribute__((noinline)) long sum(const int* p, long n, long a, long b, long c, long d) {
  long s = 0;
  for (long i = 0; i < n; ++i) {
    if (p[i] == a) continue;
    if (p[i] == b) return s + c;
    s += p[i] * d;
  }
  return s;
}
int main(void) {
  int list[50];
  long total = 0;
  for (int i = 0; i < 50; ++i) list[i] = i % 40;
  for (int i = 0; i < 45; ++i) total += sum(list, i, 3, 39, 7, 2);
  return total & 127;
}
"""


def test_a_loop_without_calls_counts_in_a_register():
    text = passed(".L2:\n\taddl\t(%rdi), %eax\n\taddq\t$4, %rdi\n.L3:\n\tcmpq\t%rsi, %rdi\n\tjne\t.L3\n\tret\n")
    assert "addq\t$2147483647, %r11" in text
    assert text.index("movq\t%gs:sanvp_spent(%rip), %r11") < text.index(".L3:")
    assert text.index("movq\t%r11, %gs:sanvp_spent(%rip)") > text.index("jne")


def test_a_register_that_is_read_behind_the_loop_is_not_taken():
    loop = ".L3:\n\taddq\t$4, %rdi\n\tcmpq\t%rsi, %rdi\n\tjne\t.L3\n"
    text = passed(f"\tmovl\t$1, %r11d\n{loop}\tmovq\t%r11, %rax\n\tret\n")
    assert "addq\t$2147483647, %r11" not in text
    assert "addq\t$2147483647, %r10" in text


@needs_valgrind
@pytest.mark.parametrize("quantum", [20, 1000])
def test_a_loop_that_is_left_in_several_ways_counts_all(quantum, tmp_path):
    source = tmp_path / "keeps.c"
    source.write_text(KEEPS)
    counts = counted.run(counted.build(source, tmp_path, ["-O2"], counts=True, quantum=quantum))
    plain = counted.build(source, tmp_path, ["-O2"], counts=False, aligned=False)
    assert counts.instructions == counted.callgrind(plain, counted.functions(plain))


def test_records_hold_all_instructions_of_each_class(tmp_path):
    source = tmp_path / "a.c"
    source.write_text(
        "int f(int* p, int n) { return p[n] / n; }\nint main(int n, char** v) { return f(&n, 0) + !v; }\n"
    )
    program = counted.build(source, tmp_path, ["-O2", "-fno-inline"], counts=False)
    assert list(counted.records(Path(program).read_bytes())) == []
    program = counted.build(source, tmp_path, ["-O2", "-fno-inline"], counts=True)
    found = list(counted.records(Path(program).read_bytes()))
    assert any(record.classes.get(operands.DIVIDE) == 1 and record.classes.get(operands.LOAD) == 1 for record in found)
