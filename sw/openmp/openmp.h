/* Calls keep their names in programs, and a program's own definitions come first: weak (scripts/own_names.py). */
#pragma once

#define OPENMP __attribute__((weak))
