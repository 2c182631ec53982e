"""What instructions of vectors and of the x87 are: SSE to AVX-512, by patterns of their names (instructions.py)."""

import re

import operands as x86
from operands import (
    ALL_FLAGS,
    CONVERSION,
    FLOAT_ADD,
    FLOAT_DIVIDE,
    FLOAT_FUSED,
    FLOAT_MULTIPLY,
    FLOAT_SQRT,
    INTEGER,
    LOAD,
    MOVE,
    MULTIPLY,
    SHIFT,
    STORE,
    access_operands,
)

FLOAT = re.compile(r"([a-z][a-z0-9]*?)(ps|pd|ss|sd|ph|sh)$")
FUSED = re.compile(r"fn?m(?:add|sub|addsub|subadd)(?:132|213|231)?$")
LANE_BYTES = {"ps": 4, "pd": 8, "ph": 2}
# By the beginning of the name without v and suffix.
FLOAT_KINDS = (
    (("add", "sub", "hadd", "hsub", "min", "max", "cmp", "comi", "ucomi", "range", "getexp", "getmant"), FLOAT_ADD),
    (("mul", "dp", "scalef"), FLOAT_MULTIPLY),
    (("div", "rcp"), FLOAT_DIVIDE),
    (("sqrt", "rsqrt"), FLOAT_SQRT),
    (("round", "rndscale", "reduce", "fixupimm"), CONVERSION),
)
MOVES = re.compile(
    r"mov(?:[adlhu]|ap|up|lp|hp|hl|lh|nt|dd|dq|ss|sd|sh|sl|q|msk)\w*$|lddqu|maskmov|(?:un)?pck|unpck|shuf|perm|insert|extract|"
    r"broadcast|blend|expand|compress|valign|xor|and|or|zero"
)
INTEGER_LANES = re.compile(
    r"p(?:h?adds?u?s?|h?subs?u?s?|avg|abs|cmp(?:eq|gt|u)?|cmp(?:lt|le|neq|nlt|nle)u?|min[su]?|max[su]?|sign|sadb|lzcnt|"
    r"popcnt|conflict|hminposu|test[n]?m)([bwdq]|sw|[su]w|ub|uw|ud|uq)$"
)
LOGIC = re.compile(r"p(?:andn?|x?or|ternlog)[dq]?$")
SHIFTS = re.compile(r"p(?:s[lr]l|sra|rol|ror|sh[lr]d)v?([wdq])$")
PRODUCTS = re.compile(r"pm(?:ul\w*|add\w*)$|pclmul\w*$|gf2p8\w*$|pmadd52\w*$|pdp\w*$")
PACKED_MOVES = re.compile(
    r"p(?:shuf\w*|unpck\w*|ack\w*|extr\w*|insr\w*|erm\w*|align\w*|blend\w*|broadcast\w*|mov\w*|maskmov\w*|compress\w*|"
    r"expand\w*|s[lr]ldq)$"
)
OTHERS = re.compile(r"(?:aes|sha|pcmp[ei]str)\w*$")
FLAGGED = re.compile(r"v?u?comi|v?ptest$|vtestp|kortest|ktest|v?pcmp[ei]str")
# A destination that is written as a whole, in two-operand forms of SSE.
WHOLE = re.compile(
    r"mov(?:[adu]|nt|q|ddup|s[hl]dup|msk|up|ap|dq)|lddqu|cvt(?:t?p|dq|tps|tpd)|sqrtp|rcpps|rsqrtps|pshuf|pabs|pmov|"
    r"cvtt?s[sd]2si|p(?:extr)|roundp|extract"
)
ELEMENT = {"b": 1, "w": 2, "d": 4, "q": 8}


def _size(result):
    """Bytes of the widest vector among the operands."""
    return max((operand.width for operand in result.operands if operand.is_xmm), default=0)


def _narrow(name, size):
    """Bytes of a memory operand."""
    if name.endswith(("ss", "movd", "si", "si2ssl", "si2sdl", "2sil")):
        return 4
    if name.endswith(("sd", "movq", "movhps", "movlps", "movhpd", "movlpd", "movddup")):
        return 8 if not name.endswith("ddup") or size <= 16 else size
    if "pmovzx" in name or "pmovsx" in name:
        ratio = ELEMENT[name[-1]] // ELEMENT[name[-2]]
        return max(1, size // ratio)
    if "broadcast" in name:
        lane = re.search(r"(\d+)x(\d+)", name)
        if lane:
            return int(lane[1]) * int(lane[2]) // 8
        return {"ss": 4, "sd": 8, "28": 16}.get(name[-2:], ELEMENT.get(name[-1], 8))
    if name.startswith(("pextr", "pinsr")):
        return ELEMENT.get(name[-1], 8)
    return {"128": 16, "256": 32, "4x4": 16, "2x4": 16, "8x4": 32, "2x2": 16, "4x2": 16}.get(name[-3:], size)


def _classes(name, size):
    """Classes of a vector arithmetic instruction, by its name without v; None: it is not one."""
    found = FLOAT.match(name)
    base, suffix = (found[1], found[2]) if found else (name, "")
    if name.startswith("cvt"):
        packed = "p" in name[3:] or "dq" in name or "qq" in name
        wide = any(part in name for part in ("pd", "qq"))
        return {CONVERSION: max(1, size // (8 if wide else 4)) if packed else 1}
    if found:
        lanes = max(1, size // LANE_BYTES[suffix]) if suffix in LANE_BYTES else 1
        if FUSED.match(base):
            return {FLOAT_FUSED: lanes}
        if base.startswith("dp"):
            return {FLOAT_MULTIPLY: lanes, FLOAT_ADD: lanes - 1}
        for beginnings, kind in FLOAT_KINDS:
            if base.startswith(beginnings):
                return {kind: lanes}
    if name.startswith(("gather", "pgather", "scatter", "pscatter")):
        lanes = max(1, size // (8 if name[-1] in "dq" and name.endswith(("pd", "dq", "qq")) else 4))
        return {LOAD if "gather" in name else STORE: lanes}
    lanes = INTEGER_LANES.match(name)
    if lanes:
        return {INTEGER: max(1, size // ELEMENT[name[-1]])}
    if LOGIC.match(name) or name == "ptest":
        return {INTEGER: max(1, size // 8)}
    lanes = SHIFTS.match(name)
    if lanes:
        return {SHIFT: max(1, size // ELEMENT[lanes[1]])}
    if PRODUCTS.match(name):
        if name.startswith("pmadd"):
            return {MULTIPLY: size // 2, INTEGER: size // 4}
        return {MULTIPLY: max(1, size // {"pmulld": 4, "pmuludq": 8, "pmuldq": 8, "pmullq": 8}.get(name, 2))}
    if MOVES.match(name) or PACKED_MOVES.match(name):
        return {MOVE: 1}
    if OTHERS.match(name):
        return {INTEGER: 1}
    return None


def _mask(result, name):
    """An instruction of the mask registers of AVX-512."""
    access_operands(result, "rw" if name.startswith("kortest") else "w", ELEMENT.get(name[-1], 8))
    if result.loads or result.stores:
        result.classes = {}
    else:
        result.classes = {MOVE if name.startswith("kmov") else SHIFT if name.startswith("kshift") else INTEGER: 1}


X87 = (
    (re.compile(r"f(?:ld1|ldz|ldpi|ldl2e|ldl2t|ldlg2|ldln2|xch|nop|incstp|decstp|free|cmov\w+)$"), MOVE),
    (re.compile(r"fldcw|fldenv|frstor|fxrstor"), INTEGER),
    (re.compile(r"fn?st(?:cw|sw|env)|fn?save|fxsave|fn?init|fn?clex|fwait"), INTEGER),
    (re.compile(r"fild|fist"), CONVERSION),
    (re.compile(r"fld|fst"), MOVE),
    (re.compile(r"fi?mul"), FLOAT_MULTIPLY),
    (re.compile(r"fi?div|fprem"), FLOAT_DIVIDE),
    (re.compile(r"fsqrt|fsin|fcos|fptan|fpatan|fyl2x|f2xm1|fscale"), FLOAT_SQRT),
    (re.compile(r"fi?add|fi?sub|fi?com|fucom|fchs|fabs|ftst|fxam|frndint|fxtract"), FLOAT_ADD),
)


def _x87(result, name):
    """An x87 instruction. Returns whether it is one."""
    kind = next((kind for pattern, kind in X87 if pattern.match(name)), None)
    if kind is None:
        return False
    stores = name.startswith(("fst", "fist", "fnst", "fnsave", "fsave", "fxsave"))
    width = 10 if name.endswith("t") and name[:2] in ("fl", "fs") else {"s": 4, "l": 8}.get(name[-1], 8)
    if "cw" in name or "sw" in name:
        width = 2
    if stores and "%ax" in result.text:
        result.reads = result.writes = x86.RAX
    access_operands(result, "w" if stores else "r", width)
    result.classes = {} if kind == MOVE and (result.loads or result.stores) else {kind: 1}
    if name.startswith(("fcomi", "fucomi")):
        result.flags_written = x86.CF | x86.PF | x86.ZF
    elif name.startswith("fcmov"):
        result.flags_read = ALL_FLAGS
    if stores and "%ax" in result.text:
        result.reads |= x86.RAX
        result.writes |= x86.RAX
    return True


def decode_vector(result, name):
    """Fills in a vector, mask or x87 instruction. Returns whether it is one."""
    if name[0] == "f" and not any(operand.is_xmm for operand in result.operands) and _x87(result, name):
        return True
    if name[0] == "k" and "%k" in result.text:
        _mask(result, name)
    else:
        is_vex = name[0] == "v"
        base = name[1:] if is_vex else name
        size = _size(result)
        if not size and name not in ("vzeroall", "vzeroupper"):
            return False
        classes = _classes(base, size)
        if classes is None:
            return False
        operands = result.operands
        compares = FLAGGED.match(name) is not None
        if compares:
            access = "r"
        elif is_vex:
            access = "rw" if FUSED.match(base[:-2]) or "{%k" in result.text or "dp" in base else "w"
            if len(operands) == 2 and base in ("movsd", "movss") and operands[0].register != x86.NONE:
                access = "rw"
        elif operands[-1].is_memory or (operands[-1].register < 16) or WHOLE.match(base):
            access = "w"
        else:
            access = "w" if base in ("movss", "movsd") and operands[0].is_memory else "rw"
        access_operands(result, access, _narrow(base, size))
        if "gather" in name or "scatter" in name:
            result.loads = result.stores = ()
            result.reads |= result.writes
        elif "1to" in result.text:
            result.width = 8
        if base in ("pxor", "xorps", "xorpd", "pxord", "pxorq") and len(set(operands)) == 1:
            result.reads, result.kills = 0, result.writes
        is_pure = set(classes) == {MOVE} and base.startswith(("mov", "lddqu", "pbroadcast", "broadcast", "pmaskmov"))
        if is_pure and (result.loads or result.stores) and "msk" not in base:
            classes = {}
        result.classes = dict(classes)
        if "pcmpestr" in name or "pcmpistr" in name:
            result.reads |= x86.RAX | x86.RDX
            result.writes |= x86.RCX
        if "blendv" in name or name.startswith("sha"):
            result.reads |= 1 << 16
        result.is_known = not OTHERS.match(base)
    if FLAGGED.match(name):
        result.flags_written = ALL_FLAGS
    return True
