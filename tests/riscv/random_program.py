"""A program of random instructions: blocks between a load of all registers and their store."""

from __future__ import annotations

from pathlib import Path
from random import Random

from instructions import EXTENSIONS, Draw
from toolchain import compile_for_rv32, compile_program

HERE = Path(__file__).resolve().parent
# Of struct state in random_block.c.
FLOATS, FCSR = 256, 512
# Which numbers the floating-point registers have at first.
FORMATS = {"F": 32, "D": 64}

SAVED = ("ra", "gp", "tp", *(f"s{n}" for n in range(12)))


def load(bits: int) -> list[str]:
    """Of all registers, from struct state."""
    get, put = ("ld", "sd") if bits == 64 else ("lw", "sw")
    return [
        "addi sp, sp, -128",
        *[f"{put} {name}, {8 * i}(sp)" for i, name in enumerate(SAVED)],
        "la x31, saved",
        f"{put} sp, 0(x31)",
        "la x31, state",
        f"{get} x1, {FCSR}(x31)",
        "fscsr x1",
        *[f"fld f{n}, {FLOATS + 8 * n}(x31)" for n in range(32)],
        *[f"{get} x{n}, {8 * n}(x31)" for n in range(1, 31)],
        "la x2, stack_area",
        "la x31, area + 2048",
    ]


def store(bits: int) -> list[str]:
    get, put = ("ld", "sd") if bits == 64 else ("lw", "sw")
    return [
        "la x31, state",
        *[f"{put} x{n}, {8 * n}(x31)" for n in range(1, 31)],
        *[f"fsd f{n}, {FLOATS + 8 * n}(x31)" for n in range(32)],
        "frcsr x1",
        f"{put} x1, {FCSR}(x31)",
        "fscsr x0",
        "la x31, saved",
        f"{get} sp, 0(x31)",
        *[f"{get} {name}, {8 * i}(sp)" for i, name in enumerate(SAVED)],
        "addi sp, sp, 128",
        "ret",
    ]


def assembly(extension: str, seed: int, blocks: int, length: int, bits: int) -> str:
    draw = Draw(Random(f"{extension} {seed}"), bits)
    lines = [".option norelax", ".bss", ".balign 16", "saved: .zero 8", ".text"]
    for block in range(blocks):
        lines += [".balign 4", f"block_{block}:", *load(bits)]
        for _ in range(length):
            lines += EXTENSIONS[extension](draw)
        lines += [".balign 4", *store(bits)]
    lines += [".section .rodata", ".balign 8", ".globl blocks", "blocks:"]
    lines += [f".{bits // 8}byte block_{block}" for block in range(blocks)]
    lines += [".globl block_count", f"block_count: .4byte {blocks}", ""]
    return "\n".join(lines)


def make_program(folder: Path, extension: str, seed: int, blocks: int, length: int, bits: int = 64) -> Path:
    """Compiles it."""
    source = folder / f"{extension}.S"
    source.write_text(assembly(extension, seed, blocks, length, bits), encoding="ascii")
    options = [f"-DSEED={seed * 2 + 1}", f"-DFORMAT={FORMATS.get(extension, 0)}", "-no-pie", "-fno-pic", str(source)]
    made = compile_program if bits == 64 else compile_for_rv32
    return made(HERE / "random_block.c", folder / f"random_{extension}", *options)
