"""What the C library tells a program of the world around it: the virtual machine's, not the simulating computer's."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from compiled import CC, MACHINE, PROGRAM_FAILED, compile_program, run
from program import PROJECT, UNTIL_REACHED, done, sanvp


def test_what_a_program_learns_of_its_computer_is_the_virtual_machine_s(tmp_path):
    source = Path(__file__).parents[1] / "images" / "virtual_world.c"
    subprocess.run([CC, source, "-o", tmp_path / "world"], check=True)
    result = done("run", MACHINE, tmp_path / "world", "--map", "0,1")
    assert result.out.splitlines() == [f"[{rank}] all as it should be" for rank in range(2)]
    raised = sanvp("run", MACHINE, tmp_path / "world", "--map", "0,1", "--", "raise")
    assert raised.status == PROGRAM_FAILED
    assert "the program raised signal 12 (User defined signal 2), for which it has no handler" in raised.err


def test_a_program_links_though_a_function_it_never_calls_calls_what_mpi_lacks(tmp_path):
    main, helper = tmp_path / "main.c", tmp_path / "helper.c"
    main.write_text('#include <stdio.h>\nint help(int);\nint main(void) { printf("%d\\n", help(3)); return 0; }\n')
    newer = "int MPI_Session_init(MPI_Info, MPI_Errhandler, void*);"  # MPI-4's
    helper.write_text(
        f"#include <mpi.h>\n{newer}\nvoid unused(void* p, void* q) {{ MPI_Session_init(q, q, p); }}\n"
        "int help(int n) { return n + 1; }\n"
    )
    subprocess.run([CC, main, helper, "-o", tmp_path / "prog"], check=True)
    assert done("run", MACHINE, tmp_path / "prog", "--np", 1).out == "[0] 4\n"
    main.write_text(
        main.read_text().replace("help(3)", "(unused(0, 0), 1)").replace("int help(int)", "void unused(void*, void*)")
    )
    failed = subprocess.run([CC, main, helper, "-o", tmp_path / "prog"], capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    assert "undefined reference to `MPI_Session_init'" in failed.stderr


@pytest.mark.parametrize(
    ("call", "cure"),
    [
        ("fork()", "more ranks"),
        ("vfork()", "more ranks"),
        ('execlp("true", "true", NULL)', "the other program"),
        ("pause()", "no signal ever comes"),
        ("sigsuspend(NULL)", "no signal ever comes"),
        ("int n; sigwait(NULL, &n)", "have a handler"),
        ("alarm(1); sleep(2)", "it has no handler for SIGALRM"),
        ("timer_t timer; timer_create(CLOCK_REALTIME, NULL, &timer)", "let it use setitimer"),
        ("thrd_t thread; thrd_create(&thread, NULL, NULL)", "more ranks"),
        ("daemon(1, 1)", "in the foreground"),
    ],
)
def test_calls_that_would_take_the_simulator_along_end_the_job_with_a_cure(tmp_path, call, cure):
    result = run(tmp_path, f"{call};", gnu=True)
    assert result.status == PROGRAM_FAILED
    assert cure in result.err


def test_a_node_has_no_shell_and_says_so_once(tmp_path):
    body = f"""
        if (system(NULL) != 0) return 1;
        for (int i = 0; i < 2; ++i) {{
            const int status = system("touch {tmp_path}/touched");
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 127) return 2;
        }}
        if (popen("touch {tmp_path}/touched", "r") != NULL || errno != ENOENT) return 3;
    """
    result = run(tmp_path, body, gnu=True)
    assert result.status == 0, result.err
    assert not (tmp_path / "touched").exists()
    told = [line for line in result.err.splitlines() if "a virtual node has no shell" in line]
    assert len(told) == 2
    assert f'system("touch {tmp_path}/touched") runs nothing' in told[0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('errx(3, "number %d", 5)', "number 5"),
        ('errno = ENOENT; err(3, "file")', "file: No such file"),
        ('error(3, ENOENT, "file")', "file: No such file"),
        ("quick_exit(3)", ""),
    ],
)
def test_calls_that_complain_and_exit_end_their_rank_with_a_status(tmp_path, call, said):
    result = run(tmp_path, f"if (hal_rank() == 0) {{ {call}; }}", gnu=True)
    assert result.status == PROGRAM_FAILED
    assert "rank 0 on node 0: exited with status 3" in result.err
    assert said in result.err


@pytest.mark.parametrize(
    "body",
    [
        "free(block[3]); free(block[3]);",
        "free(block[3]); free(block[4]); free(block[4]);",
        "free(block[3] + 16);",
        "memset(block[3], 255, 200); free(block[3]);",
    ],
    ids=["twice", "twice in a larger free block", "in the middle", "written over"],
)
def test_an_invalid_free_ends_the_rank_with_its_place(tmp_path, body):
    start = "char* block[9]; for (int i = 0; i < 9; ++i) block[i] = malloc(100); if (hal_rank() == 1) {"
    again = "} for (int i = 0; i < 1000; ++i) free(malloc(i));"
    program = compile_program(tmp_path, start + body + again, "-O0", "-g", "-w")
    result = sanvp("run", MACHINE, program, "--np", 2)
    assert result.status == PROGRAM_FAILED
    assert "[1] free: no block of malloc's, or freed before, or something has written beyond" in result.err
    assert "rank 1 on node 1: aborted" in result.err
    assert "main() at prog.c:" in result.err


def test_a_program_s_own_error_comes_before_the_c_library_s(tmp_path):
    (tmp_path / "a.c").write_text("#include <stdio.h>\nint error(int n) { return n + 1; }\n")
    (tmp_path / "b.c").write_text(
        '#include <stdio.h>\nint error(int);\nint main(void) { printf("%d\\n", error(3)); return 0; }\n'
    )
    subprocess.run([CC, "a.c", "b.c", "-o", "prog"], check=True, cwd=tmp_path)
    assert done("run", MACHINE, "./prog", "--np", 1, cwd=tmp_path).out == "[0] 4\n"


@pytest.mark.parametrize("options", [(), ("-fcommon", "-O0")])
def test_what_a_program_calls_like_functions_of_the_c_library_comes_before_them(tmp_path, options):
    """K&R's getline, and what programs call their output for debugging."""
    (tmp_path / "a.c").write_text(
        "int getline(char* s, int n) { s[0] = 'k'; s[1] = 0; return n; }\n"
        "int puts(const char*);\nvoid dprintf(const char* s) { puts(s); }\nint daemon = 3;\n"
    )
    (tmp_path / "b.c").write_text(
        "#include <stdlib.h>\nint getline(char*, int);\nvoid dprintf(const char*);\nextern int daemon;\n"
        "int main(void) { char s[9]; return getline(s, daemon) != 3 || (dprintf(s), 0); }\n"
    )
    subprocess.run([CC, *options, "-w", "a.c", "b.c", "-o", "prog"], check=True, cwd=tmp_path)
    assert done("run", MACHINE, "./prog", "--np", 1, cwd=tmp_path).out == "[0] k\n"


def test_what_the_c_library_allocates_or_makes_larger_is_the_process_s_memory(tmp_path):
    (tmp_path / "lines").write_text("short\n" + "long" * 1000 + "\n;unended")
    body = """FILE* file = fopen("lines", "r");
    size_t room = 2;
    char* line = malloc(room);
    if (getline(&line, &room, file) != 6 || strcmp(line, "short\\n") != 0) return 1;
    if (getdelim(&line, &room, ';', file) != 4002 || room < 4003 || line[4001] != ';' || line[4002]) return 2;
    if (getline(&line, &room, file) != 7 || getline(&line, &room, file) != -1 || !feof(file)) return 3;
    free(line);
    line = NULL, room = 0;
    rewind(file);
    if (getline(&line, &room, file) != 6 || !hal_is_own(line, room)) return 4;
    line = reallocarray(line, 100, 100);
    if (strcmp(line, "short\\n") != 0 || reallocarray(line, SIZE_MAX, 2) != NULL || errno != ENOMEM) return 5;
    char* text;
    if (asprintf(&text, "%s%5000d", line, 7) != 5006 || !hal_is_own(text, 5007) || text[5005] != '7') return 6;
    char* here[] = {getcwd(NULL, 0), getcwd(NULL, 4096), realpath(".", NULL), valloc(1), pvalloc(1)};
    for (int i = 0; i < 5; ++i) if (!hal_is_own(here[i], 1) || (i < 3 && strcmp(here[i], here[0]) != 0)) return 7;
    if (!hal_is_own(here[1], 4096) || !hal_is_own(here[4], 4096) || (uintptr_t)here[3] % 4096 != 0) return 8;
    wchar_t* wide = wcsdup(L"wide");
    if (!hal_is_own(wide, 5 * sizeof *wide) || wcscmp(wide, L"wide") != 0) return 9;
    free(wide);
    for (int i = 0; i < 5; ++i) free(here[i]);
    size_t bytes = 0;
    FILE* memory = open_memstream(&line, &bytes);
    fputs(text, memory), fclose(memory), free(text);
    line = realloc(line, 2 * bytes);
    puts(strcmp(line + 5005, "7") == 0 ? "all is well" : line);
    free(line);"""
    headers = ("errno.h", "stdint.h", "malloc.h", "wchar.h")
    program = compile_program(tmp_path, body, "-D_GNU_SOURCE", "-w", headers=headers)
    assert done("run", MACHINE, program, "--np", 2, cwd=tmp_path).out.count("all is well") == 2


def test_a_program_that_could_start_threads_links_and_ends_where_its_only_one_does(tmp_path):
    """What CMake asks a compiler."""
    body = """extern void* __dso_handle;
    pthread_t thread = pthread_self();
    if (argc > 1) { pthread_create(&thread, NULL, NULL, NULL); pthread_detach(thread); pthread_join(thread, NULL); }
    if (pthread_atfork(NULL, NULL, NULL) != 0 || &__dso_handle == NULL) return 1;
    puts("the end"); pthread_exit(NULL);"""
    program = compile_program(tmp_path, body, "-w", headers=("pthread.h",))
    assert done("run", MACHINE, program, "--np", 2).out == "[0] the end\n[1] the end\n"


def test_openmp_has_one_thread_in_a_native_rank_whatever_a_program_asks_for(tmp_path):
    program = tmp_path / "openmp"
    subprocess.run([CC, "-fopenmp", PROJECT / "tests/programs/openmp.c", "-o", program], check=True)
    needed = subprocess.run(["objdump", "-p", program], check=True, capture_output=True, text=True).stdout
    assert "libgomp" not in needed
    results = [done("run", MACHINE, program, "--np", 4, "--json", tmp_path / f"{i}.json") for i in range(2)]
    assert results[0].out == results[1].out
    assert sorted(results[0].out.splitlines()) == [f"[{rank}] PASS: 0 wrong; threads 1 of 1" for rank in range(4)]
    assert "OpenMP has one thread here" in results[0].err
    locked = sanvp("run", MACHINE, program, "--np", 1, "--", "again")
    assert locked.status == PROGRAM_FAILED
    assert "omp_set_lock: the program has taken the lock already" in locked.err


def test_a_thread_that_a_library_of_the_program_starts_is_refused(tmp_path):
    (tmp_path / "work.c").write_text(
        "#include <pthread.h>\nstatic void* run(void* p) { return p; }\n"
        "int work(void) { pthread_t thread; return pthread_create(&thread, 0, run, 0); }\n"
    )
    subprocess.run(["cc", "-shared", "-fPIC", "work.c", "-o", "libwork.so"], cwd=tmp_path, check=True)
    options = [f"-L{tmp_path}", "-lwork", f"-Wl,-rpath,{tmp_path}"]
    program = compile_program(tmp_path, "return work();", *options, before="int work(void);\n")
    result = sanvp("run", MACHINE, program, "--np", 2)
    assert result.status == PROGRAM_FAILED
    assert ": a library that the program uses starts a thread or a process: a rank is one thread" in result.err


@pytest.mark.parametrize(
    ("end", "status"),
    [("exit(256)", 0), ("return 512", 0), ("exit(-1)", 255), ("_exit(259)", 3), ("quick_exit(256)", 0)],
)
def test_of_an_exit_status_eight_bits_count(tmp_path, end, status):
    result = run(tmp_path, f"{end};")
    assert result.status == (PROGRAM_FAILED if status else 0)
    assert (f"exited with status {status}" in result.err) == (status != 0)


def test_what_the_c_library_complains_of_begins_with_the_program_s_name(tmp_path):
    result = run(tmp_path, 'warnx("%d", 5); if (hal_rank() == 1) assert(argc > 1);', gnu=True)
    assert result.status == PROGRAM_FAILED
    assert "[0] prog: 5\n" in result.err
    assert re.search(r"^\[1\] prog: .*prog\.c:\d+: main: Assertion `argc > 1' failed\.$", result.err, re.MULTILINE)
    assert "error: rank 1 on node 1: aborted, as by a failed assert" in result.err


def test_dprintf_to_a_standard_stream_is_labelled(tmp_path):
    body = """dprintf(STDOUT_FILENO, "out %d\\n", 1); dprintf(STDERR_FILENO, "error\\n");
    int ends[2]; char text[6] = ""; if (pipe(ends) != 0 || dprintf(ends[1], "a %s", "pipe") != 6) return 1;
    if (read(ends[0], text, 6) != 6 || strncmp(text, "a pipe", 6) != 0) return 2;"""
    result = run(tmp_path, body, gnu=True)
    assert result.status == 0
    assert sorted(result.out.splitlines()) == ["[0] out 1", "[1] out 1"]
    assert sorted(result.err.splitlines()) == ["[0] error", "[1] error"]


def test_a_rank_s_standard_streams_can_be_sent_to_a_file_and_closed(tmp_path):
    body = """char name[16]; sprintf(name, "out%d", hal_rank());
    puts("before");
    if (freopen(name, "w", stdout) == NULL || freopen("none/of it", "w", stderr) != NULL) return 1;
    puts("in the file"); fflush(stdout); hal_sleep_ps(1000); write(1, "too\\n", 4);
    if (hal_rank() == 1 && (fclose(stdout) != 0 || freopen("/dev/null", "w", stdout) == NULL)) return 1;
    puts("the end of rank 0's");
    fputs("to stderr\\n", stderr);
    fclose(stderr);
    fputs("nowhere\\n", stderr);"""
    result = done("run", MACHINE, compile_program(tmp_path, body), "--np", 2, cwd=tmp_path)
    assert sorted(result.out.splitlines()) == ["[0] before", "[1] before"]
    assert sorted(result.err.splitlines()) == ["[0] to stderr", "[1] to stderr"]
    assert (tmp_path / "out0").read_text() == "in the file\ntoo\nthe end of rank 0's\n"
    assert (tmp_path / "out1").read_text() == "in the file\ntoo\n"


def test_handlers_of_on_exit_and_of_abort_are_called(tmp_path):
    start = 'void last(int status, void* text) { printf("%s %d\\n", (char*)text, status); }'
    assert run(tmp_path, f'{start} on_exit(last, "left with"); exit(0);', gnu=True).out.count("left with 0") == 2
    start = 'void last(int number) { printf("caught %d\\n", number); abort(); }'
    result = run(tmp_path, f"{start} signal(SIGABRT, last); if (hal_rank() == 0) abort();", gnu=True)
    assert result.status == PROGRAM_FAILED
    assert result.out == "[0] caught 6\n"


@pytest.mark.parametrize("options", [("-std=c11", "-D_POSIX_C_SOURCE=200809L"), ("-O2", "-D_FORTIFY_SOURCE=2")])
def test_variants_of_calls_that_options_choose_are_the_virtual_machine_s_too(tmp_path, options):
    body = """void catch(int number) { printf("caught %d\\n", number); }
    char name[64]; volatile size_t room = sizeof name;
    signal(SIGTERM, catch); raise(SIGTERM); gethostname(name, room); puts(name);
    struct timespec before, after; volatile nfds_t none = 0; struct pollfd nothing[1];
    clock_gettime(CLOCK_MONOTONIC, &before); poll(nothing, none, 1); clock_gettime(CLOCK_MONOTONIC, &after);
    puts(after.tv_nsec - before.tv_nsec < 1100000 ? "slept" : "did not");"""
    program = compile_program(tmp_path, body, *options, headers=("poll.h", "signal.h", "time.h"))
    result = done("run", MACHINE, program, "--np", 1)
    assert result.out.splitlines() == ["[0] caught 15", "[0] node0", "[0] slept"]


@pytest.mark.parametrize("call", ["sleep(UINT_MAX)", "nanosleep(&(struct timespec){.tv_sec = LONG_MAX}, NULL)"])
def test_a_sleep_of_more_than_there_is_time_does_not_end(tmp_path, call):
    result = run(tmp_path, f'{call}; puts("awake");', gnu=True)
    assert result.status == UNTIL_REACHED
    assert not result.out


def test_a_sleep_beyond_the_end_of_simulated_time_does_not_end(tmp_path):
    result = run(tmp_path, "MPI_Init(&argc, &argv); if (hal_rank() == 0) sleep(10000000); MPI_Finalize();")
    assert result.status == UNTIL_REACHED
    assert "rank 0" in result.err
