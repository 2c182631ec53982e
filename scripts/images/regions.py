"""Loops that keep the counter in a register that is unused in the whole loop. They contain no call.

movq  %gs:sanvp_spent(%rip), %r11       at entries
addq  $PRICE, %r11                      in each block
movq  %r11, %gs:sanvp_spent(%rip)       at exits, and in stubs
"""

import re

from operands import CONDITIONAL, GENERAL, INDIRECT, JUMP, NEXT, NONE, SHORT

# Caller-saved registers first, then callee-saved ones, which are free if the function does not use them. In each group
# those come first that need the shortest encodings least.
PREFERRED = (11, 10, 9, 8, 1, 2, 0, 15, 14, 13, 12, 3)


LINE_BYTES, ADD_BYTES, BRANCH_BYTES = 64, 7, 6


def size_of(instruction):
    """Approximate length of an instruction in bytes."""
    size = 2 if instruction.kind in (JUMP, CONDITIONAL) else 3 if instruction.mnemonic[0] != "v" else 4
    for operand in instruction.operands:
        if operand.is_memory:
            size += 0 if not operand.disp else 1 if operand.disp.lstrip("-").isdigit() and len(operand.disp) < 4 else 4
            size += operand.index != NONE
    if "$" in instruction.text:
        size += 1 if re.search(r"\$-?\d{1,2}\b", instruction.text) else 4
    return size + any(operand.is_xmm for operand in instruction.operands)


class Region:
    """A loop and its register, which is unused there, and is saved elsewhere if it is live."""

    def __init__(self, loop, register, is_live, spent, kept):
        self.loop, self.register, self.is_live = loop, "%" + GENERAL[register], is_live
        self.begin, self.end = f" movq\t{spent}, {self.register};", f" movq\t{self.register}, {spent};"
        if is_live:
            self.begin = f" movq\t{self.register}, {kept};{self.begin}"
            self.end += f" movq\t{kept}, {self.register};"

    def __contains__(self, block):
        return block.number in self.loop.blocks


class Regions:
    """The regions of a file, preferring outer loops to inner ones."""

    def __init__(self, graph, registers, loops, dead, memory):
        """loops: without those that sleep; dead: numbers of blocks that have a place with no flag live; memory: the
        addresses of the counter and of a place to save a register."""
        self.graph, self.registers = graph, registers
        self.of = {}  # by number of a block
        self.headers = {}
        if not graph.file.is_compiled:
            return
        checked = {loop.header.number for loop in loops}
        for loop in loops:
            if any(number in self.of for number in loop.blocks) or not self._fits(loop):
                continue
            if not dead.issuperset(checked & loop.blocks.keys()):
                continue
            free = self._free(loop, registers)
            if free is not None:
                region = Region(loop, *free, *memory)
                self.headers[loop.header.number] = region
                self.of.update(dict.fromkeys(loop.blocks, region))

    def _fits(self, loop):
        """Whether all entries and exits are known."""
        header = loop.header
        if not loop.is_regular or header.is_entry:
            return False
        for block in loop.blocks.values():
            if (
                block.end not in (NEXT, JUMP, CONDITIONAL, INDIRECT)
                or block.is_data
                or block.section is not header.section
            ):
                return False
            if not block.statements or any(statement.instruction.repeats for statement in block.statements):
                return False
            if block.calls_away:
                return False
            for successor in block.successors:
                if (
                    successor.number not in loop.blocks
                    and block.end == INDIRECT
                    and not self._is_only_exit(loop, successor)
                ):
                    return False
            if block.falls is None and block.end in (NEXT, CONDITIONAL):
                return False
        ends = [
            block.statements[-1].instruction
            for block in (*loop.blocks.values(), *header.predecessors)
            if block.statements
        ]
        if any(end.mnemonic in SHORT for end in ends):
            return False
        return all(before.end != INDIRECT for before in header.predecessors if before.number not in loop.blocks)

    @staticmethod
    def _is_only_exit(loop, block):
        """Whether a block after the loop is entered only from the loop."""
        return (
            not block.is_entry
            and not block.is_header
            and bool(block.statements)
            and all(before.number in loop.blocks for before in block.predecessors)
        )

    @staticmethod
    def _free(loop, registers):
        """A register that the loop does not use, and whether it is live; None: all are used."""
        used, live = 0, registers.live[loop.header.number]
        for block in loop.blocks.values():
            for statement in block.statements:
                used |= statement.instruction.reads | statement.instruction.writes
            for successor in block.successors:
                live |= registers.live[successor.number]
        unused = [number for number in PREFERRED if not used >> number & 1]
        dead = [number for number in unused if not live >> number & 1]
        return (dead[0], False) if dead else (unused[0], True) if unused else None

    def place(self, counting):
        """Inserts the moves to and from registers at entries and exits."""
        for block in self.graph.blocks:
            inside = self.of.get(block.number)
            for successor in block.successors if block.statements else ():
                target = self.of.get(successor.number)
                if target is not inside:
                    self._edge(counting, block, successor, inside, target)
        for block in self.graph.blocks:
            if self._begins_outside(block):
                region = self.of[block.predecessors[0].number]
                counting.insert(block.statements[0].place, region.end, counting.EDGE)

    def _begins_outside(self, block):
        """Whether the counter is stored at the start of a block: all its predecessors are in one loop."""
        if block.number in self.of or not block.predecessors or block.section is not block.predecessors[0].section:
            return False
        region = self.of.get(block.predecessors[0].number)
        return region is not None and self._is_only_exit(region.loop, block)

    def align(self, counting, loops):
        """Aligns short inner loops to one cache line, in which most of them lay before counting was added."""
        for loop in loops:
            header = loop.header
            if header.number not in self.of or any(
                block.is_header and block is not header for block in loop.blocks.values()
            ):
                continue
            size = sum(map(size_of, loop.instructions())) + BRANCH_BYTES + ADD_BYTES * len(loop.blocks)
            if size <= LINE_BYTES and header.number == min(loop.blocks):
                counting.insert(header.label_place, f"\t.p2align\t{LINE_BYTES.bit_length() - 1};", counting.ALIGN)

    def _edge(self, counting, block, successor, inside, target):
        if inside is not None and target is None and self._begins_outside(successor):
            return
        text = (inside.end if inside is not None else "") + (target.begin if target is not None else "")
        last = block.statements[-1]
        if block.falls is successor:
            counting.insert(last.place + 1, text, counting.EDGE)
        if last.instruction.kind not in (JUMP, CONDITIONAL):
            return
        if self.graph.by_label.get(last.target) is not successor:
            return
        is_harmless = (
            inside is None
            and not target.is_live
            and not any(
                self.registers.live[other.number] >> GENERAL.index(target.register[1:]) & 1
                or self.of.get(other.number) is not None
                for other in block.successors
                if other is not successor
            )
        )
        if last.instruction.kind == JUMP or is_harmless:
            counting.insert(last.place, text, counting.JUMP)
        else:
            counting.way(block, successor, text)
