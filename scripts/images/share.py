#!/usr/bin/python3 -IS
"""Marks images that can share their code among copies: all accesses to writable data go through %gs, as `as` writes
them, and loading runs no code of the program.

usage: share IMAGE...        the mark is a section, .sanvp.shared_code; other images are left unchanged
"""

import re
import subprocess
import sys

MARK = ".sanvp.shared_code"
SEGMENT = re.compile(r"^ +LOAD .* vaddr (0x\w+) .*\n.* memsz (0x\w+) flags (...)$", re.MULTILINE)
TABLES = re.compile(r"^ *\d+ \.got(?:\.plt)? +(\w+) +(\w+) ", re.MULTILINE)  # of the linker: size, address
CONSTRUCTORS = re.compile(r"^ +INIT_ARRAYSZ +(0x\w+)$", re.MULTILINE)
ADDRESS = re.compile(r"^\w+ R_X86_64_RELATIVE +\*ABS\*([+-]0x\w+)$", re.MULTILINE)
ACCESS = re.compile(r"^ *(\w+):\t(\S+) (.*\(%rip\).*)# (\w+)", re.MULTILINE)
OF_FUNCTIONS = ("call", "jmp", "push", "bnd", "notrack")  # includes the linker's stubs
POINTER_BYTES = 8
NEAR = 64  # code of -mcmodel=large reaches data from an address a few instructions back
OUR_CONSTRUCTORS = 1  # sw/hal/destructors.c


def signed(number):
    """Two's complement of 64 bits."""
    value = int(number, 16)
    return value - (1 << 64) if value >> 63 == 1 else value


def stands_alone(text):
    """Why an image cannot be shared, from objdump's output; empty if it can."""
    writable = [(int(at, 16), int(bytes_, 16)) for at, bytes_, flags in SEGMENT.findall(text) if "w" in flags]
    if len(writable) != 1:
        return "its data is in several segments"
    begin, end = writable[0][0], sum(writable[0])
    if re.search(r"^ +TLS ", text, re.MULTILINE):
        return "it has thread-local data"
    if re.search(r"^ +TEXTREL ", text, re.MULTILINE):
        return "its code has addresses that the loader puts in"
    if re.search(r"^ +RELR", text, re.MULTILINE):
        return "its addresses are listed in a way that models/native/image.cpp does not know"
    if re.search(r"^ +INIT ", text, re.MULTILINE):
        return "it has an initial function"
    constructors = CONSTRUCTORS.search(text)
    if constructors and int(constructors[1], 16) > OUR_CONSTRUCTORS * POINTER_BYTES:
        return "it has constructors"
    everything = [(int(at, 16), int(at, 16) + int(bytes_, 16)) for at, bytes_, _ in SEGMENT.findall(text)]
    for address in map(signed, ADDRESS.findall(text)):
        if not any(first <= address <= last for first, last in everything):
            return f"an address in its data, {address:x}, is of nothing"
    tables = [(int(at, 16), int(at, 16) + int(bytes_, 16)) for bytes_, at in TABLES.findall(text)]
    for access in ACCESS.finditer(text):
        here, target = int(access[1], 16), int(access[4], 16)
        is_lea, by_gs = access[2].startswith("lea"), "%gs:" in access[3]
        if is_lea and (by_gs or here - NEAR <= target <= here):
            return f"at {here:x} it loads an address used in arithmetic"
        if begin <= target <= end and not by_gs:
            if access[2] in OF_FUNCTIONS and any(first <= target < last for first, last in tables):
                continue  # those are where they are
            return f"at {here:x} it reaches data without %gs"
    return ""


def listing(image):
    """The output of objdump; empty if it fails."""
    options = ["--private-headers", "--section-headers", "--dynamic-reloc", "--disassemble", "--wide"]
    options.append("--no-show-raw-insn")
    try:
        return subprocess.run(["objdump", *options, image], check=False, capture_output=True, text=True).stdout
    except OSError:
        return ""


def main(images):
    """Marks the images that can be shared."""
    for image in images:
        text = listing(image)
        if MARK not in text and not stands_alone(text):
            subprocess.run(["objcopy", f"--add-section={MARK}=/dev/null", image], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
