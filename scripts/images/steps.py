"""Dependences within blocks: each block as operations that read and write values, for prices by latency.

    .sanvp.steps, for each block      .long address of its price - .; .byte 1: its end may lead to its start;
                                      .uleb128 values that its innermost loop passes on, as bits; .uleb128 operations;
    for each operation                .byte class, + 16: lanes follow, + 32: it loads a floating-point register;
                                      [.uleb128 lanes]; .byte 16 * values read + values written; .byte value, for each

Values are registers (operands.py), 48 the flags, from 49 words of memory whose address does not change in the loop, 63
what joins the parts of one instruction.
"""

from operands import ALL_REGISTERS, CALLS, LOAD, RBP, RBX, RSP, STORE

FLAGS, FIRST_WORD, LAST_WORD, JOINT = 48, 49, 62, 63
FIRST_VECTOR = 16
GENERAL_AND_VECTORS = (1 << 48) - 1
KEPT_BY_CALLS = RBX | RBP | RSP | 0xF000
MOST_VALUES = 15
HAS_LANES, IS_FLOAT_LOAD = 16, 32
# Instructions of which the destination's other half stays: no dependence on other processors.
UNRELATED = ("cvt", "vcvt", "sqrts", "vsqrts", "rcps", "rsqrts", "rounds")


def bits(values):
    """Their numbers."""
    found = []
    while values:
        low = values & -values
        found.append(low.bit_length() - 1)
        values ^= low
    return found


class Scope:
    """A loop, or a block outside of loops: which words of memory its code both loads and stores, at fixed addresses."""

    def __init__(self, instructions):
        instructions = list(instructions)
        written = 0
        for instruction in instructions:
            written |= instruction.writes
        loads, stores = set(), set()
        for instruction in instructions:
            for operands, keys in ((instruction.loads, loads), (instruction.stores, stores)):
                keys.update(_key(operand) for operand in operands if not operand.general & written)
        both = sorted(loads & stores, key=str)[: LAST_WORD - FIRST_WORD + 1]
        self.words = {key: 1 << FIRST_WORD + number for number, key in enumerate(both)}

    def word(self, operands):
        """The values of memory operands."""
        return sum({self.words.get(_key(operand), 0) for operand in operands}) if self.words else 0


def _key(operand):
    return (operand.segment or "", operand.base, operand.index, operand.scale, operand.disp)


def steps_of(instruction, scope):
    """(class, lanes, whether it loads a floating-point register, values read, values written) of each operation."""
    kinds = [kind for kind in instruction.classes if kind not in (LOAD, STORE)]
    loads, stores = instruction.loads, instruction.stores
    addresses = named = destination = 0
    for operand in (*loads, *stores):
        addresses |= operand.general
    for operand in instruction.operands:
        if operand.register < 48:
            destination = 1 << operand.register
            named |= destination
    reads, writes = instruction.reads, instruction.writes
    if reads == ALL_REGISTERS or instruction.kind == CALLS:
        reads = writes = 0  # an unknown instruction
    if instruction.mnemonic.startswith(UNRELATED) and destination not in (instruction.writes, 0):
        reads &= ~instruction.writes
    elif instruction.mnemonic.startswith(UNRELATED) and len(instruction.operands) > 1:
        first = instruction.operands[0]
        if not first.is_memory and 1 << min(first.register, 63) != destination:
            reads &= ~destination
    own = reads & ~(addresses & ~named)
    if instruction.flags_read:
        own |= 1 << FLAGS
    if instruction.flags_written:
        writes |= 1 << FLAGS
    count = instruction.classes
    is_vector = any(operand.is_xmm for operand in instruction.operands)
    found = []
    joint = 1 << JOINT
    loaded = 0
    if count.get(LOAD):
        is_float = is_vector and instruction.writes >> FIRST_VECTOR != 0
        if kinds or count.get(STORE):
            found.append((LOAD, count[LOAD], is_float, addresses | scope.word(loads), joint))
            loaded = joint
        else:
            found.append((LOAD, count[LOAD], is_float, addresses | own & writes | scope.word(loads), writes))
    for place, kind in enumerate(kinds):
        is_last = place == len(kinds) - 1
        into = writes if is_last else joint
        if is_last and count.get(STORE):
            into |= joint
        found.append((kind, count[kind], False, own | loaded, into))
        loaded = joint
    if count.get(STORE):
        joined = joint if found else own
        found.append((STORE, count[STORE], False, joined | addresses, scope.word(stores) | (0 if found else writes)))
    return found


class Steps:
    """Of the blocks of a file."""

    def __init__(self, graph, loops):
        self.graph = graph
        self.loop_of, self.scopes, self.carried = {}, {}, {}
        for loop in loops:  # inner ones come later
            self.loop_of.update(dict.fromkeys(loop.blocks, loop))
        self.steps = {}

    def _scope(self, block):
        loop = self.loop_of.get(block.number)
        number = -1 - block.number if loop is None else loop.header.number
        if number not in self.scopes:
            instructions = (
                (statement.instruction for statement in block.statements) if loop is None else loop.instructions()
            )
            self.scopes[number] = Scope(instructions)
        return self.scopes[number]

    def of(self, block):
        """The operations of a block."""
        if block.number not in self.steps:
            scope = self._scope(block)
            self.steps[block.number] = [
                step
                for statement in block.statements
                if not statement.instruction.repeats
                for step in steps_of(statement.instruction, scope)
            ]
        return self.steps[block.number]

    def _passed_on(self, loop):
        """Values that an iteration of a loop may read from the one before."""
        summary = {}
        written = 0
        for number, block in loop.blocks.items():
            used = defined = 0
            for _, _, _, reads, writes in self.of(block):
                used |= reads & ~defined
                defined |= writes
            if block.end == CALLS:
                defined |= GENERAL_AND_VECTORS & ~KEPT_BY_CALLS | 1 << FLAGS
            written |= defined
            summary[number] = (used, defined)
        live = {number: used for number, (used, _) in summary.items()}
        waiting = list(loop.blocks.values())
        while waiting:
            block = waiting.pop()
            after = 0
            for successor in block.successors:
                after |= live.get(successor.number, 0)
            used, defined = summary[block.number]
            before = used | after & ~defined
            if before != live[block.number]:
                live[block.number] = before
                waiting.extend(before for before in block.predecessors if before.number in live)
        return live[loop.header.number] & written & ~(1 << JOINT)

    def carried_by(self, block):
        """Values that the innermost loop around a block passes on."""
        loop = self.loop_of.get(block.number)
        if loop is None:
            return 0
        header = loop.header.number
        if header not in self.carried:
            self.carried[header] = self._passed_on(loop)
        return self.carried[header]

    def record(self, block, uleb128):
        """The bytes of a block's record, after its address."""
        steps = self.of(block)
        numbers = [int(block in block.successors), *uleb128(self.carried_by(block)), *uleb128(len(steps))]
        for kind, lanes, is_float_load, reads, writes in steps:
            read, write = bits(reads)[:MOST_VALUES], bits(writes)[:MOST_VALUES]
            numbers.append(kind + HAS_LANES * (lanes > 1) + IS_FLOAT_LOAD * is_float_load)
            if lanes > 1:
                numbers += uleb128(lanes)
            numbers += [len(read) << 4 | len(write), *read, *write]
        return numbers
