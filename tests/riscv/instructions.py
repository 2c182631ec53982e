"""Random instructions of each extension, as words for the assembler; written from the manual's tables, not from the
interpreter's.

Register use: x2 points to the middle of memory that compressed instructions may change, x31 to that of other accesses,
x30 is an address for atomic operations. None of the three is a destination otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

BASE, ADDRESS, STACK = 31, 30, 2
WRITABLE = [n for n in range(32) if n not in (BASE, ADDRESS, STACK)]
ROUNDING = (0, 1, 2, 3, 4, 7)


def r_type(opcode: int, funct3: int, funct7: int, rd: int, rs1: int, rs2: int) -> int:
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25


def i_type(opcode: int, funct3: int, rd: int, rs1: int, immediate: int) -> int:
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | (immediate & 0xFFF) << 20


def s_type(opcode: int, funct3: int, rs1: int, rs2: int, offset: int) -> int:
    return opcode | (offset & 0x1F) << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (offset >> 5 & 0x7F) << 25


def word(value: int) -> list[str]:
    return [f".4byte {value:#010x}"]


def half(value: int) -> list[str]:
    return [f".2byte {value:#06x}"]


class Draw:
    """Fields of instructions, of RV64 or RV32."""

    def __init__(self, random: Random, bits: int = 64) -> None:
        self.random = random
        self.is_64 = bits == 64
        self.labels = 0

    def rd(self) -> int:
        return self.random.choice(WRITABLE)

    def rs(self) -> int:
        return self.random.randrange(32)

    def bits(self, count: int) -> int:
        return self.random.getrandbits(count)

    def offset(self) -> int:
        return self.random.randrange(-2000, 2000)

    def label(self) -> str:
        self.labels += 1
        return f"skip_{self.labels}"


def integer(draw: Draw) -> list[str]:
    kind = draw.random.randrange(12)
    if kind in (6, 7) and not draw.is_64:
        return quick(draw)
    if kind < 3:
        funct3, funct7 = draw.random.choice([(f, 0) for f in range(8)] + [(0, 32), (5, 32)])
        return word(r_type(0x33, funct3, funct7, draw.rd(), draw.rs(), draw.rs()))
    if kind < 5:
        return word(i_type(0x13, draw.random.choice((0, 2, 3, 4, 6, 7)), draw.rd(), draw.rs(), draw.bits(12)))
    if kind == 5:
        funct3, high = draw.random.choice(((1, 0), (5, 0), (5, 0x400)))
        return word(i_type(0x13, funct3, draw.rd(), draw.rs(), high | draw.bits(6 if draw.is_64 else 5)))
    if kind == 6:
        funct3, funct7 = draw.random.choice(((0, 0), (0, 32), (1, 0), (5, 0), (5, 32)))
        return word(r_type(0x3B, funct3, funct7, draw.rd(), draw.rs(), draw.rs()))
    if kind == 7:
        funct3, high, bits = draw.random.choice(((0, 0, 12), (1, 0, 5), (5, 0, 5), (5, 0x400, 5)))
        return word(i_type(0x1B, funct3, draw.rd(), draw.rs(), high | draw.bits(bits)))
    if kind == 8:
        return word(draw.random.choice((0x37, 0x17)) | draw.rd() << 7 | draw.bits(20) << 12)
    if kind == 9:
        loads = range(7) if draw.is_64 else (0, 1, 2, 4, 5)
        return word(i_type(0x03, draw.random.choice(loads), draw.rd(), BASE, draw.offset()))
    if kind == 10:
        return word(s_type(0x23, draw.random.randrange(4 if draw.is_64 else 3), BASE, draw.rs(), draw.offset()))
    return jump(draw)


def jump(draw: Draw) -> list[str]:
    """Over some instructions, forward: by a branch, a jump, or a jump to a register."""
    label = draw.label()
    skipped = [line for _ in range(draw.random.randrange(1, 4)) for line in draw.random.choice((multiply, quick))(draw)]
    branch = draw.random.choice(("beq", "bne", "blt", "bge", "bltu", "bgeu", "jal", "jalr"))
    if branch == "jal":
        lines = [f"jal x{draw.rd()}, {label}"]
    elif branch == "jalr":
        lines = [f"la x{ADDRESS}, {label}", f"jalr x{draw.rd()}, x{ADDRESS}, 0"]
    else:
        lines = [f"{branch} x{draw.rs()}, x{draw.rs()}, {label}"]
    return [*lines, *skipped, f"{label}:"]


def quick(draw: Draw) -> list[str]:
    return word(r_type(0x33, 4, 0, draw.rd(), draw.rs(), draw.rs()))


def multiply(draw: Draw) -> list[str]:
    of_words = [(0x3B, f) for f in (0, 4, 5, 6, 7)] if draw.is_64 else []
    opcode, funct3 = draw.random.choice([(0x33, f) for f in range(8)] + of_words)
    return word(r_type(opcode, funct3, 1, draw.rd(), draw.rs(), draw.rs()))


def atomic(draw: Draw) -> list[str]:
    width = draw.random.choice((2, 3) if draw.is_64 else (2,))
    place = i_type(0x13, 0, ADDRESS, BASE, draw.offset() & ~7)
    ordering = draw.bits(2)
    if draw.random.random() < 0.2:
        load = r_type(0x2F, width, 2 << 2 | ordering, draw.rd(), ADDRESS, 0)
        store = r_type(0x2F, width, 3 << 2 | ordering, draw.rd(), ADDRESS, draw.rs())
        return word(place) + word(load) + quick(draw) + word(store)
    funct5 = draw.random.choice((0, 1, 4, 8, 12, 16, 20, 24, 28))
    return word(place) + word(r_type(0x2F, width, funct5 << 2 | ordering, draw.rd(), ADDRESS, draw.rs()))


def floating(draw: Draw, double: bool) -> list[str]:
    """What F and D both have."""
    kind = draw.random.randrange(14)
    fmt, rm = int(double), draw.random.choice(ROUNDING)
    if kind < 4:
        return word(r_type(0x53, rm, draw.random.choice((0, 4, 8, 12)) | fmt, draw.rs(), draw.rs(), draw.rs()))
    if kind == 4:
        return word(r_type(0x53, rm, 0x2C | fmt, draw.rs(), draw.rs(), 0))
    if kind < 7:
        opcode = draw.random.choice((0x43, 0x47, 0x4B, 0x4F))
        return word(r_type(opcode, rm, draw.rs() << 2 | fmt, draw.rs(), draw.rs(), draw.rs()))
    if kind == 7:
        funct7, funct3 = draw.random.choice(((0x10, 0), (0x10, 1), (0x10, 2), (0x14, 0), (0x14, 1)))
        return word(r_type(0x53, funct3, funct7 | fmt, draw.rs(), draw.rs(), draw.rs()))
    if kind == 8:
        return word(r_type(0x53, draw.random.randrange(3), 0x50 | fmt, draw.rd(), draw.rs(), draw.rs()))
    integers = draw.random.randrange(4 if draw.is_64 else 2) if kind in (9, 10) else 0
    if kind == 9:
        return word(r_type(0x53, rm, 0x60 | fmt, draw.rd(), draw.rs(), integers))
    if kind == 10:
        return word(r_type(0x53, rm, 0x68 | fmt, draw.rs(), draw.rs(), integers))
    if kind == 11:
        moves = ((0x70, 1, draw.rd()), (0x70, 0, draw.rd()), (0x78, 0, draw.rs()))
        funct7, funct3, rd = draw.random.choice(moves if draw.is_64 or not double else moves[:1])
        return word(r_type(0x53, funct3, funct7 | fmt, rd, draw.rs(), 0))
    if kind == 12:
        if draw.bits(1):
            return word(i_type(0x07, 2 + fmt, draw.rs(), BASE, draw.offset()))
        return word(s_type(0x27, 2 + fmt, BASE, draw.rs(), draw.offset()))
    return control(draw)


def control(draw: Draw) -> list[str]:
    """Zicsr: flags and rounding mode. Values keep the mode legal."""
    mode = draw.random.randrange(5)
    lines = (
        [f"frflags x{draw.rd()}"],
        [f"frcsr x{draw.rd()}"],
        [f"fsrmi x{draw.rd()}, {mode}"],
        [f"fsflags x{draw.rd()}, x{draw.rs()}"],
        [f"csrrci x{draw.rd()}, fflags, {draw.bits(5)}"],
        [f"csrrs x{draw.rd()}, frm, x0"],
        [f"csrrsi x{draw.rd()}, fflags, {draw.bits(5)}"],
    )
    return list(draw.random.choice(lines))


def single(draw: Draw) -> list[str]:
    return floating(draw, False)


def double(draw: Draw) -> list[str]:
    """D with its conversions from and to F."""
    if draw.random.random() < 0.08:
        funct7, rs2 = draw.random.choice(((0x20, 1), (0x21, 0)))
        return word(r_type(0x53, draw.random.choice(ROUNDING), funct7, draw.rs(), draw.rs(), rs2))
    return floating(draw, True)


def compressed(draw: Draw) -> list[str]:
    """Any 16 bits that are a legal instruction within the rules of register use, jumps apart."""
    while True:
        value = draw.bits(16)
        if is_safe(value) and (draw.is_64 or is_safe_32(value)):
            return half(value)


def is_safe_32(value: int) -> bool:
    """The same where RV32 differs: a call, shifts by up to 31, no operations on words."""
    quadrant, funct3, high = value & 3, value >> 13, value >> 12 & 1
    if quadrant == 1:
        return funct3 != 1 and not (funct3 == 4 and high and (value >> 10 & 3) != 2)
    return not (quadrant == 2 and funct3 == 0 and high)


def is_safe(value: int) -> bool:
    quadrant, funct3, rd = value & 3, value >> 13, value >> 7 & 31
    if quadrant == 3 or value == 0:
        return False
    if quadrant == 0:  # accesses by x8 to x15 would go anywhere
        return funct3 == 0 and value >> 5 & 0xFF != 0
    immediate = value >> 12 & 1 or value >> 2 & 31
    if quadrant == 1:
        if funct3 in (5, 6, 7):  # jumps and branches
            return False
        if funct3 == 4:  # x8 to x15
            return not (value >> 10 & 3 == 3 and value >> 12 & 1 and value >> 6 & 1)
        if funct3 in (1, 3) and (rd == 0 or not immediate):
            return False
        return rd in WRITABLE
    if funct3 == 4:
        return value >> 2 & 31 != 0 and rd in WRITABLE  # no jumps, no ebreak
    if funct3 in (2, 3) and rd == 0:
        return False
    return funct3 in (1, 5, 6, 7) or rd in WRITABLE


EXTENSIONS: dict[str, Callable[[Draw], list[str]]] = {
    "I": integer,
    "M": multiply,
    "A": atomic,
    "F": single,
    "D": double,
    "C": compressed,
    "Zicsr": control,
}
