"""A program of random instructions: blocks between a load of all registers and their store."""

from __future__ import annotations

from pathlib import Path
from random import Random

from instructions import EXTENSIONS, Draw
from toolchain import compile_program

HERE = Path(__file__).resolve().parent
# Of struct state in random_block.c.
FLOATS, FCSR = 256, 512
# Which numbers the floating-point registers have at first.
FORMATS = {"F": 32, "D": 64}

LOAD = [
    "addi sp, sp, -128",
    *[f"sd {name}, {8 * i}(sp)" for i, name in enumerate(("ra", "gp", "tp", *(f"s{n}" for n in range(12))))],
    "la x31, saved",
    "sd sp, 0(x31)",
    "la x31, state",
    f"ld x1, {FCSR}(x31)",
    "fscsr x1",
    *[f"fld f{n}, {FLOATS + 8 * n}(x31)" for n in range(32)],
    *[f"ld x{n}, {8 * n}(x31)" for n in range(1, 31)],
    "la x2, stack_area",
    "la x31, area + 2048",
]
STORE = [
    "la x31, state",
    *[f"sd x{n}, {8 * n}(x31)" for n in range(1, 31)],
    *[f"fsd f{n}, {FLOATS + 8 * n}(x31)" for n in range(32)],
    "frcsr x1",
    f"sd x1, {FCSR}(x31)",
    "fscsr x0",
    "la x31, saved",
    "ld sp, 0(x31)",
    *[f"ld {name}, {8 * i}(sp)" for i, name in enumerate(("ra", "gp", "tp", *(f"s{n}" for n in range(12))))],
    "addi sp, sp, 128",
    "ret",
]


def assembly(extension: str, seed: int, blocks: int, length: int) -> str:
    draw = Draw(Random(f"{extension} {seed}"))
    lines = [".option norelax", ".bss", ".balign 16", "saved: .zero 8", ".text"]
    for block in range(blocks):
        lines += [".balign 4", f"block_{block}:", *LOAD]
        for _ in range(length):
            lines += EXTENSIONS[extension](draw)
        lines += [".balign 4", *STORE]
    lines += [".section .rodata", ".balign 8", ".globl blocks", "blocks:"]
    lines += [f".8byte block_{block}" for block in range(blocks)]
    lines += [".globl block_count", f"block_count: .4byte {blocks}", ""]
    return "\n".join(lines)


def make_program(folder: Path, extension: str, seed: int, blocks: int, length: int) -> Path:
    """Compiles it."""
    source = folder / f"{extension}.S"
    source.write_text(assembly(extension, seed, blocks, length), encoding="ascii")
    options = [f"-DSEED={seed * 2 + 1}", f"-DFORMAT={FORMATS.get(extension, 0)}", "-no-pie", "-fno-pic", str(source)]
    return compile_program(HERE / "random_block.c", folder / f"random_{extension}", *options)
