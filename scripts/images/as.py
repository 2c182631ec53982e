#!/usr/bin/python3 -IS
"""Assembler wrapper for code of images: adds counting to basic blocks (count.py), and makes accesses to writable data
go through %gs, so that copies of an image can share the code and have private globals (models/native/README.md).

usage: as [options of the assembler] FILE       called by the compiler, which looks for `as` in the folder of option -B
       --sanvp-uncounted                        no counting
       --sanvp-library                          the code is that of a library (count.py)
       --sanvp-firmware                         loops that poll memory do not sleep
       --sanvp-unshared                         no %gs: for images whose code is not shared

    movl  count(%rip), %eax             movl  %gs:count(%rip), %eax
    movq  count@GOTPCREL(%rip), %rax    movq  %gs:count@GOTPCREL(%rip), %rax
    leaq  count+8(%rip), %rax           movq  %gs:.Lown0(%rip), %rax       .Lown0 holds the copy's &count
                                        leaq  8(%rax), %rax                flags are preserved

Accesses that it cannot rewrite stay as they are: `share` detects them, and does not mark the image.
"""

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from count import counted

UNCOUNTED, UNSHARED, LIBRARY = "--sanvp-uncounted", "--sanvp-unshared", "--sanvp-library"
FIRMWARE = "--sanvp-firmware"
SECTION = re.compile(r'[ \t]*\.(?:push)?section[ \t]+("[^"]*"|[^\s,]+)(?:.*?,[ \t]*"([^"]*)")?', re.ASCII)
LABEL = re.compile(r"([^\s:#\"]+):", re.ASCII)
DIRECTIVE = re.compile(r"[ \t]*(\.\w+)", re.ASCII)
COMMON = re.compile(r"[ \t]*\.l?comm[ \t]+([^\s,]+)", re.ASCII)
ALIAS = re.compile(r"[ \t]*\.set[ \t]+([^\s,]+)[ \t]*,[ \t]*([^\s+-]+)", re.ASCII)
SIZE = re.compile(r"[ \t]*(?:\.size|\.l?comm)[ \t]+([^\s,]+)[ \t]*,[ \t]*(\d+)", re.ASCII)
POINTER = re.compile(r"[ \t]*\.quad[ \t]+([^\s+-]+)([+-]\d+)[ \t]*$", re.ASCII)
# GCC writes count+8, and 8+count for the second half of something.
OPERAND = re.compile(
    r"(?P<before>.*?[\s,*])(?P<address>(?P<first>(?:-?\d+\+)?)(?P<symbol>[^\s,*():%$@+-]+)(?P<got>@GOTPCREL)?"
    r"(?P<offset>(?:[+-]\d+)*))\(%rip\)(?P<behind>.*)",
    re.DOTALL | re.ASCII,
)
LEA = re.compile(r"\slea([qlw]?)\s+$", re.ASCII)
REGISTER = re.compile(r"^,\s*(%\w+)\s*(?:#.*)?$", re.ASCII)
ANY_LEA = re.compile(r"\blea[qlw]?\b", re.ASCII)
TAKE_A_VALUE = ("-o", "-I", "--defsym", "--MD", "--debug-prefix-map")  # of the assembler's options: as the next word
# A constructor that does nothing: an image with one is not shared (share.py).
STAY_ALONE = '\t.section\t.init_array,"aw"\n\t.p2align 3\n\t.quad\t.Lalone\n\t.text\n.Lalone:\n\tret\n'


def is_writable(name, flags):
    """Whether a section is writable, by its flags, or by its name if it has default flags."""
    return "w" in flags if flags is not None else name.strip('"').startswith((".data", ".bss"))


def writable_symbols(lines):
    """Names of symbols that are defined here in writable sections."""
    found, aliases = set(), []
    here, before, pushed = False, False, []
    for line in lines:
        label = LABEL.match(line)
        if label:
            if here:
                found.add(label[1])
            continue
        match = DIRECTIVE.match(line)
        directive = match[1] if match else ""
        if directive in (".section", ".pushsection"):
            if directive == ".pushsection":
                pushed.append((here, before))
            section = SECTION.match(line)
            before, here = here, section is not None and is_writable(section[1], section[2])
        elif directive in (".text", ".data", ".bss"):
            before, here = here, directive != ".text"
        elif directive == ".popsection" and pushed:
            here, before = pushed.pop()
        elif directive == ".previous":
            here, before = before, here
        elif directive in (".comm", ".lcomm"):
            found.add(COMMON.match(line)[1])
        elif directive == ".set":
            alias = ALIAS.match(line)
            if alias:
                aliases.append((alias[1], alias[2]))
    for _ in aliases:  # of aliases, too
        found |= {name for name, of in aliases if of in found}
    return found


def leads_astray(lines, writable):
    """Whether a global is initialised with an address outside the object that it is relative to: the loader cannot tell
    to which object it belongs."""
    sizes = {match[1]: int(match[2]) for match in map(SIZE.match, lines) if match}
    for match in filter(None, map(POINTER.match, lines)):
        if match[1] in writable and not 0 <= int(match[2]) <= sizes.get(match[1], 0):
            return True
        if match[1] not in sizes and int(match[2]) < 0:  # of another source
            return True
    return False


def nothing(_):
    """Nothing."""
    return frozenset()


def through_gs(lines):
    """The lines of an assembly file, followed by the table of addresses that instructions load."""
    writable = writable_symbols(lines)
    slots = {}
    for line in lines:
        operand = OPERAND.match(line) if "(%rip)" in line and line[0] in " \t" else None
        if operand is None or not (operand["got"] or operand["symbol"] in writable):
            yield line
            continue
        before, symbol, behind = operand["before"], operand["symbol"], operand["behind"]
        lea, register = LEA.search(before), REGISTER.search(behind)
        if operand["got"] and before.lstrip(" \t").startswith(("call", "jmp")):
            yield line  # functions are where they are
        elif lea and register and not operand["got"]:
            slot = slots.setdefault(symbol, f".Lown{len(slots)}")
            yield f"{before[: lea.start()]}\tmov{lea[1]}\t%gs:{slot}(%rip){behind}"
            offset = (operand["first"].rstrip("+") + operand["offset"]).lstrip("+")
            if offset:
                yield f"\tlea{lea[1]}\t{offset}({register[1]}), {register[1]}\n"
        elif ANY_LEA.search(before):
            yield line
        else:
            yield f"{before}%gs:{operand['address']}(%rip){behind}"
    for symbol, slot in slots.items():
        yield f'\t.section\t.data.rel.local.{slot[2:]},"aw"\n\t.p2align 3\n{slot}:\n\t.quad\t{symbol}\n'
    if leads_astray(lines, writable):
        yield STAY_ALONE


def source_of(arguments):
    """Index of the input file in the assembler's arguments; None: standard input."""
    names = [
        place
        for place, word in enumerate(arguments)
        if not word.startswith("-") and (place == 0 or arguments[place - 1] not in TAKE_A_VALUE)
    ]
    return names[-1] if names else None


def main(arguments):
    """Runs the real assembler, the next `as` on the path."""
    real = shutil.which("as")
    options = [word for word in arguments if word in (UNCOUNTED, UNSHARED, LIBRARY, FIRMWARE)]
    arguments = [word for word in arguments if word not in options]
    if "--version" in arguments:
        os.execv(real, [real, *arguments])
    place = source_of(arguments)
    text = (Path(arguments[place]).read_bytes() if place is not None else sys.stdin.buffer.read()).decode("latin-1")
    gc.disable()  # a file's statements live as long as this program
    lines = None
    if UNCOUNTED not in options:
        lines = counted(
            text, nothing if UNSHARED in options else writable_symbols, LIBRARY in options, FIRMWARE not in options
        )
    if lines is None:
        lines = [line + "\n" for line in text.split("\n")]
    if UNSHARED not in options:
        lines = through_gs(lines)
    with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="latin-1") as changed:
        if place is not None and "\t.file\t" not in text:  # written by hand: what is said of it names the user's file
            changed.write(f'# 1 "{os.fsencode(arguments[place]).decode("latin-1")}"\n')
        changed.writelines(lines)
        changed.flush()
        words = [word for word in arguments if word != "-"] if place is None else arguments
        words = [changed.name if at == place else word for at, word in enumerate(words)]
        return subprocess.run([real, *words, *([changed.name] if place is None else [])], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
