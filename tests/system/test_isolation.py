"""What a rank does to its process is its own affair: it neither ends the simulator nor changes the other ranks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from compiled import MACHINE, PROGRAM_FAILED, compile_program
from program import DEADLOCK, DONE, SANVP, USER_MISTAKE, Result, sanvp

HEADERS = (
    "errno.h",
    "fcntl.h",
    "langinfo.h",
    "locale.h",
    "signal.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/syscall.h",
)
LAST_LINES = 'fprintf(stderr, "rank %d is well\\n", hal_rank());'


def rude(folder: Path, body: str, *arguments: object, after: str = "MPI_Barrier(MPI_COMM_WORLD);") -> Result:
    """The first of three ranks does it; then all meet."""
    program = compile_program(
        folder,
        f"MPI_Init(&argc, &argv); if (hal_rank() == 1) {{ {body} }} {after} {LAST_LINES} MPI_Finalize();",
        "-D_GNU_SOURCE",
        "-Wno-unused-result",
        headers=HEADERS,
    )
    return sanvp("run", MACHINE, program, "--np", 3, "--out", "out", "--json", "result.json", *arguments, cwd=folder)


def is_well(folder: Path, result: Result) -> bool:
    """All ranks came to their end, and the results are where they belong."""
    assert result.status == DONE, result.err
    assert sorted(result.err.splitlines()) == [f"[{rank}] rank {rank} is well" for rank in range(3)]
    assert json.loads((folder / "out" / "manifest.json").read_text())["status"] == "done"
    return json.loads((folder / "result.json").read_text())["status"] == "done"


BROKEN_PIPE = "int p[2]; pipe(p); close(p[0]);"


@pytest.mark.parametrize(
    "write",
    [
        'write(p[1], "x", 1);',
        'syscall(SYS_write, p[1], "x", 1);',
        'FILE* f = fdopen(p[1], "w"); fputs("x", f); fflush(f);',
    ],
)
def test_a_write_to_a_pipe_without_reader_ends_that_rank_alone_and_names_it(tmp_path, write):
    result = rude(tmp_path, BROKEN_PIPE + write)
    assert result.status == PROGRAM_FAILED
    assert "error: rank 1 on node 1: wrote to a pipe that has no reader (SIGPIPE), " in result.err
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "failed"


def test_a_program_that_ignores_or_handles_the_signal_continues(tmp_path):
    body = "signal(SIGPIPE, SIG_IGN);" + BROKEN_PIPE + 'if (write(p[1], "x", 1) != -1 || errno != EPIPE) abort();'
    assert is_well(tmp_path, rude(tmp_path, body))
    body = "signal(SIGPIPE, handler);" + BROKEN_PIPE + 'write(p[1], "x", 1); if (handled != SIGPIPE) abort();'
    source = "static int handled; static void handler(int signal) { handled = signal; }\n"
    program = compile_program(tmp_path, body, "-D_GNU_SOURCE", headers=HEADERS, before=source)
    assert sanvp("run", MACHINE, program, "--np", 1).status == DONE


def test_data_left_in_a_stream_of_a_broken_pipe_does_not_change_the_end(tmp_path):
    assert is_well(tmp_path, rude(tmp_path, BROKEN_PIPE + 'fputs("x", fdopen(p[1], "w"));'))


FILL = 'FILE* f = fopen("big", "w"); for (int i = 0; i < 3000; ++i) fprintf(f, "line %d\\n", i); fclose(f);'


def test_a_limit_that_a_rank_sets_binds_neither_the_simulator_nor_other_ranks(tmp_path):
    limit = "struct rlimit l = {10, 10}; setrlimit(RLIMIT_FSIZE, &l); getrlimit(RLIMIT_FSIZE, &l);"
    result = rude(tmp_path, limit + "if (l.rlim_cur != 10) abort();" + FILL)
    assert is_well(tmp_path, result)


def test_a_limit_of_the_shell_ends_the_rank_that_passes_it(tmp_path):
    program = compile_program(tmp_path, FILL)
    run = f"ulimit -f 1; exec {SANVP} run {MACHINE} {program} --np 1"
    ended = subprocess.run(["bash", "-c", run], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == PROGRAM_FAILED, ended.stderr
    assert "rank 0 on node 0: wrote more to a file than is allowed (SIGXFSZ, ulimit -f), " in ended.stderr


RAW = 'asm volatile("syscall" : : "a"({}L), "D"({}L) : "rcx", "r11", "memory");'


@pytest.mark.parametrize("call", ["syscall(SYS_exit_group, 7);", "syscall(SYS_exit, 7);", RAW.format(231, 7)])
def test_exit_by_a_system_call_is_the_exit_of_that_rank(tmp_path, call):
    result = rude(tmp_path, call)
    assert result.status == PROGRAM_FAILED
    assert "error: rank 1 on node 1: exited with status 7, at " in result.err
    result = rude(tmp_path, call.replace("7", "0"))
    assert result.status == DEADLOCK  # the others wait for it
    assert "rank 1 has ended" in result.err


def test_a_harmless_system_call_past_the_c_library_is_made(tmp_path):
    body = """long id; asm volatile("syscall" : "=a"(id) : "a"(SYS_getuid) : "rcx", "r11", "memory");
    if (id != (long)getuid()) abort();"""
    assert is_well(tmp_path, rude(tmp_path, body))


@pytest.mark.parametrize("number", [57, 58, 62, 3, 80], ids=["fork", "vfork", "kill", "close", "chdir"])
def test_a_system_call_past_the_c_library_that_would_act_on_the_simulator_ends_the_rank(tmp_path, number):
    result = rude(tmp_path, RAW.format(number, 0))
    assert result.status == PROGRAM_FAILED
    assert f"rank 1 on node 1: raw system call {number}, which would act on the simulator" in result.err


@pytest.mark.parametrize(
    "how",
    ["for (int i = 3; i < 4096; ++i) close(i);", "closefrom(3);", "close_range(3, ~0u, 0);", "close(0);"],
)
def test_a_rank_that_closes_all_descriptors_closes_its_own(tmp_path, how):
    body = 'int f = open("mine", O_CREAT | O_WRONLY, 0666); ' + how
    if "close(0)" not in how:
        body += "if (fcntl(f, F_GETFD) != -1) abort();"
    assert is_well(tmp_path, rude(tmp_path, body))


def test_a_rank_that_closes_its_standard_streams_is_silent_and_the_others_are_not(tmp_path):
    result = rude(tmp_path, "for (int i = 0; i < 1024; ++i) close(i);")
    assert result.status == DONE
    assert sorted(result.err.splitlines()) == ["[0] rank 0 is well", "[2] rank 2 is well"]


def test_a_standard_stream_redirected_by_dup2_and_back_is_that_ranks(tmp_path):
    body = """int saved = dup(2), f = open("mine", O_CREAT | O_WRONLY, 0666);
    dup2(f, 2); fprintf(stderr, "to the file\\n"); write(2, "and this\\n", 9); dup2(saved, 2);
    close(saved); close(f);"""
    assert is_well(tmp_path, rude(tmp_path, body))
    assert (tmp_path / "mine").read_text() == "to the file\nand this\n"


def test_the_working_folder_of_a_rank_is_its_own_and_results_go_where_the_user_is(tmp_path):
    (tmp_path / "sub").mkdir()
    after = """MPI_Barrier(MPI_COMM_WORLD); char name[99]; sprintf(name, "here.%d", hal_rank());
    fclose(fopen(name, "w")); char cwd[4096]; if (!getcwd(cwd, sizeof cwd)) abort();
    if ((strstr(cwd, "/sub") != NULL) != (hal_rank() == 1)) abort();"""
    assert is_well(tmp_path, rude(tmp_path, 'chdir("sub");', after=after))
    assert {path.name for path in tmp_path.glob("here.*")} == {"here.0", "here.2"}
    assert (tmp_path / "sub" / "here.1").exists()
    gone = 'mkdir("gone", 0777); chdir("gone"); rmdir("../gone");'
    assert is_well(tmp_path, rude(tmp_path, gone))


def test_the_file_mask_of_a_rank_is_its_own(tmp_path):
    after = """MPI_Barrier(MPI_COMM_WORLD); char name[99]; sprintf(name, "mask.%d", hal_rank());
    close(open(name, O_CREAT | O_WRONLY, 0666));"""
    assert is_well(tmp_path, rude(tmp_path, "umask(0);", after="umask(hal_rank() == 1 ? 0 : 022);" + after))
    modes = [(tmp_path / f"mask.{rank}").stat().st_mode & 0o777 for rank in range(3)]
    assert modes == [0o644, 0o666, 0o644]
    assert (tmp_path / "out" / "manifest.json").stat().st_mode & 0o022 == 0


def test_the_locale_of_a_rank_is_its_own(tmp_path):
    after = """MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(setlocale(LC_ALL, NULL), hal_rank() == 1 ? "C.UTF-8" : "C") != 0) abort();
    if ((strcmp(nl_langinfo(CODESET), "UTF-8") == 0) != (hal_rank() == 1)) abort();"""
    assert is_well(tmp_path, rude(tmp_path, 'if (!setlocale(LC_ALL, "C.UTF-8")) abort();', after=after))
    mixed = """setlocale(LC_CTYPE, "C.UTF-8"); char all[4096]; strcpy(all, setlocale(LC_ALL, NULL));
    if (!strstr(all, "LC_CTYPE=C.UTF-8;LC_NUMERIC=C")) abort();
    setlocale(LC_ALL, "C"); if (!setlocale(LC_ALL, all) || strcmp(setlocale(LC_CTYPE, NULL), "C.UTF-8")) abort();
    if (setlocale(LC_ALL, "no_SUCH") != NULL || setlocale(99, "C") != NULL) abort();"""
    assert is_well(tmp_path, rude(tmp_path, mixed))


def test_a_limit_of_the_shell_that_the_results_pass_is_an_error_and_no_silence(tmp_path):
    run = f"ulimit -f 1; exec {SANVP} traffic qsnet-64 uniform --packets 500 --out out"
    ended = subprocess.run(["bash", "-c", run], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == USER_MISTAKE, ended.stderr
    assert "cannot be written: File too large" in ended.stderr
