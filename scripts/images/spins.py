"""Loops that only poll memory until it is written: an iteration changes nothing that the next one reads."""

from operands import CONDITIONAL, GENERAL, JUMP, NEXT, NONE, RIP, RSP, operand_of

MOST_OPERANDS = 8
MOST_BLOCKS = 12
NUMBER = "-+0123456789abcdefxABCDEFX"
# Caller-saved registers, for addresses in stubs.
FREE = (11, 10, 9, 8, 7, 6, 1, 2, 0)


class Spin:
    """A back edge of such a loop: its target, the polled operands, and code that recomputes their addresses."""

    def __init__(self, block, target, operands, code):
        self.block, self.target, self.operands, self.code = block, target, operands, code


class Spins:
    """The polling loops of a file."""

    def __init__(self, graph, registers):
        self.graph, self.registers = graph, registers

    def of(self, loop):
        """The back edges of a loop; empty if it does not only poll."""
        if not loop.is_regular or len(loop.blocks) > MOST_BLOCKS:
            return []
        blocks = [loop.blocks[number] for number in sorted(loop.blocks)]
        written, loads = 0, 0
        for block in blocks:
            if block.end not in (NEXT, JUMP, CONDITIONAL) or block.is_data or not block.statements:
                return []
            for statement in block.statements:
                instruction = statement.instruction
                if not instruction.is_known or instruction.stores or instruction.repeats or instruction.writes & RSP:
                    return []
                written |= instruction.writes
                loads += len(instruction.loads)
        found = []
        for block in blocks if loads else ():
            if block.end not in (JUMP, CONDITIONAL):
                continue
            target = self.graph.by_label.get(block.statements[-1].target)
            if target is None or target.number not in loop.blocks or target.number > block.number:
                continue
            if self._carries(loop, target, written) or target.section is not block.section:
                return []
            looks = self._operands(loop, target, block, written)
            if looks is None:
                return []
            found.append(Spin(block, target, *looks))
        return found

    def _carries(self, loop, start, written):
        """Whether an iteration writes something that the next one, starting at this block, reads."""
        live = dict.fromkeys(loop.blocks, (0, 0))
        changed = True
        while changed:
            changed = False
            for number in sorted(loop.blocks, reverse=True):
                block = loop.blocks[number]
                registers = flags = 0
                for successor in block.successors:
                    if successor.number in loop.blocks and successor is not start:
                        registers |= live[successor.number][0]
                        flags |= live[successor.number][1]
                for statement in reversed(block.statements):
                    instruction = statement.instruction
                    registers = registers & ~instruction.kills | instruction.reads
                    flags = flags & ~instruction.flags_written | instruction.flags_read
                if (registers, flags) != live[number]:
                    live[number] = (registers, flags)
                    changed = True
        return live[start.number][0] & written or live[start.number][1]

    def _operands(self, loop, target, end, written):
        """All memory operands that an iteration loads, in terms of registers at the back edge or after the code; None:
        unknown."""
        found, code = {}, []
        path = self._path(loop, target, end)
        turn = path if path is not None else list(loop.instructions())
        used = written | self.registers.live[target.number]
        for instruction in turn:
            used |= instruction.reads
        free = [number for number in FREE if not used >> number & 1]
        for place, instruction in enumerate(turn):
            for operand in instruction.loads:
                if "@GOT" in operand.disp:
                    continue  # of the linker, never written
                if operand.segment or (operand.base != RIP and operand.disp.strip(NUMBER)):
                    return None
                if operand.general & written:
                    again = self._again(path, place, operand, target, written) if free else None
                    if again is None:
                        return None
                    register = "%" + GENERAL[free.pop(0)]
                    code += [*again, f"\tleaq\t{address(operand)}, {register}\n"]
                    operand = operand_of(f"({register})")
                found[operand.base, operand.index, operand.scale, operand.disp] = (
                    operand,
                    max(1, instruction.width),
                    False,
                )
        return (list(found.values()), code) if 0 < len(found) <= MOST_OPERANDS else None

    @staticmethod
    def _path(loop, start, end):
        """The instructions of an iteration, if there is a single path through it."""
        found, block = [], start
        for _ in loop.blocks:
            found += [statement.instruction for statement in block.statements]
            if block is end:
                return found
            inside = [following for following in block.successors if following.number in loop.blocks]
            inside = [following for following in inside if following is not start]
            if len(inside) != 1:
                return None
            block = inside[0]
        return None

    def _again(self, path, place, operand, target, written):
        """The instructions of an iteration that compute an address, to be repeated."""
        if path is None:
            return None
        needed, found = operand.general, []
        for instruction in reversed(path[:place]):
            if not instruction.writes & needed:
                continue
            if instruction.flags_read or (instruction.flags_written and target.flags_in):
                return None
            if instruction.writes & self.registers.live[target.number]:
                return None
            needed = needed & ~instruction.kills | instruction.reads
            found.append(f"\t{instruction.text}\n")
        return None if needed & written or len(found) > MOST_OPERANDS else found[::-1]


def address(operand):
    """Its text in AT&T syntax."""
    base = "%" + GENERAL[operand.base] if operand.base != NONE else ""
    index = f",%{GENERAL[operand.index]},{operand.scale}" if operand.index != NONE else ""
    return f"{operand.disp}({base}{index})"
