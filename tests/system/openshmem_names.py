"""The calls of OpenSHMEM 1.5 in C, worked out from the tables of types in its text: name and prototype of each."""

from __future__ import annotations

from collections.abc import Iterator

C_TYPES = {
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
    "longdouble": "long double",
    "complexf": "float _Complex",
    "complexd": "double _Complex",
    "size": "size_t",
    "ptrdiff": "ptrdiff_t",
} | {f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}

# Standard RMA types; standard, extended and bitwise AMO types; point-to-point synchronization types.
RMA = [name for name in C_TYPES if not name.startswith("complex")]
BITWISE_AMO = ["uint", "ulong", "ulonglong", "int32", "int64", "uint32", "uint64"]
AMO = ["int", "long", "longlong", "size", "ptrdiff", *BITWISE_AMO]
EXTENDED_AMO = ["float", "double", *AMO]
SYNCHRONIZATION = ["short", "ushort", *AMO]
# Reductions of teams, and of active sets (deprecated).
BITWISE = [name for name in RMA if name.startswith("u") or name in ("int8", "int16", "int32", "int64", "size")]
OLD_BITWISE = ["short", "int", "long", "longlong"]
OLD_ORDERED = [*OLD_BITWISE, "float", "double", "longdouble"]
COMPLEX = ["complexf", "complexd"]
SIZES = (8, 16, 32, 64, 128)

PLAIN = """
void shmem_init(void); int shmem_my_pe(void); int shmem_n_pes(void); void shmem_finalize(void);
void shmem_global_exit(int); int shmem_pe_accessible(int); int shmem_addr_accessible(const void*, int);
void* shmem_ptr(const void*, int); void shmem_info_get_version(int*, int*); void shmem_info_get_name(char*);
int shmem_init_thread(int, int*); void shmem_query_thread(int*);
void* shmem_malloc(size_t); void shmem_free(void*); void* shmem_realloc(void*, size_t);
void* shmem_align(size_t, size_t); void* shmem_malloc_with_hints(size_t, long); void* shmem_calloc(size_t, size_t);
int shmem_team_my_pe(shmem_team_t); int shmem_team_n_pes(shmem_team_t);
int shmem_team_get_config(shmem_team_t, long, shmem_team_config_t*);
int shmem_team_translate_pe(shmem_team_t, int, shmem_team_t);
int shmem_team_split_strided(shmem_team_t, int, int, int, const shmem_team_config_t*, long, shmem_team_t*);
int shmem_team_split_2d(shmem_team_t, int, const shmem_team_config_t*, long, shmem_team_t*,
                        const shmem_team_config_t*, long, shmem_team_t*);
void shmem_team_destroy(shmem_team_t);
int shmem_ctx_create(long, shmem_ctx_t*); int shmem_team_create_ctx(shmem_team_t, long, shmem_ctx_t*);
void shmem_ctx_destroy(shmem_ctx_t); int shmem_ctx_get_team(shmem_ctx_t, shmem_team_t*);
uint64_t shmem_signal_fetch(const uint64_t*); uint64_t shmem_signal_wait_until(uint64_t*, int, uint64_t);
void shmem_barrier_all(void); void shmem_barrier(int, int, int, long*); void shmem_sync_all(void);
void shmem_sync(int, int, int, long*); int shmem_team_sync(shmem_team_t);
int shmem_broadcastmem(shmem_team_t, void*, const void*, size_t, int);
int shmem_collectmem(shmem_team_t, void*, const void*, size_t);
int shmem_fcollectmem(shmem_team_t, void*, const void*, size_t);
int shmem_alltoallmem(shmem_team_t, void*, const void*, size_t);
int shmem_alltoallsmem(shmem_team_t, void*, const void*, ptrdiff_t, ptrdiff_t, size_t);
void shmem_fence(void); void shmem_ctx_fence(shmem_ctx_t); void shmem_quiet(void); void shmem_ctx_quiet(shmem_ctx_t);
void shmem_clear_lock(long*); void shmem_set_lock(long*); int shmem_test_lock(long*);
void shmem_wait(volatile long*, long); void shmem_wait_until(volatile long*, int, long);
void shmem_pcontrol(int, ...); void start_pes(int);
"""

WORK_ARRAYS = ("SYNC_SIZE", "BCAST_SYNC_SIZE", "REDUCE_SYNC_SIZE", "BARRIER_SYNC_SIZE", "COLLECT_SYNC_SIZE")
OF_1_0 = [
    *(f"SHMEM_{what}" for what in ("MAJOR_VERSION", "MINOR_VERSION", "MAX_NAME_LEN", "SYNC_VALUE", *WORK_ARRAYS)),
    *(f"SHMEM_CMP_{what}" for what in ("EQ", "NE", "GT", "GE", "LT", "LE")),
    "SHMEM_REDUCE_MIN_WRKDATA_SIZE",
]
CONSTANTS = [
    *OF_1_0,
    *(f"_{name}" for name in OF_1_0),
    *(f"SHMEM_THREAD_{what}" for what in ("SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE")),
    *(f"SHMEM_CTX_{what}" for what in ("SERIALIZED", "PRIVATE", "NOSTORE")),
    *(f"SHMEM_MALLOC_{what}_REMOTE" for what in ("ATOMICS", "SIGNAL")),
    *(f"SHMEM_{what}_SYNC_SIZE" for what in ("ALLTOALL", "ALLTOALLS")),
    *("SHMEM_TEAM_NUM_CONTEXTS", "SHMEM_SIGNAL_SET", "SHMEM_SIGNAL_ADD"),
]
HANDLES = {
    "shmem_team_t": ["SHMEM_TEAM_WORLD", "SHMEM_TEAM_SHARED", "SHMEM_TEAM_INVALID"],
    "shmem_ctx_t": ["SHMEM_CTX_DEFAULT", "SHMEM_CTX_INVALID"],
}


def call(result: str, name: str, *parameters: str) -> str:
    return f"{result} {name}({', '.join(parameters)});"


def with_contexts(result: str, name: str, *parameters: str) -> Iterator[str]:
    """shmem_NAME, and shmem_ctx_NAME with a context first."""
    yield call(result, f"shmem_{name}", *parameters)
    yield call(result, f"shmem_ctx_{name}", "shmem_ctx_t", *parameters)


def moves() -> Iterator[str]:
    kinds = [(f"{name}_", "", C_TYPES[name]) for name in RMA] + [("", bits, "void") for bits in (*SIZES, "mem")]
    for before, after, of in kinds:
        where = (f"{of}*", f"const {of}*")
        for what in ("put", "get"):
            for end in ("", "_nbi"):
                yield from with_contexts("void", f"{before}{what}{after}{end}", *where, "size_t", "int")
            if after != "mem":
                strided = (*where, "ptrdiff_t", "ptrdiff_t", "size_t", "int")
                yield from with_contexts("void", f"{before}i{what}{after}", *strided)
        for end in ("", "_nbi"):
            signal = (*where, "size_t", "uint64_t*", "uint64_t", "int", "int")
            yield from with_contexts("void", f"{before}put{after}_signal{end}", *signal)
    for name in RMA:
        yield from with_contexts("void", f"{name}_p", f"{C_TYPES[name]}*", C_TYPES[name], "int")
        yield from with_contexts(C_TYPES[name], f"{name}_g", f"const {C_TYPES[name]}*", "int")


def atomics() -> Iterator[str]:
    def fetching(name: str, what: str, *parameters: str) -> Iterator[str]:
        of = C_TYPES[name]
        yield from with_contexts(of, f"{name}_atomic_{what}", *parameters)
        yield from with_contexts("void", f"{name}_atomic_{what}_nbi", f"{of}*", *parameters)

    for name in EXTENDED_AMO:
        of = C_TYPES[name]
        yield from fetching(name, "fetch", f"const {of}*", "int")
        yield from with_contexts("void", f"{name}_atomic_set", f"{of}*", of, "int")
        yield from fetching(name, "swap", f"{of}*", of, "int")
    for name in AMO:
        of = C_TYPES[name]
        yield from fetching(name, "compare_swap", f"{of}*", of, of, "int")
        yield from fetching(name, "fetch_inc", f"{of}*", "int")
        yield from fetching(name, "fetch_add", f"{of}*", of, "int")
        yield from with_contexts("void", f"{name}_atomic_inc", f"{of}*", "int")
        yield from with_contexts("void", f"{name}_atomic_add", f"{of}*", of, "int")
    for name in BITWISE_AMO:
        for what in ("and", "or", "xor"):
            yield from fetching(name, f"fetch_{what}", f"{C_TYPES[name]}*", C_TYPES[name], "int")
            yield from with_contexts("void", f"{name}_atomic_{what}", f"{C_TYPES[name]}*", C_TYPES[name], "int")


def waits() -> Iterator[str]:
    """Variables are volatile here, as they were before 1.5, so that those of older programs may be, too."""
    for name in SYNCHRONIZATION:
        of = C_TYPES[name]
        variables = f"volatile {of}*"
        yield call("void", f"shmem_{name}_wait_until", variables, "int", of)
        yield call("int", f"shmem_{name}_test", variables, "int", of)
        for end, value in (("", of), ("_vector", f"const {of}*")):
            several = (variables, "size_t", "const int*", "int", value)
            listed = (variables, "size_t", "size_t*", "const int*", "int", value)
            yield call("void", f"shmem_{name}_wait_until_all{end}", *several)
            yield call("int", f"shmem_{name}_test_all{end}", *several)
            for what in ("wait_until", "test"):
                yield call("size_t", f"shmem_{name}_{what}_any{end}", *several)
                yield call("size_t", f"shmem_{name}_{what}_some{end}", *listed)


def collectives() -> Iterator[str]:
    for name in RMA:
        data = ("shmem_team_t", f"{C_TYPES[name]}*", f"const {C_TYPES[name]}*")
        yield call("int", f"shmem_{name}_broadcast", *data, "size_t", "int")
        for what in ("collect", "fcollect", "alltoall"):
            yield call("int", f"shmem_{name}_{what}", *data, "size_t")
        yield call("int", f"shmem_{name}_alltoalls", *data, "ptrdiff_t", "ptrdiff_t", "size_t")
    active_set = ("int", "int", "int", "long*")
    for bits in (32, 64):
        yield call("void", f"shmem_broadcast{bits}", "void*", "const void*", "size_t", "int", *active_set)
        for what in ("collect", "fcollect", "alltoall"):
            yield call("void", f"shmem_{what}{bits}", "void*", "const void*", "size_t", *active_set)
        strided = ("void*", "const void*", "ptrdiff_t", "ptrdiff_t", "size_t", *active_set)
        yield call("void", f"shmem_alltoalls{bits}", *strided)
    tables = (
        (("and", "or", "xor"), BITWISE, OLD_BITWISE),
        (("min", "max"), RMA, OLD_ORDERED),
        (("sum", "prod"), [*RMA, *COMPLEX], [*OLD_ORDERED, *COMPLEX]),
    )
    for operations, in_teams, in_active_sets in tables:
        for what in operations:
            for name in in_teams:
                of = C_TYPES[name]
                yield call("int", f"shmem_{name}_{what}_reduce", "shmem_team_t", f"{of}*", f"const {of}*", "size_t")
            for name in in_active_sets:
                of = C_TYPES[name]
                old = (f"{of}*", f"const {of}*", "int", "int", "int", "int", f"{of}*", "long*")
                yield call("void", f"shmem_{name}_{what}_to_all", *old)


def prototypes() -> list[str]:
    plain = [" ".join(text.split()) + ";" for text in PLAIN.split(";") if text.strip()]
    return [*plain, *moves(), *atomics(), *waits(), *collectives()]


def name_of(prototype: str) -> str:
    return prototype.split("(")[0].split()[-1].strip("*")


def deprecated() -> Iterator[str]:
    """Names of earlier versions, on those of today."""
    yield from ("_my_pe", "_num_pes", "shmalloc", "shfree", "shrealloc", "shmemalign", "shmem_swap")
    yield from (f"shmem_{name}_wait" for name in OLD_BITWISE)
    integers = OLD_BITWISE[1:]
    for what in ("fetch", "set", "swap"):
        yield from (f"shmem_{name}_{what}" for name in ("float", "double", *integers))
    for what in ("cswap", "fadd", "finc", "add", "inc"):
        yield from (f"shmem_{name}_{what}" for name in integers)
    yield from (f"shmem_{what}_cache{line}_inv" for what in ("set", "clear") for line in ("", "_line"))
    yield from ("shmem_udcflush", "shmem_udcflush_line")
