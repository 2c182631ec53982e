"""Adds counting to an assembly file: each block adds its price to a counter, loops and functions test its sign.

    addq  $PRICE, %gs:sanvp_spent(%rip)      at a place in each block where no flag is live
    jns   STUB                               in headers of loops, and at the start of functions that call others

The loader computes the prices from records and writes them into the code. Stubs follow all code of the section; they
call the simulator, which preserves all registers. A file that cannot be analysed is left unchanged and has no records.

    .sanvp.blocks, for each price     .long its address - .; .uleb128 instructions, 0: a repetition of rep;
                                      .byte number of classes; for each .byte class (operands.CLASSES); .uleb128 count
    .sanvp.steps, of programs         what the operations of each block depend on (steps.py)
    .sanvp.loops, for each stub       .long return address - .; .byte number of memory operands of the loop, those whose
    of a loop                         addresses change; all of them, where the loop waits for memory to be written; for
                                      each .byte base, index (0..15 registers by number, 16 %rip, 255 none), scale,
                                      flags (1 stores, 2 %gs, 16 * log2 of bytes); .long displacement, or address - .
    .sanvp.motions, of loops of       .long return address - .; .byte number of operands; for each .byte how its address
    programs with operands            moves (motions.py), of a stride .long bytes, .byte register that is added, or 255,
                                      and its factor; .byte number of blocks of an iteration, 0: not known; for each
                                      .long address of its price - .
"""

from blocks import Graph
from motions import MOST_BLOCKS, STRIDED, Motions
from operands import RIP
from regions import Regions
from registers import Registers
from spins import Spins
from statements import File, NotCountableError
from steps import Steps

PRICE = 0x7FFFFFFF  # so that the assembler takes the form with four bytes
SPENT, KEPT, REPEATS = "%gs:sanvp_spent(%rip)", "%gs:sanvp_kept(%rip)", "%gs:sanvp_repeats(%rip)"
MOST_OPERANDS = 8
PAST_RED_ZONE, BACK = "leaq\t-128(%rsp), %rsp", "leaq\t128(%rsp), %rsp"
STUB = f"{{before}}\t{PAST_RED_ZONE}; call\t{{function}}; {{behind}}:\t{BACK};{{after}} jmp\t{{back}}\n"


def uleb128(number):
    """Its bytes."""
    found = []
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return [*found, number]


class Output:
    """What is added in one section."""

    def __init__(self, section):
        self.section = section
        self.first = ""  # a label in it
        self.stubs, self.blocks, self.loops, self.steps, self.motions = [], [], [], [], []


class Counting:
    """The file with counting added."""

    # Insertions before a piece, in this order: the end of the statement before, code of an edge between blocks, labels,
    # code at the start of the block, and code for the statement that follows.
    BEHIND, EDGE, ALIGN, LABEL, BLOCK, JUMP = range(6)

    def __init__(self, file, writable, is_library, waits):
        self.waits = waits
        kind = "library_" if is_library else ""
        self.sections = {"blocks": f".sanvp.{kind}blocks", "loops": f".sanvp.{kind}loops", "steps": ".sanvp.steps"}
        self.sections["motions"] = ".sanvp.motions"
        self.is_library = is_library
        self.file, self.writable = file, writable
        self.graph = Graph(file)
        self.before = {}  # by number of the piece: what is put before it
        self.replaced = {}  # pieces
        self.outputs = {}
        self.labels = 0
        self.prices = {}  # labels behind the prices of blocks, by number
        self.begins = {}  # labels at beginnings of blocks, by number
        self._mark()

    def _mark(self):
        graph = self.graph
        loops = graph.loops()
        checked = {block.number for block in graph.functions_that_call()}
        registers = Registers(graph)
        spins = Spins(graph, registers)
        others = []
        for loop in loops:
            waits = spins.of(loop) if self.waits else []
            for wait in waits:
                self._spin(wait)
            if not waits:
                others.append(loop)
        headers = {loop.header.number: loop for loop in others}
        self.headers = {loop.header.number for loop in loops}
        waits = {loop.header.number for loop in loops} - set(headers)
        self.steps = None if self.is_library else Steps(graph, loops)
        outer = [loop for loop in others if waits.isdisjoint(loop.blocks)]
        self.places = {}
        for block in graph.blocks:
            if block.statements and not block.is_data:
                self.places[block.number] = self._place(block)
        dead = {number for number, place in self.places.items() if place is not None}
        self.regions = Regions(graph, registers, outer, dead, (SPENT, KEPT))
        self.regions.place(self)
        self.regions.align(self, outer)
        for block in graph.blocks:
            if block.number in self.places:
                loop = headers.get(block.number)
                self._block(block, loop, loop is not None or block.number in checked)

    def label(self, kind):
        """A new label."""
        self.labels += 1
        return f".Lsanvp_{kind}{self.labels}"

    def output(self, section):
        """The output of a section."""
        if section not in self.outputs:
            self.outputs[section] = Output(section)
        return self.outputs[section]

    def insert(self, place, text, order):
        """Puts statements before a piece."""
        self.before.setdefault(place, []).append((order, text))

    def label_at(self, block):
        """A label at the start of a block: a numeric label may refer to another place elsewhere."""
        if "#" not in block.labels[0]:
            return block.labels[0]
        if block.number not in self.begins:
            self.begins[block.number] = self.label("begin")
            self.insert(block.statements[0].place, f"{self.begins[block.number]}:", self.LABEL)
        return self.begins[block.number]

    def price_of(self, block):
        """The label behind a block's price."""
        if block.number not in self.prices:
            self.prices[block.number] = self.label("price")
        return self.prices[block.number]

    def redirect(self, statement, label):
        """Changes the target of a jump."""
        words, target = self.file.pieces[statement.place], statement.instruction.target
        at = words.rindex(target)
        self.replaced[statement.place] = words[:at] + label + words[at + len(target) :]

    def way(self, block, successor, text):
        """Makes a jump between blocks skip these statements."""
        between = self.label("way")
        self.redirect(block.statements[-1], between)
        self.output(block.section).stubs.append(f"{between}:{text} jmp\t{self.label_at(successor)}\n")

    # Blocks

    def _place(self, block):
        """The first statement before which no flag is live, or None."""
        live = block.flags_out
        found = None
        for at in range(len(block.statements) - 1, -1, -1):
            live = self.graph.through(block.statements[at], live)
            if live == 0:
                found = at
        if found == 0 and block.statements[0].instruction.mnemonic.startswith("endbr"):
            found = 1 if len(block.statements) > 1 else None  # it comes first; it changes no flags
        return found

    def _block(self, block, loop, is_checked):
        statements = block.statements
        place = self.places[block.number]
        region = self.regions.of.get(block.number)
        price, back = self.price_of(block), self.label("back")
        if place is not None:
            text = f"\taddq\t${PRICE}, {region.register if region else SPENT}; {price}:"
            if is_checked:
                stub = self._stub(block.section, loop, back, region)
                text += f"\tjns\t{stub}; {back}:"
        else:
            place = 1 if statements[0].instruction.mnemonic.startswith("endbr") and len(statements) > 1 else 0
            if region:
                text = f"\tleaq\t{PRICE}({region.register}), {region.register}; {price}:"
            else:
                text = self._update_with_flags_live(price, back, block, loop, is_checked)
        self.insert(statements[place].place, text, self.BLOCK)
        count, classes = 0, {}
        for statement in statements:
            instruction = statement.instruction
            count += instruction.count
            if not instruction.repeats:
                for kind, number in instruction.classes.items():
                    classes[kind] = classes.get(kind, 0) + number
        self._record(block.section, price, count, classes)
        if self.steps is not None:
            numbers = ",".join(map(str, self.steps.record(block, uleb128)))
            self.output(block.section).steps.append(f"\t.long\t{price}-4-.; .byte\t{numbers}\n")
        self._repeats(block)

    def _update_with_flags_live(self, price, back, block, loop, is_checked):
        """The same, preserving flags."""
        if not is_checked:
            return (
                f"\tmovq\t%rax, {KEPT}; movq\t{SPENT}, %rax; leaq\t{PRICE}(%rax), %rax; {price}:\tmovq\t%rax, {SPENT}; "
                f"movq\t{KEPT}, %rax;"
            )
        stub = self._stub(block.section, loop, back, None)
        used_up, goes_on = self.label("used_up"), self.label("goes_on")
        return (  # %rcx is zero if and only if the highest byte of the counter is: its sign
            f"\tmovq\t%rcx, {KEPT}; movq\t{SPENT}, %rcx; leaq\t{PRICE}(%rcx), %rcx; {price}:\tmovq\t%rcx, {SPENT}; "
            f"movzbl\t%gs:sanvp_spent+7(%rip), %ecx; jrcxz\t{used_up}; movq\t{KEPT}, %rcx; jmp\t{goes_on}; "
            f"{used_up}:\tmovq\t{KEPT}, %rcx; jmp\t{stub}; {back}: {goes_on}:"
        )

    def _record(self, section, price, count, classes):
        output = self.output(section)
        output.first = output.first or price
        numbers = [*uleb128(count), len(classes)]
        for kind in sorted(classes):
            numbers += [kind, *uleb128(classes[kind])]
        output.blocks.append(f"\t.long\t{price}-4-.; .byte\t{','.join(map(str, numbers))}\n")

    def _stub(self, section, loop, back, region):
        """Code that yields and returns; for a loop with a record."""
        output = self.output(section)
        stub, behind = self.label("stub"), self.label("behind")
        words = {"before": "", "after": ""}
        if region is not None:
            words = {"before": region.end, "after": region.begin}
        output.stubs += [f"{stub}:", STUB.format(function="sanvp_give_way", behind=behind, back=back, **words)]
        if loop is not None or self.is_library:  # the record also marks library code
            operands = changing_operands(loop) if loop is not None else []
            self._loop_record(output, behind, operands)
            if operands and not self.is_library:
                self._motions(output, behind, loop, operands)
        return stub

    # Strings

    def _repeats(self, block):
        """rep: adds the price of one repetition times their number, after the instruction."""
        live = block.flags_out
        for at in range(len(block.statements) - 1, -1, -1):
            statement = block.statements[at]
            if statement.instruction.repeats:
                price = self.label("price")
                text = (
                    f"\tmovq\t%rax, {KEPT}; movq\t{REPEATS}, %rax; subq\t%rcx, %rax; "
                    f"imulq\t${PRICE}, %rax, %rax; {price}:\taddq\t%rax, {SPENT}; movq\t{KEPT}, %rax;"
                )
                if live:
                    text = f"\t{PAST_RED_ZONE}; pushfq;{text} popfq; {BACK};"
                self.insert(statement.place, f"\tmovq\t%rcx, {REPEATS};", self.JUMP)
                self.insert(statement.place + 1, text, self.BEHIND)
                self._record(block.section, price, 0, statement.instruction.classes)
            live = self.graph.through(statement, live)

    # Loops

    def _loop_record(self, output, behind, operands):
        lines = [f"\t.long\t{behind}-.; .byte\t{len(operands)}"]
        for operand, width, stores in operands:
            flags = int(stores) | width.bit_length() - 1 << 4
            disp = operand.disp or "0"
            if operand.base == RIP:
                if self.is_own(operand):
                    flags |= 2
                disp += "-."
            lines.append(f" .byte\t{operand.base},{operand.index},{operand.scale},{flags}; .long\t{disp}")
        output.loops.append("; ".join(lines) + "\n")

    def _motions(self, output, behind, loop, operands):
        """How the operands of a loop move, and what an iteration costs."""
        motions = Motions(loop)
        line = f"\t.long\t{behind}-.; .byte\t{len(operands)}"
        for operand, _, _ in operands:
            motion, (constant, register, factor) = motions.of(operand)
            line += f"; .byte\t{motion}"
            if motion == STRIDED:
                line += f"; .long\t{constant}; .byte\t{register},{factor & 0xFF}"
        blocks = [block for block in loop.blocks.values() if block.number in self.places]
        holds_others = any(block.number in self.headers and block is not loop.header for block in blocks)
        if holds_others or len(blocks) > MOST_BLOCKS:
            blocks = []
        line += f"; .byte\t{len(blocks)}" + "".join(f"; .long\t{self.price_of(block)}-4-." for block in blocks)
        output.motions.append(line + "\n")

    def is_own(self, operand):
        """Whether it is a private global of each copy of an image."""
        symbol = operand.disp.lstrip("-+0123456789").split("+")[0].split("-")[0]
        return symbol in self.writable

    def _spin(self, wait):
        """Makes a jump back to the loop's header wait until memory is written."""
        output = self.output(wait.block.section)
        stub, behind = self.label("spin"), self.label("behind")
        self.redirect(wait.block.statements[-1], stub)
        words = {"behind": behind, "back": self.label_at(wait.target), "before": "", "after": ""}
        output.stubs += [f"{stub}:\n", *wait.code, STUB.format(function="sanvp_spin", **words)]
        self._loop_record(output, behind, wait.operands)

    # The text

    def _inserted(self, place):
        for _, text in sorted(self.before.get(place, ()), key=lambda entry: entry[0]):
            yield text

    def lines(self):
        """Pieces of the new file, in order."""
        for place, piece in enumerate(self.file.pieces):
            if place in self.before:
                yield from self._inserted(place)
            yield self.replaced.get(place, piece)
        yield from self._inserted(len(self.file.pieces))
        if not self.outputs:
            return
        yield "\n\t.hidden\tsanvp_spent, sanvp_kept, sanvp_repeats, sanvp_give_way, sanvp_spin\n"
        for section, output in self.outputs.items():
            if output.stubs:
                yield f"\t{section.directive}\n"
                yield from output.stubs
            if not output.first:
                continue
            for name, records in (
                (self.sections["blocks"], output.blocks),
                (self.sections["steps"], output.steps),
                (self.sections["loops"], output.loops),
                (self.sections["motions"], output.motions),
            ):
                if records:
                    group = f",{section.group},comdat" if section.group else ""
                    kind = "aoG" if section.group else "ao"
                    yield f'\t.section\t{name},"{kind}",@progbits,{output.first}{group}\n'
                    yield from records


def changing_operands(loop):
    """Memory operands of a loop with an address that can differ between iterations, each once."""
    written = 0
    for instruction in loop.instructions():
        written |= instruction.writes
    found = {}
    if not loop.is_regular:
        return []
    for instruction in loop.instructions():
        for operands, stores in ((instruction.loads, False), (instruction.stores, True)):
            for operand in operands:
                if operand.segment or not operand.general & written or operand.general & 1 << 4 & written:
                    continue
                if not is_number(operand.disp):
                    continue
                key = (operand.base, operand.index, operand.scale, operand.disp, instruction.width)
                found[key] = (operand, max(1, instruction.width), stores or (key in found and found[key][2]))
    return list(found.values())[:MOST_OPERANDS]


def is_number(text):
    """A constant, or nothing."""
    try:
        return text == "" or -(1 << 31) <= int(text, 0) < 1 << 31
    except ValueError:
        return False


def counted(text, writable_symbols, is_library=False, waits=True):
    """The pieces of the file, with counting; None: it contains code that cannot be counted.

    Blocks of a library are listed separately: they take time even if computing in programs takes none. With `waits`,
    loops that only poll memory sleep until that memory is written."""
    try:
        file = File(text)
        if not file.code:
            return file.pieces
        return list(Counting(file, writable_symbols(file.pieces), is_library, waits).lines())
    except NotCountableError:
        return None
