"""How the addresses of a loop's operands change from one iteration to the next."""

import re

from operands import GENERAL, NONE, REGISTERS
from steps import bits

UNKNOWN, STRIDED, LOADED = range(3)
NO_STEP = (0, NONE, 0)
MOST_BLOCKS = 8  # of a loop whose iterations have a price
ADDS = {"add": 1, "sub": -1}
LEA = re.compile(r"leaq\s+(-?\d*)\(%(\w+)\), ?%(\w+)$")
STEP = re.compile(r"(add|sub)q\s+(?:\$(-?\d+)|%(\w+)), ?%(\w+)$")
ONE = re.compile(r"(inc|dec)q\s+%(\w+)$")


def number_of(name):
    """A general register's."""
    return REGISTERS.get(name, (NONE, 0))[0]


def step_of(text, written):
    """(constant, register, its factor) that an instruction adds to a register; None: it does something else.

    written: registers that the loop writes."""
    if found := STEP.match(text):
        sign = ADDS[found[1]]
        if found[2]:
            return (sign * int(found[2]), NONE, 0)
        register = number_of(found[3])
        return (0, register, sign) if not written >> register & 1 else None
    if found := LEA.match(text):
        return (int(found[1] or "0"), NONE, 0) if found[2] == found[3] else None
    if found := ONE.match(text):
        return (1 if found[1] == "inc" else -1, NONE, 0)
    return None


def sum_of(steps):
    """Of steps, of which one may have a register; None: more have."""
    constant, register, factor = NO_STEP
    for more, other, times in steps:
        constant += more
        if other not in (NONE, register) and register != NONE:
            return None
        if other != NONE:
            register, factor = other, factor + times
    return constant, register, factor


class Motions:
    """Of the registers of a loop."""

    def __init__(self, loop):
        writers = [[] for _ in GENERAL]
        written = 0
        for instruction in loop.instructions():
            written |= instruction.writes
            for number in bits(instruction.writes & (1 << len(GENERAL)) - 1):
                writers[number].append(instruction)
        self.steps = [self._step(found, written) for found in writers]
        self.loaded = 0
        changed = True
        while changed:
            changed = False
            for number, found in enumerate(writers):
                is_new = self.steps[number] is None and not self.loaded >> number & 1
                if is_new and any(map(self._loads, found)):
                    self.loaded |= 1 << number
                    changed = True

    @staticmethod
    def _step(writers, written):
        steps = [step_of(writer.text, written) for writer in writers]
        return None if None in steps else sum_of(steps)

    def _loads(self, instruction):
        return bool(instruction.loads) or instruction.reads & self.loaded

    def of(self, operand):
        """(motion, step) of an operand's address."""
        if operand.general & self.loaded:
            return LOADED, NO_STEP
        parts = []
        for register, scale in ((operand.base, 1), (operand.index, operand.scale)):
            if register >= len(GENERAL):
                continue
            if self.steps[register] is None:
                return UNKNOWN, NO_STEP
            constant, other, factor = self.steps[register]
            parts.append((constant * scale, other, factor * scale))
        step = sum_of(parts)
        fits = step is not None and -(1 << 31) <= step[0] < 1 << 31 and -128 <= step[2] < 128
        return (STRIDED, step) if fits else (UNKNOWN, NO_STEP)
