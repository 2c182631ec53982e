"""`sanvp run`: programs on a virtual machine, compiled as a user compiles them."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from compiled import CC, MACHINE, PROGRAM_FAILED, compile_program, run
from program import DEADLOCK, DONE, SANVP, UNTIL_REACHED, USER_MISTAKE, by_name, done, sanvp

WITHOUT_CARD = "myrinet-8"  # with another NIC than its own, one that software does not see


def test_every_rank_says_hello_with_its_label_in_order():
    result = done("run", MACHINE, "hello", "--", "a b", "c")
    lines = result.out.splitlines()
    assert len(lines) == 3 * 16
    for rank in range(16):
        own = [line for line in lines if line.startswith(f"[{rank}] ")]
        assert own == [
            f"[{rank}] hello from rank {rank} of 16 on node {rank}",
            f"[{rank}] argument 1: a b",
            f"[{rank}] argument 2: c",
        ]
    assert lines[0].startswith("[0]")
    assert done("run", MACHINE, "hello", "--", "a b", "c").out == result.out


def test_hello_is_listed_with_its_summary():
    apps = done("list", "apps", "--json", "-").json["apps"]
    assert "Prints where each rank runs" in next(app["summary"] for app in apps if app["name"] == "hello")


def test_an_app_is_described_by_its_summary():
    assert "hello (app): Prints where each rank runs" in done("describe", "hello").out


def test_a_name_of_an_app_and_of_a_pattern_is_described_for_both():
    described = done("describe", "uniform", "--json", "-")
    assert [entry["kind"] for entry in described.json] == ["pattern", "app"]


def test_a_machine_whose_nic_software_cannot_see_runs_programs_too(tmp_path):
    program = compile_program(tmp_path, 'printf("%d\\n", hal_device(0) == 0);')
    assert done("run", WITHOUT_CARD, "-s", "nic.type=plain", program, "--np", 8).out == "".join(
        f"[{rank}] 1\n" for rank in range(8)
    )


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["--np", 3], [0, 1, 2]),
        (["--np", 18], [rank // 2 for rank in range(18)]),
        (["--np", 6, "--map", "block"], [0, 0, 0, 0, 1, 1]),
        (["--np", 18, "--map", "cyclic"], [*range(16), 0, 1]),
        (["--map", "3,9-11,3"], [3, 9, 10, 11, 3]),
    ],
)
def test_ranks_go_where_the_map_says(arguments, nodes):
    lines = done("run", MACHINE, "hello", *arguments).out.splitlines()
    placed = {int(line.split()[4]): int(line.split()[-1]) for line in lines}
    assert [placed[rank] for rank in range(len(nodes))] == nodes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hellp"], "there is no program 'hellp'; did you mean 'hello'?"),
        (["hello", "--np", "0"], "--np: '0'"),
        (["hello", "--map", "16"], "there is no node 16; they go from 0 to 15"),
        (["hello", "--map", "blok"], "'blok' is none of spread, block, cyclic"),
        (["hello", "--np", "3", "--map", "1,2"], "lists 2 nodes for 3 ranks"),
        (["hello", "--job", "hello --nq 3"], "--job: '--nq' is not understood"),
        (
            [str(Path(SANVP).with_name("sw") / "apps/hello.so"), "--cpu", "riscv"],
            "hello.so is a program for the other kind of CPU",
        ),
        (["hello", "-s", "host.cpu=1"], "reads 'host.cpu'; did you mean 'host.cpus'?"),
        (["hello", "-s", "mpi.no_such_key=1"], "reads 'mpi.no_such_key'"),
        (
            ["/dev/null"],
            "there is no program '/dev/null'; give the path of a program built by sanvp-cc -o PROGRAM",
        ),
        (["/tmp"], "'/tmp' is a folder; give the path of"),
        (["hello", "--json", "/no/j.json"], "/no/j.json: cannot be written: No such file or directory"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    result = sanvp("run", MACHINE, *arguments)
    assert result.status == USER_MISTAKE
    assert message in by_name(result.err)


def test_a_message_names_the_wrapper_as_it_can_be_called(tmp_path, monkeypatch):
    def named(folder: Path, path: str) -> str:
        monkeypatch.setenv("PATH", path)
        message = sanvp("run", MACHINE, "/dev/null", cwd=folder).err
        return message.split("built by ")[1].split(" -o")[0]

    build, path = CC.resolve().parent, "/usr/bin:/bin"
    assert named(build.parent, path) == f"{build.name}/sanvp-cc"
    assert named(build, path) == "./sanvp-cc"
    assert named(tmp_path, path) == f"{build}/sanvp-cc"
    assert named(tmp_path, f"{build}:{path}") == "sanvp-cc"
    (tmp_path / "sanvp-cc").symlink_to("/bin/true")  # of another sanvp
    assert named(tmp_path, f"{tmp_path}:{build}:{path}") == f"{build}/sanvp-cc"


@pytest.mark.parametrize("option", ["-showme:compile", "-showme:link", "-compile-info", "-link-info"])
@pytest.mark.parametrize("target", ["native", "riscv64"])
def test_the_compiler_gives_no_flags_for_another_one(option, target):
    answer = subprocess.run([CC, "--target", target, option], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (2, "", 1)
    assert f"{option}: by flags alone" in answer.stderr
    assert "CMAKE_C_COMPILER=sanvp-cc" in answer.stderr


@pytest.mark.parametrize("option", ["--show", "-show", "-showme"])
def test_the_compiler_shows_its_command_which_does_the_same(tmp_path, option):
    source = tmp_path / "a b.c"
    source.write_text("int main(void) { return 0; }\n")
    shown = subprocess.run(
        [CC, option, source, "-o", tmp_path / "p"], check=True, capture_output=True, text=True
    ).stdout
    assert not (tmp_path / "p").exists()
    subprocess.run(shown, shell=True, check=True)
    done("run", MACHINE, tmp_path / "p", "--np", 1)


def test_an_app_takes_precedence_over_a_file_of_its_name_with_a_note(tmp_path):
    compile_program(tmp_path, 'puts("the file");').rename(tmp_path / "hello")
    app = sanvp("run", MACHINE, "hello", "--np", 1, cwd=tmp_path)
    assert app.status == DONE
    assert "the file" not in app.out
    note = "note: hello is the app that comes with sanvp; for the file of that name write ./hello\n"
    assert app.err == note
    file = done("run", MACHINE, "./hello", "--np", 1, cwd=tmp_path)
    assert file.out == "[0] the file\n"
    assert file.err == ""


def test_a_file_that_is_not_a_program_is_refused(tmp_path):
    (tmp_path / "text").write_text("no image\n")
    result = sanvp("run", MACHINE, tmp_path / "text")
    assert result.status == USER_MISTAKE
    assert "cannot be loaded" in result.err
    assert "sanvp-cc" in result.err


def test_a_program_that_was_cut_off_is_refused(tmp_path):
    program = compile_program(tmp_path, "return 0;")
    program.write_bytes(program.read_bytes()[:5000])
    result = sanvp("run", MACHINE, program, "--np", 1)
    assert result.status == USER_MISTAKE
    assert f"{program}: is cut off: 5000 bytes of " in result.err


def test_an_unwritable_json_file_is_an_error_before_the_run(tmp_path):
    result = sanvp("run", MACHINE, "hello", "--json", tmp_path)
    assert result.status == USER_MISTAKE
    assert result.out == ""
    assert "cannot be written: Is a directory" in result.err


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("if (hal_rank() == 1) return 7;", "exited with status 7"),
        ("hal_compute_ps(5000000); if (hal_rank() == 1) exit(3);", "exited with status 3"),
        ("if (hal_rank() == 1) *(volatile int*)0x1234 = 0;", "segmentation fault at address 0x1234"),
        ("if (hal_rank() == 1) return 100 / (argc - 1);", "arithmetic fault"),
        ("if (hal_rank() == 1) { volatile char* much = __builtin_alloca(1 << 25); *much = 1; }", "stack overflow"),
        ("assert(hal_rank() != 1);", "aborted, as by a failed assert"),
        ("if (hal_rank() == 1) abort();", "the program called abort"),
        ('if (hal_rank() == 1) hal_setting("depth", "", "", "");', "hal_setting: the key 'depth' has no section"),
        ('if (hal_rank() == 1) hal_abort("the reason is this");', "the reason is this"),
    ],
)
def test_a_rank_that_fails_ends_the_run_with_its_rank_node_and_time(tmp_path, body, message):
    result = run(tmp_path, 'printf("before\\n");' + body)
    assert result.status == PROGRAM_FAILED
    assert f"error: rank 1 on node 1: {message}" in result.err
    assert re.search(r", at [\d.]+[nu]s$", result.err.strip())
    assert "[1] before" in result.out


@pytest.mark.parametrize(
    ("body", "cure"),
    [
        (
            "volatile char* all = __builtin_alloca(1 << 25); *all = 1;",
            "; it has 8MiB of stack, more with -s host.stack=",
        ),
        (
            "volatile char* much = malloc(1ul << 40); *much = 1;",
            "; it was refused 1024GiB of memory before: its share of the node's is ",
        ),
    ],
    ids=["stack", "memory"],
)
def test_a_program_that_runs_out_of_memory_gets_an_error_with_its_cure(tmp_path, body, cure):
    result = run(tmp_path, body)
    assert result.status == PROGRAM_FAILED
    assert cure in result.err


def test_a_crash_is_reported_with_its_line_and_its_callers(tmp_path):
    source = tmp_path / "crash.c"
    source.write_text(
        "__attribute__((noinline)) static int deep(int* p, int n) {\n"
        "  if (n == 0) return *p;\n"
        "  return deep(p, n - 1) + 1;\n"
        "}\n"
        "int main(int argc, char** argv) {\n"
        "  (void)argv;\n"
        "  return deep((int*)8, argc);\n"
        "}\n"
    )
    subprocess.run([CC, "-O0", "-g", source, "-o", tmp_path / "crash"], check=True)
    result = sanvp("run", MACHINE, tmp_path / "crash", "--np", 1)
    assert result.status == PROGRAM_FAILED
    assert "in deep() at crash.c:2, called by deep() at crash.c:3 < main() at crash.c:7, at " in result.err


def test_what_a_program_writes_beyond_an_array_of_its_main_harms_the_program_alone(tmp_path):
    body = "char small[8]; memset(small, 255, sizeof small + 300 * (hal_rank() + 1)); return small[argc];"
    result = run(tmp_path, "(void)argv; { " + body + " }")
    assert result.status == PROGRAM_FAILED
    assert "segmentation fault" in result.err or "stack smashing" in result.err


def test_what_a_failed_assert_prints_is_labelled(tmp_path):
    assert "[0] " in run(tmp_path, "assert(hal_rank() != 0);").err
    assert "Assertion" in run(tmp_path, "assert(hal_rank() != 0);").err


def test_output_is_in_the_order_of_simulated_time(tmp_path):
    body = """for (int i = 0; i < 3; ++i) {
      hal_compute_ps((hal_rank() == 0 ? 3 : 2) * 1000000ull);
      printf("%d\\n", (hal_rank() == 0 ? 3 : 2) * (i + 1));
    }"""
    lines = run(tmp_path, body).out.splitlines()
    times = [int(line.split()[1]) for line in lines]
    assert times == sorted(times)
    assert len(times) == 6


def test_ranks_that_print_at_once_harm_neither_each_other_nor_firmware(tmp_path):
    body = """MPI_Init(&argc, &argv);
    for (int i = 0; i < 20; ++i) {
      printf("%d\\n", i);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();"""
    lines = run(tmp_path, body).out.splitlines()
    assert [line for line in lines if line.startswith("[0]")] == [f"[0] {i}" for i in range(20)]
    assert len(lines) == 40


def test_ranks_that_wait_for_ever_are_named_with_their_calls(tmp_path):
    body = (
        'static uint32_t word; hal_trace_begin("my phase"); if (hal_rank() == 1) hal_wait_word(&word, 0, UINT64_MAX);'
    )
    result = run(tmp_path, body)
    assert result.status == DEADLOCK
    assert "rank 1 on node 1 waits in my phase, for memory to be written since " in result.err
    assert "rank 0 has ended" in result.err


@pytest.mark.parametrize("nodes", ["0,1,2", "0,0,0"])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "MPI_Recv(&n, 1, MPI_INT, (r + 1) % 3, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            [f"rank {rank} on node NODE waits in MPI_Recv (rank {(rank + 1) % 3}, tag 5" for rank in range(3)],
        ),
        (
            "MPI_Ssend(&n, 1, MPI_INT, (r + 1) % 3, 5, MPI_COMM_WORLD);",
            [f"rank {rank} on node NODE waits in MPI_Ssend (rank {(rank + 1) % 3}, tag 5" for rank in range(3)],
        ),
        (
            "if (r == 1) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            "MPI_Barrier(MPI_COMM_WORLD);",
            ["rank 0 on node NODE waits in MPI_Barrier", "rank 1 on node NODE waits in MPI_Probe"],
        ),
        (
            "if (r == 1) return 0;",
            ["rank 1 has ended", "rank 0 on node NODE waits in MPI_Finalize", "rank 2 on node NODE waits in"],
        ),
    ],
)
def test_ranks_that_wait_for_ever_in_mpi_are_told_with_their_partners(tmp_path, body, words, nodes):
    start = "int r, n = 0; (void)n; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &r);"
    program = compile_program(tmp_path, start + body + "MPI_Finalize();")
    result = sanvp("run", MACHINE, program, "--map", nodes, "--out", tmp_path / "out")
    assert result.status == DEADLOCK
    for line in words:
        rank = int(line.split()[1])
        assert line.replace("NODE", nodes.split(",")[rank]) in result.err
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "hangs"


def test_an_ordinary_program_runs_unmodified_each_rank_with_its_own_globals(tmp_path):
    source = Path(__file__).parents[1] / "images" / "posix.c"
    subprocess.run([CC, source, "-o", tmp_path / "posix"], check=True)
    command = ("run", MACHINE, tmp_path / "posix", "--map", "0,0,1", "--", "an argument", "-x")
    result = done(*command, cwd=tmp_path)
    for rank in range(3):
        own = [line for line in result.out.splitlines() if line.startswith(f"[{rank}] ")]
        said = ["arguments:|an argument|-x", "a line in parts", "puts", "fputs", "c", "write", f"the end, {rank}"]
        assert own == [f"[{rank}] {text}" for text in said]
    assert result.err == "[1] to stderr\n"
    assert done(*command, cwd=tmp_path).out == result.out


def test_until_ends_a_run_that_is_not_over(tmp_path):
    result = run(tmp_path, "for (;;) hal_compute_ps(1000000);", "--until", "50us")
    assert result.status == UNTIL_REACHED
    assert "--until 50us is reached" in result.err


def test_it_ends_then_though_nothing_happens_at_that_time(tmp_path):
    result = run(tmp_path, "sleep(5);", "--until", "1s", "--json", "-")
    assert result.status == UNTIL_REACHED
    assert result.json["sim_time_ns"] == 1e9


def test_a_rank_may_start_the_library_long_after_the_others(tmp_path):
    late = "if (hal_rank() == 0) usleep(300000); MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize();"
    result = run(tmp_path, late + 'printf("%llu\\n", (unsigned long long)(hal_time_ps() / HAL_PS_PER_MS));')
    assert result.status == DONE, result.err
    assert all(300 <= int(line.split()[1]) < 310 for line in result.out.splitlines())
    assert len(result.out.splitlines()) == 2


def test_a_rank_that_never_starts_the_library_is_named_by_those_that_wait_for_it(tmp_path):
    never = "if (hal_rank() == 0) return 0; MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize();"
    result = run(tmp_path, never)
    assert result.status == DEADLOCK
    assert "rank 1 on node 1 waits in" in result.err


def test_two_jobs_run_at_once_and_are_distinguished(tmp_path):
    program = compile_program(tmp_path, 'printf("%d of %d in %d\\n", hal_rank(), hal_ranks(), hal_job());')
    result = done("run", MACHINE, "hello", "--np", 2, "--job", f"{program} --np 3 --map 1,2,3 -- x 'y z'")
    assert sorted(line for line in result.out.splitlines() if line.startswith("[1.")) == [
        "[1.0] 0 of 3 in 1",
        "[1.1] 1 of 3 in 1",
        "[1.2] 2 of 3 in 1",
    ]
    assert "[0.1] hello from rank 1 of 2 on node 1" in result.out


def test_json_keeps_standard_output_to_itself_and_has_the_metrics(tmp_path):
    body = 'printf("text\\n"); if (hal_rank() == 0) hal_metric("bandwidth_MBps", 12.5, "MB/s");'
    result = run(tmp_path, body, "--json", "-", "--out", tmp_path / "out")
    assert result.status == DONE
    assert "[0] text" in result.err
    assert result.json["bandwidth_MBps"] == 12.5
    assert result.json["jobs"][0]["metrics"] == {"bandwidth_MBps": {"value": 12.5, "unit": "MB/s"}}
    assert {"sim_time_ns", "cpu_time_s", "events", "packets"} <= result.json.keys()
    statistics = (tmp_path / "out" / "stats.csv").read_text()
    assert "job 0,bandwidth_MBps,MB/s,12.5" in statistics
    assert "node 0.pci,busy_ns,ns," in statistics
    with (tmp_path / "out" / "ranks.csv").open() as file:
        ranks = list(csv.DictReader(file))
    assert [row["rank"] for row in ranks] == ["0", "1"]
    assert all(float(row["ended_ns"]) > 0 for row in ranks)
    parts = ("computing_ns", "library_ns", "waiting_ns", "noise_ns")
    assert all(0 < sum(float(row[part]) for part in parts) <= float(row["ended_ns"]) for row in ranks)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "done"


def test_a_setting_reaches_the_program_and_the_manifest(tmp_path):
    body = 'printf("%s\\n", hal_setting("mine.depth", "3", "how deep", "a choice"));'
    assert run(tmp_path, body).out == "[0] 3\n[1] 3\n"
    assert run(tmp_path, body, "-s", "mine.depth=8", "--out", tmp_path / "out").out == "[0] 8\n[1] 8\n"
    assert "mine.depth" in (tmp_path / "out" / "manifest.json").read_text()
    mistaken = run(tmp_path, body, "-s", "mine.dept=8")
    assert mistaken.status == USER_MISTAKE
    assert not mistaken.out  # told before anything ran
    assert "did you mean 'mine.depth'?" in mistaken.err


def test_clocks_of_the_c_library_tell_simulated_time(tmp_path):
    body = """struct timeval before, after;
    gettimeofday(&before, NULL);
    usleep(1500);
    gettimeofday(&after, NULL);
    printf("%ld\\n", (after.tv_sec - before.tv_sec) * 1000000 + after.tv_usec - before.tv_usec);"""
    told = sorted(run(tmp_path, body).out.splitlines())  # at one instant, no order is promised
    assert told in (["[0] 1500", "[1] 1500"], ["[0] 1501", "[1] 1501"])


def test_each_rank_has_private_globals(tmp_path):
    body = 'static int calls; printf("%d\\n", ++calls); hal_sleep_ps(1000); printf("%d\\n", ++calls);'
    lines = run(tmp_path, body).out.splitlines()
    assert sorted(lines) == ["[0] 1", "[0] 2", "[1] 1", "[1] 2"]


def test_a_trace_has_a_track_for_each_cpu(tmp_path):
    body = 'hal_trace_begin("my phase"); hal_compute_ps(1000000); hal_trace_end();'
    assert run(tmp_path, body, "--trace", tmp_path / "t.json").status == DONE
    events = json.loads((tmp_path / "t.json").read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    slices = [event for event in events if event.get("name") == "my phase" and event["ph"] == "X"]
    assert [event["dur"] for event in slices] == [pytest.approx(1.0, abs=0.01)] * 2  # the calls take some ns


def test_a_slice_of_a_trace_keeps_its_name_when_the_programs_buffer_changes(tmp_path):
    body = 'char name[] = "my phase"; hal_trace_begin(name); name[0] = 0; hal_compute_ps(1000000); hal_trace_end();'
    assert run(tmp_path, body, "--trace", tmp_path / "t.json").status == DONE
    assert (tmp_path / "t.json").read_text().count('"name":"my phase"') == 2


def test_sanvp_cc_takes_several_files_objects_and_libraries(tmp_path):
    (tmp_path / "a.c").write_text("#include <math.h>\ndouble root(double x) { return sqrt(x); }\n")
    (tmp_path / "b.c").write_text(
        "#include <stdio.h>\ndouble root(double);\n"
        'int main(int c, char** v) { printf("%g\\n", root(c * 4)); return 0; }\n'
    )
    subprocess.run([CC, "-c", "a.c", "-O1", "-o", "a.o"], check=True, cwd=tmp_path)
    subprocess.run([CC, "a.o", "b.c", "-lm", "-o", "prog"], check=True, cwd=tmp_path)
    assert sanvp("run", MACHINE, "./prog", "--np", 1, cwd=tmp_path).out == "[0] 2\n"


def test_sanvp_cc_reports_undefined_symbols(tmp_path):
    (tmp_path / "a.c").write_text("int nowhere(void);\nint main(void) { return nowhere(); }\n")
    result = subprocess.run([CC, "a.c", "-o", "prog"], check=False, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode != 0
    assert "nowhere" in result.stderr


def test_sanvp_cc_and_the_program_work_from_where_they_were_moved(tmp_path):
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("sanvp", "sanvp-cc", "libsanvp.so.0.1"):
        shutil.copy(Path(SANVP).with_name(name), moved / name)
    for name in ("sw", "machines"):
        shutil.copytree(Path(SANVP).parent / name, moved / name)
    (tmp_path / "a.c").write_text('#include <hal.h>\n#include <stdio.h>\nint main(void) { puts("moved"); return 0; }\n')
    subprocess.run([moved / "sanvp-cc", "a.c", "-o", "prog"], check=True, cwd=tmp_path)
    command = [moved / "sanvp", "run", MACHINE, tmp_path / "prog", "--np", "1"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[0] moved\n"


def test_a_program_of_an_older_version_is_to_be_compiled_again(tmp_path):
    program = compile_program(tmp_path, "")
    image = program.read_bytes()
    symbol = next(
        line.split()
        for line in subprocess.run(
            ["nm", "-D", program], check=True, capture_output=True, text=True
        ).stdout.splitlines()
        if line.endswith(" hal_abi_version")
    )
    at = int(symbol[0], 16)  # a read-only constant lies in the file where it lies in memory
    program.write_bytes(image[:at] + bytes([image[at] + 1]) + image[at + 1 :])
    result = sanvp("run", MACHINE, program)
    assert result.status == USER_MISTAKE
    assert "was compiled for another version of sanvp; compile it again with sanvp-cc" in by_name(result.err)


def test_of_many_failures_the_first_are_reported(tmp_path):
    result = sanvp("run", MACHINE, compile_program(tmp_path, "return 3;"), "--np", 48)
    assert result.status == PROGRAM_FAILED
    assert result.err.count("exited with status 3") <= 32
