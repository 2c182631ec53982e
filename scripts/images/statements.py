"""Splits an assembly file into statements: the contents of its code sections, and the labels that are referred to."""

import re
from functools import cache

from instructions import Instruction, decode
from operands import ALL_FLAGS, ALL_REGISTERS, CALLS, INTEGER, NEXT, STOP

LABEL, CODE, DATA = range(3)

NAME = r"[A-Za-z_.$\x80-\xff][\w.$\x80-\xff]*"
LABELS = re.compile(rf"\s*(\d+|\d+\$|{NAME}|\"[^\"]*\")\s*:(?!:)")
STATEMENT = re.compile(r"(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^\\])|/\*.*?\*/|[^;\"'#/\n]|/(?!\*))*", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TARGET = re.compile(rf"(?:{NAME}|\d+[bf])$")
# Symbols in the words of a directive, but for those that are subtracted.
REFERENCE = re.compile(rf"(?<![-\w.$])(?:{NAME}|\d+[bf]\b)")
SECTION = re.compile(r"\s*(\"[^\"]*\"|[^\s,]+)(?:\s*,\s*\"([^\"]*)\")?(?:\s*,\s*@\w+)?(?:\s*,\s*([^\s,]+)(,comdat)?)?")
TEXTS = frozenset((".string", ".ascii", ".asciz", ".base64", ".ident", ".file", ".loc"))
VALUES = {
    ".byte",
    ".short",
    ".value",
    ".hword",
    ".word",
    ".int",
    ".long",
    ".quad",
    ".octa",
    ".2byte",
    ".4byte",
    ".8byte",
}
VALUES |= {".uleb128", ".sleb128", ".float", ".double", ".single", ".zero", ".dc.b", ".dc.w", ".dc.l", ".dc.a"}
VALUES |= {".ascii", ".asciz", ".string", ".set", ".equ"}
# Directives that this program does not support.
TOO_MUCH = {".macro", ".endm", ".purgem", ".altmacro", ".rept", ".irp", ".irpc", ".endr", ".include", ".incbin"}
TOO_MUCH |= {".if", ".ifdef", ".ifndef", ".ifnotdef", ".ifc", ".ifeq", ".ifne", ".ifb", ".ifnb", ".else", ".elseif"}
TOO_MUCH |= {".endif", ".intel_syntax", ".code16", ".code16gcc", ".code32", ".subsection", ".struct"}
CHANGES_SECTION = ("\t.section", "\t.text", "\t.data", "\t.bss", "\t.p")
NO_TARGETS = (".LEHB", ".LEHE")  # the ends of what a landing pad is for
OUTSIDE = (".debug", ".gnu.debug", ".note", ".comment", ".eh_frame", ".stab", ".gnu.lto", ".gnu.warning")


class NotCountableError(Exception):
    """The file contains something that this program does not support."""


class Section:
    """Of the file."""

    def __init__(self, name, directive, flags, group):
        self.name, self.directive, self.group = name, directive, group
        self.is_code = "x" in flags if flags is not None else name.startswith((".text", ".init", ".fini"))
        self.is_code = self.is_code and not name.startswith((".init_", ".fini_"))
        self.is_outside = name.startswith(OUTSIDE)


class Statement:
    """A label, an instruction or data in a section of code."""

    __slots__ = ("in_app", "instruction", "kind", "name", "place", "section", "taken", "target")

    def __init__(self, kind, place, section, in_app):
        self.kind, self.place, self.section, self.in_app = kind, place, section, in_app
        self.name = self.target = ""
        self.taken = ()
        self.instruction = None


@cache
def opaque():
    """An instruction that is written as bytes."""
    result = Instruction()
    result.text = result.mnemonic = result.target = ""
    result.kind, result.count, result.classes = NEXT, 1, {INTEGER: 1}
    result.flags_read, result.flags_written = ALL_FLAGS, 0
    result.reads = result.writes = ALL_REGISTERS
    result.kills, result.loads, result.stores, result.operands, result.symbols = 0, (), (), (), ()
    result.is_known = result.is_string = result.is_nop = result.repeats = False
    result.is_prefix = result.is_thread_local = False
    result.width = 8
    return result


def joined(first, call):
    """Two instructions that must stay adjacent: the linker recognises them by their bytes."""
    result = Instruction()
    for name in Instruction.__slots__:
        setattr(result, name, getattr(call, name))
    result.count = first.count + call.count
    result.classes = dict(call.classes)
    for kind, number in first.classes.items():
        result.classes[kind] = result.classes.get(kind, 0) + number
    return result


class File:
    """A parsed file: its text in pieces, statements of code that refer to pieces, and symbols."""

    def __init__(self, text):
        self.is_compiled = "\t.file\t" in text
        self.pieces = []
        self.code = []  # statements of all sections of code, in the order of the file
        self.functions, self.taken, self.pads = set(), set(), set()
        self.sections = {}
        self.section = self.before = self._section(".text", ".text", None, None)
        self.stack = []
        self.in_app = not self.is_compiled
        self.numbers = {}  # local labels that are numbers: how often each was defined
        self.held = ""  # text that belongs to the next instruction
        self.held_words, self.held_call = "", None
        self._read(text)

    def _section(self, directive, name, flags, group):
        key = (name, group)
        if key not in self.sections:
            self.sections[key] = Section(name, directive, flags, group)
        return self.sections[key]

    def _read(self, text):
        """Splits lines into pieces; a line written by a compiler is one piece."""
        add = self.pieces.append
        lines = [line + "\n" for line in text.split("\n")]
        in_comment = False
        for line in lines:
            section = self.section
            if section.is_outside and line[:1] != "#" and not line.startswith(CHANGES_SECTION):
                add(line)
                continue
            if line[:2] == "\t.":
                words = line.split(None, 1)
                if words[0] in TEXTS and "\t" + words[0] == line[: len(words[0]) + 1] and self._is_one(line):
                    add(line)
                    continue
            if in_comment or "/*" in line:
                in_comment = self._commented(line, in_comment)
            elif line[:1] == "#":
                add(line)
                if line.startswith("#APP"):
                    self.in_app = True
                elif line.startswith("#NO_APP"):
                    self.in_app = not self.is_compiled
            elif ";" in line or "#" in line:
                self._several(line)
            else:
                self._piece(line, line.strip())
        if self.held:
            raise NotCountableError("a prefix without an instruction")

    @staticmethod
    def _is_one(line):
        """A line that is one directive with quoted text, which may contain anything."""
        return ";" not in line or '"' in line

    def _commented(self, line, in_comment):
        """A line with a C comment. Returns whether the comment continues on the next line."""
        begin = 0
        if in_comment:
            end = line.find("*/")
            if end < 0:
                self.pieces.append(line)
                return True
            self.pieces.append(line[: end + 2])
            begin = end + 2
        rest = line[begin:]
        opened = COMMENT.sub(lambda match: " " * len(match[0]), rest)
        start = opened.find("/*")
        if start >= 0:
            self._several(opened[:start])
            self.pieces.append("/*" + rest[start + 2 :])
            return True
        self._several(opened)
        return False

    def _several(self, line):
        """Statements separated by semicolons, and a trailing comment."""
        place = 0
        while place < len(line):
            match = STATEMENT.match(line, place)
            end = match.end()
            if end < len(line) and line[end] == ";":
                self._piece(line[place : end + 1], line[place:end].strip())
                place = end + 1
            else:  # a comment, or the end of the line
                self._piece(line[place:], line[place:end].strip())
                return

    def _piece(self, text, words):
        """A statement, with labels before it."""
        while True:
            match = LABELS.match(words) if ":" in words else None
            if not match:
                break
            if self.held:
                raise NotCountableError("a label behind a prefix")
            cut = text.index(":", text.index(match[1])) + 1
            if not words[match.end() :].strip() and not text[cut:].strip("; \t\n"):
                cut = len(text)
            self.pieces.append(text[:cut])
            self._label(match[1])
            text, words = text[cut:], words[match.end() :].strip()
            if not text:
                return
        if not words:
            self._plain(text)
        elif words[0] == ".":
            self._directive(text, words)
        elif "=" in words and re.match(rf"{NAME}\s*==?[^=]", words):
            self._directive(text, ".set " + words.replace("=", ",", 1))
        elif self.section.is_code:
            self._instruction(text, words)
        else:
            self.pieces.append(text)

    def _plain(self, text):
        if self.held:
            self.held += text
        else:
            self.pieces.append(text)

    def _label(self, name):
        if name.isdigit():
            self.numbers[name] = self.numbers.get(name, 0) + 1
            name = f"{name}#{self.numbers[name]}"
        if self.section.is_code:
            statement = Statement(LABEL, len(self.pieces) - 1, self.section, self.in_app)
            statement.name = name
            self.code.append(statement)

    def _resolve(self, name):
        """The key of a symbol in the tables of labels."""
        if name[0].isdigit() and name[-1] in "bf":
            return f"{name[:-1]}#{self.numbers.get(name[:-1], 0) + (name[-1] == 'f')}"
        return name

    def _directive(self, text, words):
        name, _, rest = words.replace("\t", " ").partition(" ")
        if name in TOO_MUCH or (name == ".text" and rest.strip()):
            raise NotCountableError(name)
        if name in (".section", ".pushsection"):
            self._plain(text)
            self._enter(name, rest)
        elif name in (".text", ".data", ".bss"):
            self._plain(text)
            self.before = self.section
            self.section = self._section(name, name, None, None)
        elif name == ".previous":
            self._plain(text)
            self.section, self.before = self.before, self.section
        elif name == ".popsection":
            self._plain(text)
            if not self.stack:
                raise NotCountableError(name)
            self.section, self.before = self.stack.pop()
        elif name in VALUES:
            self._values(name, text, rest)
        else:
            self._plain(text)
            if name == ".type" and "function" in rest:
                self.functions.add(rest.split(",")[0].strip())
            elif name in (".globl", ".global", ".weak"):
                self.functions.update(symbol.strip() for symbol in rest.split(","))
            elif name in (".org", ".reloc", ".fill", ".skip", ".space") and self.section.is_code and self.in_app:
                raise NotCountableError(name)

    def _enter(self, name, rest):
        match = SECTION.match(rest)
        flags = match[2]
        if not match or (flags and "?" in flags):
            raise NotCountableError(".section")
        if name == ".pushsection":
            self.stack.append((self.section, self.before))
        group = match[3] if flags and "G" in flags else None
        self.before = self.section
        self.section = self._section(".section " + rest.strip(), match[1].strip('"'), flags, group)

    def _values(self, name, text, rest):
        """Data. Labels of code in them may be jumped to."""
        section = self.section
        if not section.is_code or name in (".set", ".equ"):
            self._plain(text)
            if not section.is_outside:
                found = {self._resolve(symbol) for symbol in REFERENCE.findall(rest)}
                if section.name.startswith(".gcc_except_table"):
                    self.pads.update(symbol for symbol in found if not symbol.startswith(NO_TARGETS))
                else:
                    self.taken.update(found)
        elif name in (".byte", ".value") and rest.strip() in ("0x66", "0x6666"):
            self.held += text  # prefixes, for the linker's sake
            if not self.held_words and not self.held_call:
                self.held_words = "data16 "
        else:
            if self.held:
                raise NotCountableError("data behind a prefix")
            self.taken.update(self._resolve(symbol) for symbol in REFERENCE.findall(rest))
            self.pieces.append(text)
            statement = Statement(CODE if self.in_app else DATA, len(self.pieces) - 1, section, self.in_app)
            statement.instruction = opaque()
            self.code.append(statement)

    def _instruction(self, text, words):
        if self.held_words:
            words = self.held_words + words
        instruction = decode(words)
        if instruction.is_prefix:
            self.held += text
            self.held_words = words + " "
            return
        if instruction.is_thread_local and instruction.kind == NEXT:
            self.held += text
            self.held_words, self.held_call = "", instruction
            return
        if self.held:
            text = self.held + text
            if self.held_call:
                if instruction.kind != CALLS:
                    raise NotCountableError("thread-local data")
                instruction = joined(self.held_call, instruction)
            self.held, self.held_words, self.held_call = "", "", None
        self.pieces.append(text)
        statement = Statement(CODE, len(self.pieces) - 1, self.section, self.in_app)
        statement.instruction = instruction
        if instruction.target:
            if not TARGET.match(instruction.target) or instruction.target == ".":
                if instruction.kind != CALLS:
                    raise NotCountableError("a jump to " + instruction.target)
            else:
                statement.target = self._resolve(instruction.target)
        elif instruction.symbols:
            if "." in instruction.symbols:
                raise NotCountableError("an address relative to here")
            statement.taken = tuple(self._resolve(symbol) for symbol in instruction.symbols)
        if instruction.kind == STOP and self.in_app and instruction.mnemonic != "ud2":
            raise NotCountableError(instruction.mnemonic)
        self.code.append(statement)
