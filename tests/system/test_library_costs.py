"""Calls of the C library that sw/hal charges by a table: they work as before, and each counts its call and units."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from compiled import CC, MACHINE
from program import done

SOFTWARE = Path(__file__).parents[2] / "sw"
TABLE = SOFTWARE / "abi" / "hal" / "library_costs.h"
# What a statement is charged, by prices of the test's own: of calls 2^40 ps, of units 2^20 ps, which is more than what
# the statement's own instructions cost.
METER = r"""
#define _GNU_SOURCE
#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sw/hal/charge.h"
extern const struct hal_library_price* sanvp_hal_library_prices;
static struct hal_library_price prices[HAL_LIBRARY_CALLS];
static void begin(void) {
  for (int i = 0; i < HAL_LIBRARY_CALLS; ++i) prices[i].call_ps = 1L << 40, prices[i].unit_fs = 1000L << 20;
}
#define CHARGED(statement, calls, units)                                                           \
  do {                                                                                             \
    const struct hal_library_price* const usual = sanvp_hal_library_prices;                        \
    const int64_t before = sanvp_spent;                                                            \
    sanvp_hal_library_prices = prices;                                                             \
    statement;                                                                                     \
    const int64_t spent = sanvp_spent - before;                                                    \
    sanvp_hal_library_prices = usual;                                                              \
    sanvp_spent = before;                                                                          \
    if (spent >> 40 != (calls) || (spent >> 20) % (1 << 20) != (units))                            \
      printf("%s: %ld calls, %ld units\n", #statement, (long)(spent >> 40), (long)(spent >> 20) % (1 << 20)); \
  } while (0)
"""


def run(folder: Path, *sources: str, name: str = "prog.c") -> list[str]:
    """What a program of these sources prints, compiled so that each call stays where it is."""
    files = []
    for number, text in enumerate(sources):
        files.append(folder / f"{number}{name}")
        files[-1].write_text(text)
    command = [
        CC.with_name("sanvp-c++") if name.endswith("cpp") else CC,
        "-O0",
        "-fno-builtin",
        *files,
        "-o",
        folder / "prog",
    ]
    subprocess.run(command, check=True)
    # Programs set their own prices of calls, and theirs alone count: callbacks would be counted, too.
    return done("run", MACHINE, folder / "prog", "--np", 1, "-s", "host.cpu.timing=off").out.splitlines()


def test_each_call_is_charged_with_its_units(tmp_path):
    body = r"""
    static char text[100], copy[200];
    static double number = 0.5;
    static volatile long result;
    static void* volatile found;
    static int order(const void* a, const void* b) { return *(const char*)a - *(const char*)b; }
    static int say(char* to, const char* format, ...) {
      va_list values;
      va_start(values, format);
      const int length = vsprintf(to, format, values);
      va_end(values);
      return length;
    }
    int main(void) {
      begin();
      memset(text, 'x', 80);
      char *end, *place;
      int values[2];
      CHARGED(memcpy(copy, text, 100), 1, 100);
      CHARGED(memmove(copy, copy + 1, 7), 1, 7);
      CHARGED(memset(copy, 0, 50), 1, 50);
      CHARGED(result = memcmp(text, "xxxy", 4), 1, 3);
      CHARGED(found = memchr(text, 'y', 9), 1, 9);
      CHARGED(result = strlen(text), 1, 80);
      CHARGED(strcpy(copy, text), 1, 80);
      CHARGED(strcat(copy, "yz"), 1, 82);
      CHARGED(result = strcmp(copy, text), 1, 80);
      CHARGED(result = strncmp(copy, text, 10), 1, 10);
      CHARGED(result = strcasecmp("abCd", "ABcE"), 1, 3);
      CHARGED(found = strchr(copy, 'y'), 1, 80);
      CHARGED(found = strstr(copy, "yz"), 1, 80);
      CHARGED(result = strspn(copy, "x"), 1, 80);
      strcpy(copy, "one two");
      CHARGED(strtok(copy, " "), 1, 4);
      place = copy + 4;
      CHARGED(strtok_r(NULL, " ", &place), 1, 3);
      CHARGED(free(strdup("12345")), 4, 10);  /* strnlen, malloc, memcpy, free */
      CHARGED(free(calloc(8, 8)), 3, 64);
      CHARGED(qsort(text, 64, 1, order), 1, 64 * 6);
      CHARGED(bsearch("x", text, 64, 1, order), 1, 6);
      CHARGED(strtol("123 and", &end, 10), 1, 3);
      CHARGED(strtod("1.5e3", NULL), 1, 5);
      CHARGED(result = atoi("77"), 1, 2);
      CHARGED(sscanf("3 4", "%d %d", values, values + 1), 1, 2);
      CHARGED(sprintf(copy, "%d %s", 4, "five"), 1, 6);
      CHARGED(snprintf(copy, 3, "%d", 12345), 1, 5);
      CHARGED(say(copy, "%g", 0.25), 1, 4);
      CHARGED(number = sin(number), 1, 0);
      CHARGED(number = cosf((float)number), 1, 0);
      CHARGED(number = (double)expl((long double)number), 1, 0);
      CHARGED(number = creal(cexp(number)), 1, 0);
      CHARGED(rand(), 1, 0);
      CHARGED(drand48(), 1, 0);
      double (*volatile function)(double) = cbrt;
      CHARGED(number = function(27), 1, 0);
      __int128 large = (__int128)1 << 100;
      CHARGED(large /= values[0], 1, 0);
      printf("%.3f %d %s %d\n", number, (int)(large >> 80), copy, strcmp("a", "b") < 0);
      return 0;
    }"""
    assert run(tmp_path, METER + body) == ["[0] 3.000 349525 0.25 1"]


def test_what_a_program_defines_itself_is_its_own_and_free(tmp_path):
    user = r"""
    double twice(double x);
    int main(void) {
      begin();
      char text[8] = "";
      double number = 0;
      size_t length = 0;
      CHARGED(number = round(2.5), 0, 0);
      CHARGED(length = strnlen("abc", 2), 0, 0);
      CHARGED(sprintf(text, "%d", 5), 0, 0);
      CHARGED(number += twice(0.25), 0, 0);
      CHARGED(number += floor(1.5), 1, 0);
      printf("%g %zu %s\n", number, length, text);
      return 0;
    }"""
    own = r"""
    #include <stddef.h>
    double round(double x) { return x + 100; }
    double twice(double x) { return round(x) * 2; }
    size_t strnlen(const char* text, size_t most) { (void)text; return most + 40; }
    int sprintf(char* to, const char* format, ...) { to[0] = format[1]; to[1] = 0; return 1; }
    """
    assert run(tmp_path, METER + user, own) == ["[0] 304 42 d"]


def test_every_call_of_the_table_has_its_wrapper(tmp_path):
    names = re.findall(r"^(?:CALL|SAME)\((\w+),", TABLE.read_text(), re.MULTILINE)
    assert len(names) > 300
    assert len(names) == len(set(names))
    text = "".join(f"void __wrap_{name}(void);\n" for name in names)
    text += "void (*volatile all[])(void) = {" + ", ".join(f"__wrap_{name}" for name in names) + "};\n"
    text += "#include <stdio.h>\nint main(void) { return all[0] == NULL; }\n"
    run(tmp_path, text)


@pytest.mark.parametrize(
    "options", [("c", "-std=c99"), ("c", "-D_GNU_SOURCE"), ("c", "-std=gnu2x"), ("c++", "-std=c++20")], ids=" ".join
)
def test_the_name_that_a_header_gives_a_call_of_the_table_is_in_the_table(options):
    headers = ("ctype", "inttypes", "math", "stdio", "stdlib", "string", "strings", "wchar")
    done = subprocess.run(
        [CC, "-E", "-P", "-x", *options, "-"],
        input="".join(f"#include <{name}.h>\n" for name in headers),
        check=True,
        capture_output=True,
        text=True,
    )
    wrapped = set(re.findall(r"^(?:CALL|SAME)\((\w+),", TABLE.read_text(), re.MULTILINE))
    variadic = re.findall(r"^VARIADIC\((\w+),", (SOFTWARE / "hal" / "library_streams.c").read_text(), re.MULTILINE)
    known = {*wrapped, *variadic}
    renamed = {
        name: match[2]
        for match in re.finditer(r'([^;}]*)\b__asm__ *\( *""? *"(\w+)"', done.stdout)
        for name in known.intersection(re.findall(r"(\w+) *\(", match[1]))
    }
    assert "sscanf" in renamed
    assert {name: called for name, called in renamed.items() if called not in known} == {}


def test_programs_of_cpp_call_the_library_as_before(tmp_path):
    text = r"""
    #include <algorithm>
    #include <cmath>
    #include <complex>
    #include <cstdio>
    #include <cstdlib>
    #include <iostream>
    #include <sstream>
    #include <string>
    #include <vector>
    int main() {
      std::vector<double> values;
      for (int i = 0; i < 5; ++i) values.push_back(std::round(std::cos(i) * 10));
      std::sort(values.begin(), values.end());
      std::qsort(values.data(), values.size(), sizeof(double), [](const void* a, const void* b) {
        return static_cast<int>(*static_cast<const double*>(b) - *static_cast<const double*>(a));
      });
      std::ostringstream text;
      for (double value : values) text << value << ' ';
      try {
        text << std::stoi("12") + std::stod("0.5");
        std::stoi("x");
      } catch (const std::invalid_argument& error) {
        text << ' ' << error.what();
      }
      std::cout << text.str() << ' ' << std::abs(std::complex<double>(3, 4)) << std::endl;
      std::printf("%zu\n", std::string("abc").find("c"));
    }"""
    assert run(tmp_path, text, name="prog.cpp") == ["[0] 10 5 -4 -7 -10 12.5 stoi 5", "[0] 2"]
