"""Basic blocks of a file's code, the control flow between them, liveness of flags, and loops."""

from operands import (
    ALL_FLAGS,
    CALLS,
    CONDITIONAL,
    INDIRECT,
    JUMP,
    NEXT,
    RETURN,
    STOP,
)
from statements import DATA, LABEL

COLD = ".cold"  # the compiler's name for a function's part that lies elsewhere


class Block:
    """Instructions that run one after the other: only the first can be jumped to, only the last jumps or calls."""

    __slots__ = (
        "calls_away",
        "falls",
        "flags_in",
        "flags_out",
        "function",
        "is_data",
        "is_entry",
        "is_function",
        "is_header",
        "label_place",
        "labels",
        "number",
        "predecessors",
        "section",
        "statements",
        "successors",
    )

    def __init__(self, number, section):
        self.number, self.section = number, section
        self.labels, self.statements = [], []
        self.label_place = None  # of the first label: the number of its piece
        self.successors, self.predecessors = [], []
        self.falls = None  # the block behind, where control may get there without a jump
        self.is_entry = self.is_function = self.is_header = self.is_data = False
        self.calls_away = False  # it calls, or jumps to a function
        self.function = ""
        self.flags_in = self.flags_out = 0

    @property
    def end(self):
        """The kind of its last instruction."""
        return self.statements[-1].instruction.kind if self.statements else NEXT


class Graph:
    """Blocks of a file, as they follow each other in each section."""

    def __init__(self, file):
        self.file = file
        self.blocks = []
        self.by_label = {}
        self._cut()
        self._connect()
        self._flags()
        self.order = self._order()

    # Blocks

    def _cut(self):
        code, file = self.file.code, self.file
        targets = {statement.target for statement in code if statement.target}
        calls = {s.target for s in code if s.target and s.instruction.kind == CALLS}
        taken = set(file.taken)
        for statement in code:
            if statement.taken:
                taken.update(statement.taken)
        self.by_code = {symbol for statement in code for symbol in statement.taken}
        leaders = targets | taken | file.functions | file.pads
        functions = self.functions = file.functions | calls
        current, name = {}, {}  # by section: the block that goes on, the function
        for statement in code:
            section = statement.section
            block = current.get(section)
            if statement.kind == LABEL:
                label = statement.name
                if label not in leaders:
                    continue
                if block is None or block.statements:
                    block = self._begin(section, block, name)
                    current[section] = block
                if not block.labels:
                    block.label_place = statement.place
                block.labels.append(label)
                self.by_label[label] = block
                if label in functions:
                    block.function = name[section] = label.removesuffix(COLD)
                    block.is_function = block.is_function or not label.endswith(COLD)
                block.is_entry = block.is_entry or block.is_function or label in file.pads
                continue
            if block is None or (block.statements and block.end != NEXT) or (statement.kind == DATA) != block.is_data:
                if block is None or block.statements:
                    block = self._begin(section, block, name)
                    current[section] = block
                block.is_data = statement.kind == DATA
            block.statements.append(statement)
        self.taken = taken

    def _begin(self, section, before, name):
        block = Block(len(self.blocks), section)
        block.function = name.get(section, "")
        self.blocks.append(block)
        if before is not None and before.end in (NEXT, CONDITIONAL, CALLS) and not before.is_data:
            before.falls = block
        return block

    def _connect(self):
        possible = {}  # by function: where its computed jumps may lead
        for label in sorted(self.taken):
            block = self.by_label.get(label)
            if block is not None and not block.is_function:
                places = possible.setdefault(block.function, [])
                if block not in places:
                    places.append(block)
        computed = {block.function for block in self.blocks if block.end == INDIRECT}
        for label in self.taken:
            block = self.by_label.get(label)
            if block is not None and (
                block.function not in computed or label in self.by_code or not self.file.is_compiled
            ):
                block.is_entry = True
        for block in self.blocks:
            end = block.end
            if block.falls is not None:
                falls = block.falls
                if end == CALLS and any(label in self.file.functions for label in falls.labels):
                    block.falls = None  # it does not come back
                else:
                    block.successors.append(falls)
            if end in (JUMP, CONDITIONAL):
                name = block.statements[-1].target
                target = self.by_label.get(name)
                if target is None or (name in self.functions and not name.endswith(COLD)):
                    block.calls_away = True
                if target is not None and target not in block.successors:
                    block.successors.append(target)
            elif end == INDIRECT:
                block.successors.extend(possible.get(block.function, ()))
                block.calls_away = not block.successors
            elif end == CALLS:
                block.calls_away = True
        for block in self.blocks:
            for successor in block.successors:
                successor.predecessors.append(block)

    # Flags

    def leaves(self, block):
        """Flags that may be read where control leaves the file's blocks after this one."""
        end = block.end
        if end in (RETURN, STOP, JUMP, INDIRECT, CONDITIONAL):
            is_known = self.file.is_compiled and not block.statements[-1].in_app
            outside = end == RETURN or (end in (JUMP, CONDITIONAL, INDIRECT) and block.calls_away)
            return ALL_FLAGS if not is_known and (outside or end == INDIRECT) else 0
        if block.falls is None and not (end == CALLS and self.file.is_compiled):
            return ALL_FLAGS
        return 0

    def through(self, statement, live):
        """Flags live before an instruction, from those live after it."""
        instruction = statement.instruction
        if instruction.kind == CALLS:
            return ALL_FLAGS if statement.in_app or not self.file.is_compiled else 0
        return live & ~instruction.flags_written | instruction.flags_read

    def _flags(self):
        summary = []
        for block in self.blocks:
            read, kept = 0, ALL_FLAGS
            for statement in reversed(block.statements):
                read, kept = self.through(statement, read), self.through(statement, kept)
            summary.append((read, kept))
            block.flags_out = self.leaves(block)
            block.flags_in = read | kept & block.flags_out
        waiting = list(self.blocks)
        while waiting:
            block = waiting.pop()
            live = block.flags_out
            for successor in block.successors:
                live |= successor.flags_in
            read, kept = summary[block.number]
            before = read | kept & live
            block.flags_out = live
            if before != block.flags_in:
                block.flags_in = before
                waiting.extend(block.predecessors)

    # Loops

    def _order(self):
        """Blocks in reverse postorder; jumps back within it lead to headers of loops."""
        state, order = {}, []
        roots = [b for b in self.blocks if b.is_function] + [b for b in self.blocks if b.is_entry] + self.blocks
        self.back = []  # edges
        for root in roots:
            if root.number in state:
                continue
            state[root.number] = 1
            stack = [(root, iter(root.successors))]
            while stack:
                block, successors = stack[-1]
                for successor in successors:
                    seen = state.get(successor.number)
                    if seen is None:
                        state[successor.number] = 1
                        stack.append((successor, iter(successor.successors)))
                        break
                    if seen == 1:
                        successor.is_header = True
                        self.back.append((block, successor))
                else:
                    state[block.number] = 2
                    order.append(block)
                    stack.pop()
        order.reverse()
        return order

    def functions_that_call(self):
        """Entry blocks of functions that call, or jump to, another function."""
        found = []
        for entry in self.blocks:
            if not entry.is_function:
                continue
            seen, waiting = {entry.number}, [entry]
            while waiting:
                block = waiting.pop()
                if block.calls_away:
                    found.append(entry)
                    break
                for successor in block.successors:
                    if successor.number not in seen and not successor.is_function:
                        seen.add(successor.number)
                        waiting.append(successor)
        return found

    def loops(self):
        """One for each header; outer loops come before inner ones."""
        latches = {}
        for latch, header in self.back:
            latches.setdefault(header.number, []).append(latch)
        found = []
        for block in self.order:
            if block.is_header:
                found.append(Loop(block, latches[block.number]))
        return found


class Loop:
    """A loop: its header and the blocks from which control returns to it."""

    def __init__(self, header, latches):
        self.header = header
        self.blocks = {header.number: header}
        self.is_regular = True  # control gets in at the header only
        waiting = list(latches)
        while waiting:
            block = waiting.pop()
            if block.number in self.blocks:
                continue
            self.blocks[block.number] = block
            if block.is_entry or not block.predecessors:
                self.is_regular = False
            waiting.extend(block.predecessors)
        if len(self.blocks) > 1 or latches:
            self.calls = any(block.end == CALLS for block in self.blocks.values())

    def instructions(self):
        """All blocks of the loop, in arbitrary order."""
        for number in sorted(self.blocks):
            for statement in self.blocks[number].statements:
                yield statement.instruction
