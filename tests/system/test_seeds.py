"""What is left to chance in a run: all of it comes from --seed, by job, rank and what draws."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

import pytest
from compiled import CC, MACHINE, compile_program
from program import done

FIRST_OF_RAND = 1804289383  # of the C library's own first seed


def said(program: object, *options: object, seed: int = 1) -> list[str]:
    """The lines of two ranks."""
    return done("run", MACHINE, program, "--np", 2, "--seed", seed, *options).out.splitlines()


def numbers(lines: Iterable[str]) -> list[int]:
    """The last word of each."""
    return [int(line.split()[-1]) for line in lines]


@pytest.mark.parametrize(
    ("machine", "command"),
    [
        ("qsnet-16", "uniform -- --bytes 4K --messages 4"),
        ("qsnet-16", "permutations -- --bytes 4K --messages 4 --sizes exponential"),
        ("qsnet-16", "permutations -- --bytes 4K --messages 4 --gap 20000"),
        ("qsnet-16", "hot_spot --np 4 -- --bytes 4K --messages 4 --sizes uniform"),
        ("qsnet-16", "multiple_hot_spots -- --servers 4 --bytes 4K --messages 4"),
        ("myrinet-8", "gm_uniform --np 4 -- --warmup 200 --measure 400"),
        ("qsnet-16", "md --np 2 -- --steps 1"),
    ],
)
def test_what_a_program_draws_hangs_on_the_seed_and_on_nothing_else(machine, command):
    def out(seed: int) -> str:
        return done(
            "run", machine, *command.split(" -- ")[0].split(), "--seed", seed, "--", *command.split(" -- ")[1].split()
        ).out

    assert out(1) == out(1)
    assert len({out(seed) for seed in (1, 2, 3)}) == 3


def test_without_anything_drawn_a_seed_changes_nothing():
    results = {done("run", "qsnet-16", "hot_spot", "--np", 4, "--seed", seed).out for seed in (1, 2)}
    assert len(results) == 1


def test_each_rank_of_each_job_has_a_seed_of_its_own_for_each_consumer_and_ranks_share_the_job_s(tmp_path):
    told = 'printf("%llu\\n", (unsigned long long)'
    body = f"{told}hal_seed(argv[1])); {told}hal_job_seed(argv[1]));"
    program = compile_program(tmp_path, body)
    own: set[int] = set()
    for seed in (1, 2):
        for consumer in ("a", "b"):
            job = ("--job", f"{program} --np 2 --map 8,9 -- {consumer}")
            drawn = numbers(sorted(said(program, *job, "--", consumer, seed=seed)))
            assert len(drawn) == 8
            assert len(set(drawn)) == 4 + 2  # four of ranks, two of jobs
            own |= set(drawn)
    assert len(own) == 4 * 6


SOURCES = {
    "getrandom": "getrandom(&drawn, sizeof drawn, 0);",
    "getentropy": "getentropy(&drawn, sizeof drawn);",
    "a system call": "syscall(SYS_getrandom, &drawn, sizeof drawn, 0);",
    "open": 'int file = open("/dev/urandom", O_RDONLY); assert(read(file, &drawn, sizeof drawn) == sizeof drawn);',
    "fopen": 'FILE* file = fopen("/dev/random", "rb"); assert(fread(&drawn, sizeof drawn, 1, file) == 1);',
}


@pytest.mark.parametrize("source", SOURCES)
def test_true_randomness_comes_from_the_seed_by_rank(tmp_path, source):
    body = f'unsigned drawn = 0; {SOURCES[source]} printf("%u\\n", drawn);'
    headers = ("fcntl.h", "sys/random.h", "sys/syscall.h")
    program = compile_program(tmp_path, body, "-D_GNU_SOURCE", headers=headers)
    drawn = [numbers(said(program, seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert len({*drawn[0], *drawn[2]}) == 4


def test_a_device_of_random_bytes_continues_with_new_ones(tmp_path):
    body = """
        enum { BYTES = 1 << 16 };
        static unsigned char bytes[2][BYTES];
        for (int i = 0; i < 2; ++i) {
            FILE* file = fopen("/dev/urandom", "r");
            if (fread(bytes[i], 1, BYTES, file) != BYTES) return 1;
            fclose(file);
        }
        long sum = 0;
        for (int i = 0; i < BYTES; ++i) sum += bytes[0][i];
        printf("%d %f\\n", memcmp(bytes[0], bytes[1], BYTES) != 0, (double)sum / BYTES);
    """
    lines = [line.split()[1:] for line in said(compile_program(tmp_path, body))]
    assert len(lines) == 2
    for are_new, mean in lines:
        assert are_new == "1"
        assert float(mean) == pytest.approx(127.5, abs=4 * 74 / 256)  # the standard deviation of a mean of 2^16 bytes


def test_random_device_of_cxx_comes_from_the_seed(tmp_path):
    source = tmp_path / "prog.cpp"
    source.write_text(
        "#include <cstdio>\n#include <random>\n"
        'int main() { std::random_device device; std::printf("%u\\n", device()); }\n'
    )
    subprocess.run([CC, source, "-o", tmp_path / "prog"], check=True)
    drawn = [numbers(said(tmp_path / "prog", seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert len({*drawn[0], *drawn[2]}) == 4


def test_rand_starts_like_everywhere_for_any_seed(tmp_path):
    program = compile_program(tmp_path, 'printf("%d\\n", rand());')
    assert numbers([*said(program, seed=1), *said(program, seed=2)]) == 4 * [FIRST_OF_RAND]


def test_a_program_may_define_open(tmp_path):
    main, other = tmp_path / "main.c", tmp_path / "other.c"
    main.write_text('#include <stdio.h>\nint open(int);\nint main(void) { printf("%d\\n", open(4)); return 0; }\n')
    other.write_text("int open(int n) { return n + 1; }\n")
    subprocess.run([CC, main, other, "-o", tmp_path / "prog"], check=True)
    assert numbers(said(tmp_path / "prog")) == [5, 5]
