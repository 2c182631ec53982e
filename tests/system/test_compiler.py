"""`sanvp-cc` and what it makes, where it stands for a cluster's own compiler: probes of configure, C++, makefiles."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from unittest.mock import ANY

import pytest
from compiled import CC, MACHINE, PROGRAM_FAILED, compile_program
from program import SANVP, USER_MISTAKE, Result, by_name, done, result_of, sanvp


def alone(program: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Runs a program as `./prog`."""
    variables = {**os.environ, **environment}
    command = [program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=program.parent, env=variables, check=False)


def test_a_program_started_by_itself_runs_with_one_rank(tmp_path):
    body = """MPI_Init(&argc, &argv); int size; MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE* out = fopen("conftest.out", "w"); for (int i = 1; i < argc; ++i) fprintf(out, "%s|", argv[i]);
    printf("%d\\n", size); MPI_Finalize(); return fclose(out);"""
    program = compile_program(tmp_path, body)
    result = alone(program, "one", "two words", "")
    assert result_of(result) == Result(0, "[0] 1\n", "", [ANY])
    assert (tmp_path / "conftest.out").read_text() == "one|two words||"
    (tmp_path / "conftest.out").unlink()
    on_another = result_of(alone(program, "other", SANVP_MACHINE="myrinet-8"))
    assert on_another == Result(0, "[0] 1\n", "", [ANY])
    assert (tmp_path / "conftest.out").read_text() == "other|"
    assert "myrinet-9" in alone(program, SANVP_MACHINE="myrinet-9").stderr


def test_a_program_started_by_itself_gets_all_its_arguments(tmp_path):
    program = compile_program(tmp_path, 'printf("%d %zu\\n", argc, strlen(argv[argc - 1]));')
    many = ["x"] * 5000
    assert alone(program, *many, "y" * 100_000, "z" * 100_000).stdout == "[0] 5003 100000\n"


def test_a_probe_that_fails_is_seen_to(tmp_path):
    assert alone(compile_program(tmp_path, "return sizeof(long) != 8;")).returncode == 0
    failed = alone(compile_program(tmp_path, "return sizeof(long) != 4;"))
    assert failed.returncode == PROGRAM_FAILED
    assert "rank 0 on node 0: exited with status 1" in failed.stderr


def test_headers_of_the_program_come_before_those_of_the_same_name_here(tmp_path):
    (tmp_path / "include").mkdir()
    for header in ("types.h", "topology.h", "context.h"):
        (tmp_path / "include" / header).write_text("enum { FOUND_IT = 5 };\n")
        source = tmp_path / "prog.c"
        source.write_text(
            f"#include <mpi.h>\n#include <shmem.h>\n#include <stdio.h>\n#include <{header}>\n"
            'int main(void) { printf("%d\\n", FOUND_IT); return 0; }\n'
        )
        options = ["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
        subprocess.run([CC, *options, "-I", tmp_path / "include", source, "-o", tmp_path / "prog"], check=True)
        assert done("run", MACHINE, tmp_path / "prog", "--np", 1).out == "[0] 5\n"


CPP = r"""
#include <cstdio>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <vector>
struct Said { std::string what; ~Said() { std::printf("%s\n", what.c_str()); } } said;
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> out(100000, rank), in(out.size());
  MPI_Sendrecv(out.data(), 100000, MPI_DOUBLE, 1 - rank, 0, in.data(), 100000, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  try {
    if (in.back() == 1 - rank) throw std::runtime_error("thrown by rank ");
  } catch (const std::runtime_error& error) {
    said.what = error.what() + std::to_string(rank) + ", and said by a destructor of a global";
  }
  return MPI_Finalize();
}
"""


def test_a_program_of_cpp_runs(tmp_path):
    source, prog = tmp_path / "prog.cpp", tmp_path / "prog"
    source.write_text(CPP)
    said = [f"[{rank}] thrown by rank {rank}, and said by a destructor of a global" for rank in range(2)]
    subprocess.run([CC, "-std=c++17", "-Wall", "-Werror", source, "-o", prog], check=True)
    assert sorted(done("run", MACHINE, prog, "--np", 2).out.splitlines()) == said
    subprocess.run([CC, "-c", source, "-o", tmp_path / "prog.o"], check=True)
    subprocess.run([CC.with_name("sanvp-c++"), tmp_path / "prog.o", "-o", prog], check=True)
    assert sorted(done("run", MACHINE, prog, "--np", 2).out.splitlines()) == said


def compile_cpp(folder: Path, body: str, *options: str) -> Path:
    """A program of C++ whose main is `body`."""
    source, prog = folder / "prog.cpp", folder / "prog"
    headers = ("clocale", "cstdio", "fstream", "iomanip", "iostream", "mpi.h", "stdexcept", "string", "thread")
    includes = "".join(f"#include <{name}>\n" for name in headers)
    source.write_text(f"{includes}int main(int argc, char** argv) {{\n(void)argc; (void)argv;\n{body}\n}}\n")
    subprocess.run([CC, source, "-o", prog, *options], check=True)
    return prog


@pytest.mark.parametrize("standard", ["-std=c++11", "-std=c++17", "-std=c++20"])
def test_what_libstdcpp_keeps_and_allocates_is_the_rank_s_own(tmp_path, standard):
    body = r"""MPI_Init(&argc, &argv); int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string out(200000, 'a' + rank), in(200000, ' '), word;
    MPI_Sendrecv(&out[0], 200000, MPI_CHAR, 1 - rank, 0, &in[0], 200000, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank == 0) std::cout << std::setprecision(3);
    MPI_Barrier(MPI_COMM_WORLD);
    std::string name = "words" + std::to_string(rank);
    std::ofstream(name) << std::string(40, 'w') << "\n";
    std::ifstream(name) >> word;
    std::cout << in.back() << " " << word.size() << " " << 3.14159265 << std::endl;
    return MPI_Finalize();"""
    program = compile_cpp(tmp_path, body, standard)
    run = subprocess.run([SANVP, "run", MACHINE, program, "--np", "2"], check=True, capture_output=True, cwd=tmp_path)
    assert sorted(run.stdout.decode().splitlines()) == ["[0] b 40 3.14", "[1] a 40 3.14159"]


def test_openmp_has_one_thread_and_says_so_once(tmp_path):
    source, prog = tmp_path / "prog.c", tmp_path / "prog"
    source.write_text(
        "#include <omp.h>\n#include <stdio.h>\nint main(void) {\n  int sum = 0, team = 0;\n"
        "#pragma omp parallel for reduction(+ : sum)\n  for (int i = 0; i < 100; ++i) sum += i;\n"
        "#pragma omp parallel\n  team = omp_get_num_threads();\n"
        '  printf("%d %d %d\\n", sum, team, omp_get_max_threads());\n  return 0;\n}\n'
    )
    subprocess.run([CC, "-fopenmp", source, "-o", prog], check=True)
    result = done("run", MACHINE, prog, "--np", 2)
    assert result.out == "[0] 4950 1 1\n[1] 4950 1 1\n"
    assert by_name(result.err) == (
        f"note: {prog}: OpenMP has one thread here, as a native rank has; for more compile the program with "
        "sanvp-cc --target riscv64 -fopenmp\n"
    )


def test_a_program_without_openmp_hears_nothing_of_it(tmp_path):
    (tmp_path / "prog.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([CC, "-pthread", "prog.c", "-o", "prog"], check=True, cwd=tmp_path)
    assert "OpenMP" not in done("run", MACHINE, tmp_path / "prog", "--np", 2).err


def test_streams_of_cpp_are_those_of_stdio(tmp_path):
    body = r"""std::ios::sync_with_stdio(false);
    std::cout << "a "; std::printf("b "); std::cout << 'c' << std::endl;
    std::cerr << "d "; std::fprintf(stderr, "e "); std::clog << "f\n";
    return std::freopen(argv[1], "w", stdout) && std::cout << "g" ? 0 : 1;"""
    result = done("run", MACHINE, compile_cpp(tmp_path, body), "--np", 1, "--", tmp_path / "file")
    assert (result.out, result.err) == ("[0] a b c\n", "[0] d e f\n")
    assert (tmp_path / "file").read_text() == "g"


def test_wide_streams_of_cpp_are_labelled_too_and_mix_with_others(tmp_path):
    body = r"""std::wcout << L"a " << 1 << L' '; std::cout << "b "; std::printf("c ");
    std::wcout << std::wstring(2, L'd') << std::endl; std::wcerr << L"e "; std::wclog << L"f" << std::endl;
    std::setlocale(LC_ALL, "C.UTF-8"); std::wcout << L"\u00e9\n";
    std::setlocale(LC_ALL, "C"); std::wcout << L"\u00e9"; return std::wcout.fail() ? 0 : 1;"""
    result = done("run", MACHINE, compile_cpp(tmp_path, body), "--np", 1)
    assert (result.out, result.err) == ("[0] a 1 b c dd\n[0] \u00e9\n", "[0] e f\n")


@pytest.mark.parametrize(
    "body, said",
    [
        ('throw std::runtime_error("oops");', ("what():  oops", "rank 0 on node 0: the program called abort")),
        ("std::thread([] {}).join();", ("rank 0 on node 0: the program called pthread_create",)),
        ("std::cout << std::string(std::size_t(1) << 45, 'x');", ("std::bad_alloc", "rank 0 on node 0")),
    ],
)
def test_an_abnormal_end_of_a_program_of_cpp_is_reported_with_its_rank(tmp_path, body, said):
    result = sanvp("run", MACHINE, compile_cpp(tmp_path, body), "--np", 1)
    assert result.status == PROGRAM_FAILED
    assert all(text in result.err for text in said)


def test_destructors_are_run_by_their_rank_at_its_exit(tmp_path):
    source, prog = tmp_path / "prog.c", tmp_path / "prog"
    source.write_text(
        "#include <hal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "static char* memory;\n"
        '__attribute__((destructor)) static void last(void) { free(memory); printf("last %d\\n", hal_rank()); }\n'
        'static void first(void) { printf("first\\n"); }\n'
        "int main(void) { memory = malloc(1000); return atexit(first); }\n"
    )
    subprocess.run([CC, source, "-o", prog], check=True)
    assert sorted(done("run", MACHINE, prog, "--np", 2).out.splitlines()) == [
        "[0] first",
        "[0] last 0",
        "[1] first",
        "[1] last 1",
    ]


def test_a_program_with_a_destructor_that_is_ended_early_leaves_the_simulator_well(tmp_path):
    source, prog = tmp_path / "prog.c", tmp_path / "prog"
    source.write_text(
        "#include <mpi.h>\n#include <stdlib.h>\n"
        "__attribute__((destructor)) static void last(void) { free(malloc(1)); MPI_Barrier(MPI_COMM_WORLD); }\n"
        "int main(void) { MPI_Init(NULL, NULL); MPI_Abort(MPI_COMM_WORLD, 1); }\n"
    )
    subprocess.run([CC, source, "-o", prog], check=True)
    run = subprocess.run([SANVP, "run", MACHINE, prog, "--np", "2"], capture_output=True, text=True, check=False)
    assert run.returncode == 4
    assert "MPI_Abort was called with code 1" in run.stderr


def test_main_has_the_environment_as_its_third_argument(tmp_path):
    source, prog = tmp_path / "environment.c", tmp_path / "prog"
    source.write_text(
        "#include <stdio.h>\n#include <string.h>\n"
        "int main(int count, char** arguments, char** environment) {\n"
        "  for (char** each = environment; *each; ++each)\n"
        '    if (strncmp(*each, "COLOUR=", 7) == 0) puts(*each);\n'
        "  return arguments[count] != NULL;\n}\n"
    )
    subprocess.run([CC, source, "-o", prog], check=True)
    command = [SANVP, "run", MACHINE, prog, "--np", "2"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLOUR": "green"})
    assert run.stdout.count("COLOUR=green") == 2


@pytest.mark.parametrize("option", ["-static", "-pthread", "-pie", "-march=native", "-flto", "-fvisibility=hidden"])
def test_options_that_makefiles_pass_do_no_harm(tmp_path, option):
    body = 'int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); printf("%d\\n", rank + 5);'
    program = compile_program(tmp_path, body + "MPI_Finalize();", option)
    assert sorted(done("run", MACHINE, program, "--np", 2).out.splitlines()) == ["[0] 5", "[1] 6"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("f.c", "int f(void) { return 1; }\n", "`main' not defined"), ("p.f90", "end program\n", "p.f90: is Fortran")],
)
def test_a_file_that_is_not_a_c_program_is_refused(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    command = [CC, tmp_path / name, "-o", tmp_path / "prog"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert said in refused.stderr


def test_a_shared_library_is_refused_with_a_cure(tmp_path):
    (tmp_path / "lib.c").write_text("int f(void) { return 1; }\n")
    command = [CC, "-shared", tmp_path / "lib.c", "-o", tmp_path / "lib.so"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == USER_MISTAKE
    assert "link objects or an archive (.a) into it" in refused.stderr


def test_what_another_compiler_linked_is_no_program(tmp_path):
    (tmp_path / "lib.c").write_text("int f(void) { return 1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", tmp_path / "lib.c", "-o", tmp_path / "lib.so"], check=True)
    refused = sanvp("run", MACHINE, tmp_path / "lib.so")
    assert refused.status == USER_MISTAKE
    assert "lib.so: is not a program for sanvp; compile it with sanvp-cc" in by_name(refused.err)


GLOBALS = Path(__file__).parent.parent / "programs" / "globals.c"
SHARED_CODE = ".sanvp.shared_code"


def is_shared(program: Path) -> bool:
    """Whether ranks have the code of a program in common."""
    headers = subprocess.run(["objdump", "-h", program], check=True, capture_output=True, text=True).stdout
    return SHARED_CODE in headers


def each_has_its_own(program: Path) -> bool:
    return done("run", MACHINE, program, "--np", 3).out == "[0] PASS\n"


@pytest.mark.parametrize(
    "options",
    [
        "-O0",
        "-O1 -g",
        "-O2",
        "-O3 -funroll-loops -ffast-math",
        "-Os -pipe",
        "-O2 -march=x86-64-v3 -mtune=native",
        "-O2 -fcommon -fno-toplevel-reorder",
        "-O2 -flto",
        "-O2 -mcmodel=medium",
        "-O2 -save-temps -fverbose-asm",
    ],
)
def test_ranks_have_the_code_in_common_and_all_globals_for_themselves(tmp_path, options):
    program = tmp_path / "globals"
    subprocess.run([CC, *options.split(), GLOBALS, "-o", program], check=True, cwd=tmp_path)
    assert is_shared(program)
    assert each_has_its_own(program)


def linked_with(folder: Path, text: str, compiler: list[str]) -> Path:
    """The same, with a source of `text` beside it."""
    source = folder / "beside.c"
    source.write_text(text)
    subprocess.run([*compiler, "-c", source, "-o", folder / "beside.o"], check=True)
    subprocess.run([CC, GLOBALS, folder / "beside.o", "-Wl,-u,beside", "-o", folder / "globals"], check=True)
    return folder / "globals"


COUNTS = "static int count; int beside(void) { return ++count; }"
REASONS = {
    "another compiler": (COUNTS, ["gcc", "-O2", "-fPIC"]),
    "another compiler, an address": ("static int count; int* beside(void) { return &count; }", ["gcc", "-O2", "-fPIC"]),
    "another compiler, a global of ours": ("extern int zero; int beside(void) { return zero; }", ["gcc", "-fPIC"]),
    "another compiler, far away": (COUNTS, ["gcc", "-O2", "-fPIC", "-mcmodel=large"]),
    "intel's syntax": (COUNTS, [CC, "-masm=intel"]),
    "far away": (COUNTS, [CC, "-mcmodel=large"]),
    "thread-local": ("static __thread int count; int beside(void) { return ++count; }", [CC]),
    "a constructor": ("int beside; __attribute__((constructor)) static void set(void) { beside = 1; }", [CC]),
    "a pointer before its array": (
        "static double list[9]; double* base = list - 100000; double beside(int i) { return base[i]++; }",
        [CC],
    ),
    "a pointer beyond its array": (
        "static double list[9]; double* base = list + 10; double beside(int i) { return base[i]++; }",
        [CC],
    ),
    "another compiler, a pointer before its array": (
        "static double list[9]; double* base = list - 1000000000; double beside(int i) { return base[i]++; }",
        ["gcc", "-O2", "-fPIC"],
    ),
    "an address by hand": (
        "static int count __attribute__((used)); "
        "int* beside(void) { int* at; "
        '__asm__("leaq count(%%rip), %%rax; movq %%rax, %0" : "=r"(at) :: "rax"); return at; }',
        [CC],
    ),
}


@pytest.mark.parametrize("reason", REASONS)
def test_where_code_cannot_be_in_common_ranks_have_copies(tmp_path, reason):
    program = linked_with(tmp_path, *REASONS[reason])
    assert not is_shared(program)
    assert each_has_its_own(program)


def test_addresses_that_the_loader_is_given_in_short_are_of_copies(tmp_path):
    program = tmp_path / "globals"
    subprocess.run([CC, GLOBALS, "-Wl,-z,pack-relative-relocs", "-o", program], check=True)
    assert not is_shared(program)
    assert each_has_its_own(program)


def test_the_assembler_takes_names_and_files_as_others_do(tmp_path):
    """Names that are not ASCII, the input's name from whatever place, and in what it says of it."""
    source = tmp_path / "names.c"
    source.write_text("static int x, àx; int main(void) { àx = ++x; return àx - 1; }\n")
    subprocess.run([CC, "-pipe", source, "-c", "-o", "names.s"], check=True, cwd=tmp_path)
    subprocess.run([CC, "-x", "c", "-", "-c", "-o", "input.o"], check=True, cwd=tmp_path, input="int one;", text=True)
    (tmp_path / "add.asm").write_text("\t.globl add\nadd:\n\tincl count(%rip)\n\tret\n\t.bss\ncount:\t.long 0\n")
    subprocess.run([CC, "-x", "assembler", "add.asm", "-c", "-o", "add.o"], check=True, cwd=tmp_path, timeout=60)
    (tmp_path / "names.o").write_bytes((tmp_path / "names.s").read_bytes())
    subprocess.run([CC, "names.o", "input.o", "add.o", "-Wl,-u,add", "--output=names"], check=True, cwd=tmp_path)
    assert is_shared(tmp_path / "names")
    assert sanvp("run", MACHINE, tmp_path / "names", "--np", 3).status == 0
    (tmp_path / "wrong.s").write_text("\tno_such_instruction\n")
    wrong = subprocess.run([CC, "-c", "wrong.s"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert wrong.returncode != 0
    assert "wrong.s:1: " in wrong.stderr


def test_what_another_compiler_made_without_globals_is_code_in_common(tmp_path):
    text = "int beside(int a) { static const int squares[] = {0, 1, 4}; return squares[a % 3]; }"
    assert is_shared(linked_with(tmp_path, text, ["gcc", "-O2", "-fPIC"]))


def test_a_rank_s_global_is_what_another_compiler_s_code_counts_in(tmp_path):
    """Copies of that code, each with its globals."""
    (tmp_path / "count.c").write_text("static int count; int counted(void) { return ++count; }")
    subprocess.run(["gcc", "-O2", "-fPIC", "-c", "count.c", "-o", "count.o"], check=True, cwd=tmp_path)
    body = """int counted(void);
    int sum = 0;
    for (int i = 0; i <= hal_rank(); ++i) { sum += counted(); hal_sleep_ps(1000000); }
    printf("%d\\n", sum);"""
    program = compile_program(tmp_path, body, tmp_path / "count.o")
    assert not is_shared(program)
    assert sorted(done("run", MACHINE, program, "--np", 3).out.splitlines()) == ["[0] 1", "[1] 3", "[2] 6"]
