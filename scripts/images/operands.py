"""Names and numbers of x86-64 in AT&T syntax: classes of instructions, flags, registers, operands."""

import re
from functools import cache

CLASSES = (
    "integer",
    "shift",
    "multiply",
    "divide",
    "load",
    "store",
    "branch",
    "call",
    "float_add",
    "float_multiply",
    "float_divide",
    "float_sqrt",
    "conversion",
    "move",
    "atomic",
    "float_fused",
)
(
    INTEGER,
    SHIFT,
    MULTIPLY,
    DIVIDE,
    LOAD,
    STORE,
    BRANCH,
    CALL,
    FLOAT_ADD,
    FLOAT_MULTIPLY,
    FLOAT_DIVIDE,
    FLOAT_SQRT,
    CONVERSION,
    MOVE,
    ATOMIC,
    FLOAT_FUSED,
) = range(len(CLASSES))

# Flags, as bits.
CF, PF, AF, ZF, SF, OF = 1, 2, 4, 8, 16, 32
ALL_FLAGS = 63

# Control flow after an instruction.
NEXT, JUMP, CONDITIONAL, INDIRECT, CALLS, RETURN, STOP = range(7)

# Jumps with a range of 127 bytes.
SHORT = {"jrcxz", "jecxz", "loop", "loope", "loopz", "loopne", "loopnz"}

# Registers, as bits: 0 to 15 the general ones, in the order of their numbers; 16 to 47 those of vectors.
GENERAL = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{number}" for number in range(8, 16)))
RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = (1 << number for number in range(8))
ALL_REGISTERS = (1 << 48) - 1
RIP = 16  # as the base of an operand
NONE = 255


def _registers():
    """Number and width in bytes of each name."""
    found = {}
    for number, name in enumerate(GENERAL[:8]):
        short = name[1:]
        found |= {name: (number, 8), "e" + short: (number, 4), short: (number, 2)}
        low = short[0] + "l" if short[1] == "x" else short + "l"
        found[low] = (number, 1)
        if short[1] == "x":
            found[short[0] + "h"] = (number, 1)
    for number in range(8, 16):
        found |= {f"r{number}{suffix}": (number, width) for suffix, width in (("", 8), ("d", 4), ("w", 2), ("b", 1))}
    for number in range(32):
        found |= {f"{kind}mm{number}": (16 + number, width) for kind, width in (("x", 16), ("y", 32), ("z", 64))}
    found |= {f"mm{number}": (NONE, 8) for number in range(8)}
    return found


REGISTERS = _registers()
MEMORY = re.compile(r"\*?(?:%([c-gs]s):)?([^()]*?)(?:\(([^)]*)\))?$")


class Operand:
    """Of an instruction: a register, a constant, or memory."""

    __slots__ = ("base", "disp", "general", "index", "is_memory", "is_xmm", "register", "scale", "segment", "width")

    def __init__(self, text):
        self.register, self.width, self.is_memory, self.is_xmm = NONE, 0, False, False
        self.general = 0  # registers of an address, as bits
        plain = text.split("{", 1)[0].rstrip() if "{" in text else text
        first = plain[:1]
        if first == "%" and ":" not in plain:
            self.register, self.width = REGISTERS.get(plain[1:], (NONE, 0))
            self.is_xmm = plain[2:4] == "mm"
        elif first != "$" and plain:
            self.is_memory = True
            self.base = self.index = NONE
            self.scale = 1
            match = MEMORY.match(plain)
            self.segment, self.disp = (match[1], match[2].strip()) if match else ("?", "")
            for place, part in enumerate((match[3] or "").split(",") if match else ()):
                name = part.strip()[1:]
                if place == 2:
                    self.scale = int(part.strip() or "1")
                elif name == "rip":
                    self.base = RIP
                elif name and name not in ("riz", "eiz"):
                    number = REGISTERS.get(name, (NONE, 0))[0]
                    self.general |= 1 << number if number != NONE else 0
                    if place == 0:
                        self.base = number
                    else:
                        self.index = number


operand_of = cache(Operand)


class Instruction:
    """The properties of an instruction. Cached: shared by all places with the same text."""

    __slots__ = (
        "classes",
        "count",
        "flags_read",
        "flags_written",
        "is_known",
        "is_nop",
        "is_prefix",
        "is_string",
        "is_thread_local",
        "kills",
        "kind",
        "loads",
        "mnemonic",
        "operands",
        "reads",
        "repeats",
        "stores",
        "symbols",
        "target",
        "text",
        "width",
        "writes",
    )


def access_operands(result, access, width):
    """Registers and memory that the operands name: all are read, but the last one is accessed as said (r, w, rw)."""
    reads = writes = kills = 0
    loads, stores = [], []
    last = len(result.operands) - 1
    for place, operand in enumerate(result.operands):
        if operand.is_memory:
            reads |= operand.general
            if place != last or "r" in access:
                loads.append(operand)
            if place == last and "w" in access:
                stores.append(operand)
        elif operand.register != NONE:
            bit = 1 << operand.register
            if place != last or "r" in access:
                reads |= bit
            if place == last and "w" in access:
                writes |= bit
                if access == "w" and operand.width >= 4:
                    kills |= bit
                elif access == "w":
                    reads |= bit  # the rest of it stays
    result.reads, result.writes, result.kills = reads, writes, kills & ~reads
    result.loads, result.stores, result.width = loads, stores, width
