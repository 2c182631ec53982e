"""What each instruction of x86-64 is, from its text in AT&T syntax: classes, flags, registers, memory operands.

`decode(text)` is all that the other modules need. An unknown instruction counts as class integer, reads all flags and
may change any register.
"""

import re
from functools import cache

import vectors
from operands import (
    ALL_FLAGS,
    ALL_REGISTERS,
    ATOMIC,
    BRANCH,
    CALL,
    CALLS,
    CF,
    CONDITIONAL,
    DIVIDE,
    INDIRECT,
    INTEGER,
    JUMP,
    LOAD,
    MOVE,
    MULTIPLY,
    NEXT,
    NONE,
    OF,
    PF,
    RAX,
    RBP,
    RBX,
    RCX,
    RDI,
    RDX,
    REGISTERS,
    RETURN,
    RSI,
    RSP,
    SF,
    SHIFT,
    SHORT,
    STOP,
    STORE,
    ZF,
    Instruction,
    access_operands,
    operand_of,
)

OPERAND = re.compile(r"(?:[^,(]|\([^)]*\))+")
SYMBOL = re.compile(r"(?<![%@\w.$])[A-Za-z_.][\w.$]*|(?<=\$)[A-Za-z_.][\w.$]*|(?<![\w%.])\d+[bf]\b")
PREFIXES = {
    "{evex}",
    "{vex}",
    "{vex3}",
    "{disp8}",
    "{disp32}",
    "{load}",
    "{store}",
    "notrack",
    "bnd",
    "data16",
    "addr32",
}
PREFIXES |= {"rep", "repe", "repz", "repne", "repnz", "lock", "xacquire", "xrelease", "rex", "rex.w", "rex64"}
SEGMENTS = {"cs", "ds", "es", "ss", "fs", "gs"}
PREFIXES |= SEGMENTS
REPEATS = {"rep", "repe", "repz", "repne", "repnz"}

CONDITIONS = {}
for _names, _flags in (
    ("o no", OF),
    ("b c nae ae nb nc", CF),
    ("e z ne nz", ZF),
    ("be na a nbe", CF | ZF),
    ("s ns", SF),
    ("p pe np po", PF),
    ("l nge ge nl", SF | OF),
    ("le ng g nle", SF | OF | ZF),
):
    CONDITIONS |= dict.fromkeys(_names.split(), _flags)

# name: (class, how the last operand is accessed, flags read, flags written); names are given without b, w, l, q.
GENERAL_NAMES = {}
for _names, _what in (
    ("add sub and or xor neg", (INTEGER, "rw", 0, ALL_FLAGS)),
    ("adc sbb", (INTEGER, "rw", CF, ALL_FLAGS)),
    ("adcx", (INTEGER, "rw", CF, CF)),
    ("adox", (INTEGER, "rw", OF, OF)),
    ("cmp test", (INTEGER, "r", 0, ALL_FLAGS)),
    ("inc dec", (INTEGER, "rw", 0, ALL_FLAGS & ~CF)),
    ("not bswap", (INTEGER, "rw", 0, 0)),
    ("bt", (INTEGER, "r", 0, CF)),
    ("bts btr btc", (INTEGER, "rw", 0, CF)),
    ("bsf bsr", (INTEGER, "rw", 0, ALL_FLAGS)),
    ("popcnt lzcnt tzcnt andn blsr blsi blsmsk bextr bzhi rdrand rdseed", (INTEGER, "w", 0, ALL_FLAGS)),
    ("pext pdep movbe", (INTEGER, "w", 0, 0)),
    ("crc32", (INTEGER, "rw", 0, 0)),
    ("lea", (INTEGER, "w", 0, 0)),
    ("shl sal shr sar", (SHIFT, "rw", 0, ALL_FLAGS)),
    ("shld shrd", (SHIFT, "rw", 0, ALL_FLAGS)),
    ("rol ror", (SHIFT, "rw", 0, CF | OF)),
    ("rcl rcr", (SHIFT, "rw", CF, CF | OF)),
    ("rorx shlx sarx shrx", (SHIFT, "w", 0, 0)),
    ("mul imul", (MULTIPLY, "rw", 0, ALL_FLAGS)),
    ("mulx", (MULTIPLY, "w", 0, 0)),
    ("div idiv", (DIVIDE, "rw", 0, ALL_FLAGS)),
    ("mov movabs movnti", (MOVE, "w", 0, 0)),
    ("xchg", (MOVE, "rw", 0, 0)),
    ("xadd cmpxchg", (INTEGER, "rw", 0, ALL_FLAGS)),
    ("cmpxchg8b cmpxchg16b", (INTEGER, "rw", 0, ZF)),
    ("push", (None, "r", 0, 0)),
    ("pop", (None, "w", 0, 0)),
    ("nop", (None, "r", 0, 0)),
    ("prefetcht0 prefetcht1 prefetcht2 prefetchnta prefetchw clflush clflushopt", (INTEGER, "r", 0, 0)),
):
    for _name in _names.split():
        for _suffix in ("", "b", "w", "l", "q"):
            GENERAL_NAMES[_name + _suffix] = (_name, *_what)
for _condition, _flags in CONDITIONS.items():
    GENERAL_NAMES["set" + _condition] = ("set", INTEGER, "w", _flags, 0)
    for _suffix in ("", "w", "l", "q"):
        GENERAL_NAMES.setdefault("cmov" + _condition + _suffix, ("cmov", INTEGER, "rw", _flags, 0))
for _names in ("movsbw movsbl movsbq movswl movswq movslq movsx movzbw movzbl movzbq movzwl movzwq movzx movsxd",):
    GENERAL_NAMES |= dict.fromkeys(_names.split(), ("movx", MOVE, "w", 0, 0))
for _name in ("crc32b", "crc32w", "crc32l", "crc32q"):
    GENERAL_NAMES[_name] = ("crc32", INTEGER, "rw", 0, 0)

# Without operands that are written out: (class, registers read, written, flags read, written).
IMPLICIT = {}
for _names, _what in (
    ("cqto cltd cwtd cqo cdq cwd", (MOVE, RAX, RDX, 0, 0)),
    ("cltq cwtl cbtw cdqe cwde cbw", (MOVE, RAX, RAX, 0, 0)),
    ("endbr64 endbr32 pause fwait wait emms vzeroupper", (None, 0, 0, 0, 0)),
    ("mfence", (ATOMIC, 0, 0, 0, 0)),
    ("lfence sfence cld std", (INTEGER, 0, 0, 0, 0)),
    ("clc stc", (INTEGER, 0, 0, 0, CF)),
    ("cmc", (INTEGER, 0, 0, CF, CF)),
    ("lahf", (INTEGER, RAX, RAX, ALL_FLAGS, 0)),
    ("sahf", (INTEGER, RAX, 0, 0, ALL_FLAGS & ~OF)),
    ("pushfq pushf", (STORE, RSP, RSP, ALL_FLAGS, 0)),
    ("popfq popf", (LOAD, RSP, RSP, 0, ALL_FLAGS)),
    ("leave leaveq", (LOAD, RSP | RBP, RSP | RBP, 0, 0)),
    ("rdtsc", (INTEGER, 0, RAX | RDX, 0, 0)),
    ("rdtscp", (INTEGER, 0, RAX | RDX | RCX, 0, 0)),
    ("cpuid", (INTEGER, RAX | RCX, RAX | RBX | RCX | RDX, 0, 0)),
    ("xgetbv", (INTEGER, RCX, RAX | RDX, 0, 0)),
):
    IMPLICIT |= dict.fromkeys(_names.split(), _what)
TOUCHED = {"cmpxchg": (RAX, RAX), "mulx": (RDX, 0), "push": (RSP, RSP), "pop": (RSP, RSP)}  # read, written
TOUCHED |= dict.fromkeys(("cmpxchg8b", "cmpxchg16b"), (RAX | RBX | RCX | RDX, RAX | RDX))

STRING = re.compile(r"(movs|stos|lods|scas|cmps)[bwlq]$")
STRING_LOADS = {"movs": (1, 1), "stos": (0, 1), "lods": (1, 0), "scas": (1, 0), "cmps": (2, 0)}
WIDTHS = {"b": 1, "w": 2, "l": 4, "q": 8}
ENDS = {"ret": RETURN, "retq": RETURN, "ud2": STOP, "hlt": STOP, "iretq": STOP, "int3": STOP, "syscall": CALLS}
JUMPS = {"j" + _condition: _flags for _condition, _flags in CONDITIONS.items()}
JUMPS |= {"jrcxz": 0, "jecxz": 0, "loop": 0, "loope": ZF, "loopz": ZF, "loopne": ZF, "loopnz": ZF, "xbegin": 0}


def _width(result, name):
    """Bytes that a general instruction accesses in memory."""
    for operand in result.operands:
        if operand.register != NONE and not operand.is_xmm:
            return operand.width
    return WIDTHS.get(name[-1], 8)


def _general(result, name, found):
    """An instruction of general registers."""
    base, kind, access, result.flags_read, result.flags_written = found
    operands = result.operands
    if base == "imul" and len(operands) == 3:
        access = "w"
    access_operands(result, access, _width(result, name))
    result.is_known = True
    if base in TOUCHED:
        result.reads |= TOUCHED[base][0]
        result.writes |= TOUCHED[base][1]
    elif base in ("mul", "imul", "div", "idiv") and len(operands) == 1:
        result.reads |= RAX | (RDX if kind == DIVIDE else 0)
        result.writes = RAX | RDX
        result.loads, result.stores = result.loads or result.stores, []
    elif base in ("shl", "sal", "shr", "sar", "shld", "shrd", "rol", "ror", "rcl", "rcr"):
        count = result.text.split(None, 1)[1].split(",")[0].strip()
        if count == "%cl" or (count[:1] == "$" and count in ("$0", "$0x0")):
            result.flags_written = 0
    elif base in ("lea", "nop"):
        result.loads, result.stores, result.is_nop = [], [], base == "nop"
    elif base == "movx":
        result.width = 4 if name in ("movslq", "movsxd") else WIDTHS.get(name[4], _source_width(operands))
    elif base == "xchg":
        both = operands[0].general | operands[-1].general
        result.loads = result.stores = [operand for operand in operands if operand.is_memory]
        result.writes = sum({1 << operand.register for operand in operands if operand.register != NONE})
        result.reads, result.kills = result.writes | both, 0
        result.is_nop = operands[0] is operands[-1]
    elif base in ("xor", "sub") and len(operands) == 2 and operands[0] is operands[1] and operands[0].width >= 4:
        result.reads, result.kills = 0, result.writes  # it is zero
    if base == "mov" and len(operands) == 2:
        is_constant = not operands[0].is_memory and operands[0].register == NONE
        kind = None if result.loads or result.stores else INTEGER if is_constant else MOVE
    elif base in ("movabs", "movnti", "movx"):
        kind = None if result.loads or result.stores else INTEGER if base == "movabs" else MOVE
    elif base == "push":
        result.classes = {STORE: 1}
    elif base == "pop":
        result.classes = {LOAD: 1}
    elif base == "xchg" and result.loads:
        kind = ATOMIC
    if kind is not None and not (base == "xchg" and result.is_nop):
        result.classes = {kind: 1}


def _source_width(operands):
    return operands[0].width if operands and operands[0].register != NONE else 1


def _control(result, name):
    """Jumps, calls and returns. Returns whether it is one."""
    if name in JUMPS:
        result.kind, result.flags_read, result.is_known = (
            CONDITIONAL,
            JUMPS[name],
            name not in SHORT and name != "xbegin",
        )
        if name.startswith(("loop", "jrcx", "jecx")):
            result.reads, result.writes = RCX, RCX
    elif name in ("jmp", "jmpq"):
        result.kind, result.is_known = JUMP, True
    elif name in ("call", "callq"):
        result.kind = CALLS
    elif name in ENDS:
        result.kind = ENDS[name]
        if name == "syscall":
            result.reads, result.writes = ALL_REGISTERS & 0xFFFF, RAX | RCX | 1 << 11
    else:
        return False
    result.classes = {CALL if result.kind in (CALLS, RETURN) else BRANCH: 1}
    operands = result.text.split(None, 1)[1] if " " in result.text or "\t" in result.text else ""
    if operands.startswith("*"):
        operand = operand_of(operands)
        if result.kind == JUMP:
            result.kind = INDIRECT
        result.operands = (operand,)
        result.reads |= operand.general
        if not operands[1:].lstrip().startswith("%"):
            result.loads = [operand]
            result.classes[LOAD] = 1
        else:
            register = REGISTERS.get(operands[2:].strip(), (NONE, 0))[0]
            result.reads |= 1 << register if register != NONE else ALL_REGISTERS
    elif result.kind in (JUMP, CONDITIONAL, CALLS) and name != "syscall":
        result.target = operands.split("@", 1)[0]
        result.operands = ()
    return True


def _string(result, name):
    """A string instruction; its operands are implied."""
    loads, stores = STRING_LOADS[name]
    compares = name in ("scas", "cmps")
    counts = {LOAD: loads, STORE: stores, INTEGER: int(compares)}
    result.is_string = True
    result.classes = {kind: count for kind, count in counts.items() if count}
    result.flags_written = ALL_FLAGS if compares else 0
    result.reads = result.writes = RAX | RCX | RSI | RDI


def decode_plain(result, name):
    """Fills in all but what prefixes add."""
    if _control(result, name):
        return
    string = STRING.match(name)
    if string and not any(operand.register != NONE and operand.register != 0 for operand in result.operands):
        _string(result, string[1])
        return
    found = GENERAL_NAMES.get(name)
    if found and not any(operand.is_xmm for operand in result.operands):
        _general(result, name, found)
    elif name in IMPLICIT:
        kind, result.reads, result.writes, result.flags_read, result.flags_written = IMPLICIT[name]
        result.classes = {kind: 1} if kind is not None else {}
        result.is_known = True
        result.kills = RDX if name in ("cqto", "cltd") else 0
        result.is_nop = kind is None
    elif not vectors.decode_vector(result, name):
        access_operands(result, "rw", 8)
        result.classes = {INTEGER: 1}
        result.flags_read = ALL_FLAGS
        result.reads = ALL_REGISTERS
        result.writes = ALL_REGISTERS
    count_memory(result)


def count_memory(result):
    """Loads and stores: one for each 8 bytes."""
    for kind, operands in ((LOAD, result.loads), (STORE, result.stores)):
        if operands:
            count = len(operands) * max(1, (result.width + 7) // 8)
            result.classes[kind] = result.classes.get(kind, 0) + count


@cache
def decode(text):
    """The instruction of a statement, prefixes included."""
    result = Instruction()
    words = text.split(None, 1)
    prefixes = set()
    result.count = 1
    while len(words) > 1 and words[0].lower() in PREFIXES:
        prefixes.add(words[0].lower())
        words = words[1].split(None, 1)
    name = words[0].lower()
    rest = words[1] if len(words) > 1 else ""
    result.text = f"{name} {rest}" if rest else name
    result.is_prefix = name in PREFIXES
    result.mnemonic = name
    result.kind, result.target = NEXT, ""
    result.flags_read = result.flags_written = 0
    result.reads = result.writes = result.kills = 0
    result.loads = result.stores = ()
    result.width, result.classes = 8, {}
    result.is_known = result.is_string = result.is_nop = result.repeats = False
    result.operands = () if name[0] == "j" else tuple(operand_of(part.strip()) for part in OPERAND.findall(rest))
    result.symbols = tuple(SYMBOL.findall(rest)) if rest else ()
    result.is_thread_local = "@tls" in rest.lower() and "tlsdesc" not in rest.lower()
    decode_plain(result, name)
    if result.is_string and prefixes & REPEATS:
        result.repeats = True
        result.flags_written = 0  # there may be none
        if name[:4] in ("scas", "cmps"):
            result.flags_read = ALL_FLAGS
    if "lock" in prefixes:
        result.classes = {**result.classes, ATOMIC: 1}
        result.is_known = False
    if prefixes & SEGMENTS:
        result.is_known = False
    return result
