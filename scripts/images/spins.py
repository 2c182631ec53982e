"""Loops that only look at memory until it is written: a turn of them changes nothing that the next one sees."""

from operands import CONDITIONAL, JUMP, NEXT, RIP, RSP

MOST_OPERANDS = 8
NUMBER = "-+0123456789abcdefxABCDEFX"


class Spins:
    """Those of a file."""

    def __init__(self, graph, loops):
        self.graph = graph
        self.loops = loops
        self.inner = {}
        self.names = {}

    def turns(self, loop):
        """The jumps back, each with the block that it leads to; none: it is another loop."""
        if not loop.is_regular or len(loop.blocks) > 12:
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
        if not loads or self.operands(loop) is None:
            return []
        found = []
        for block in blocks:
            last = block.statements[-1]
            if block.end in (JUMP, CONDITIONAL):
                target = self.graph.by_label.get(last.target)
                if target is not None and target.number in loop.blocks and target.number <= block.number:
                    if self._carries(loop, target, written) or target.section is not block.section:
                        return []
                    found.append((block, target))
        return found

    def _carries(self, loop, start, written):
        """Whether something that a turn writes is read by the next one, which begins at this block."""
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

    def operands(self, loop):
        """All that it loads, with addresses that registers still hold at the jump back; None: they do not."""
        written = 0
        for instruction in loop.instructions():
            written |= instruction.writes
        found = {}
        for instruction in loop.instructions():
            for operand in instruction.loads:
                if "@GOT" in operand.disp:
                    continue  # of the linker, never written
                if operand.segment or operand.general & written:
                    return None
                if operand.base != RIP and operand.disp.strip(NUMBER):
                    return None
                key = (operand.base, operand.index, operand.scale, operand.disp)
                found[key] = (operand, max(1, instruction.width), False)
        return list(found.values()) if 0 < len(found) <= MOST_OPERANDS else None

    def name(self, block, counting):
        """A label at the beginning of a block, for one that is a number may have another meaning elsewhere."""
        if "#" not in block.labels[0]:
            return block.labels[0]
        if block.number not in self.names:
            self.names[block.number] = counting.label("turn")
            counting.insert(block.statements[0].place, f"{self.names[block.number]}:")
        return self.names[block.number]
