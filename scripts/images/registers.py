"""Liveness of general registers at the start of each block: those that may be read before they are written."""

from operands import CALLS, CONDITIONAL, INDIRECT, JUMP, NEXT, RAX, RBP, RBX, RDI, RDX, RETURN, RSI, RSP, STOP

ALL = 0xFFFF
R10, R11 = 1 << 10, 1 << 11
# Registers that calls may change; -fno-ipa-ra keeps the compiler from assuming less.
CHANGED_BY_CALLS = RAX | 1 << 1 | RDX | RSI | RDI | 1 << 8 | 1 << 9 | R10 | R11
KEPT_BY_CALLS = RBX | RBP | RSP | 0xF000
# Calls with a special convention: of profilers, of thread-local data, of the compiler's run-time library.
UNUSUAL = ("mcount", "fentry", "tls", "thunk", "morestack", "sanvp")


class Registers:
    """Liveness in a file."""

    def __init__(self, graph):
        self.graph = graph
        self.live = [0] * len(graph.blocks)  # by number of the block
        self._solve()

    def _through(self, statement, live):
        """Registers live before an instruction."""
        instruction = statement.instruction
        if instruction.kind == CALLS:
            text = instruction.text.lower()
            if statement.in_app or not self.graph.file.is_compiled or any(name in text for name in UNUSUAL):
                return ALL
            return live & ~CHANGED_BY_CALLS | ALL & ~R11 | instruction.reads & ALL
        return (live & ~instruction.kills | instruction.reads) & ALL

    def _leaves(self, block):
        """Registers that may be read where control leaves the known blocks."""
        end = block.end
        if not self.graph.file.is_compiled or (block.statements and block.statements[-1].in_app):
            return ALL if end != NEXT or block.falls is None else 0
        if end == RETURN:
            return RAX | RDX | KEPT_BY_CALLS
        if end in (JUMP, CONDITIONAL, INDIRECT):
            return ALL if block.calls_away else 0
        if end in (CALLS, STOP):
            return 0
        return ALL if block.falls is None else 0

    def _solve(self):
        blocks = self.graph.blocks
        summary, leaves = [], [self._leaves(block) for block in blocks]
        for block in blocks:
            read, kept = 0, ALL
            for statement in reversed(block.statements):
                read, kept = self._through(statement, read), self._through(statement, kept)
            summary.append((read, kept))
        waiting = list(blocks)
        is_waiting = [True] * len(blocks)
        live = self.live
        while waiting:
            block = waiting.pop()
            number = block.number
            is_waiting[number] = False
            after = leaves[number]
            for successor in block.successors:
                after |= live[successor.number]
            read, kept = summary[number]
            before = read | kept & after
            if before != live[number]:
                live[number] = before
                for predecessor in block.predecessors:
                    if not is_waiting[predecessor.number]:
                        is_waiting[predecessor.number] = True
                        waiting.append(predecessor)
