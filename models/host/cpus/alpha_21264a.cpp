/// Alpha 21264A, of the AlphaServer ES40 (QsNET): four instructions a cycle, out of order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the pipeline (gcc/config/alpha/ev6.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.25, by_libraries},                                                               // integer
    {0.3, by_libraries},                                                                // shift
    {4, documented},                                                                    // multiply
    {80, "recalled: a routine of 70 to 130 cycles, as the Alpha divides no integers"},  // divide
    {0.4, by_libraries},                                                                // load
    {0.3, by_libraries},                                                                // store
    {0.5, by_libraries},                                                                // branch
    {1.5, by_libraries},                                                                // call
    {0.6, by_libraries},                                                                // float_add
    {0.6, by_libraries},                                                                // float_multiply
    {15, documented},                                                                   // float_divide
    {33, documented},                                                                   // float_sqrt
    {3, documented},                                                                    // conversion
    {0.2, by_libraries},                                                                // move
    {50, "assumed: ldq_l, stq_c and mb"},                                               // atomic
    cpu::two_instructions,                                                              // float_fused
}};

constexpr const char* on_chip = "recalled: 64 KB each, 2-way, 64-byte lines (21264 hardware reference)";

constexpr const char* routine = "recalled: a routine of 70 to 130 cycles, as the Alpha divides no integers";

const cpu::SourcedPipeline pipeline{
    .issue = {4, documented},
    .window = {80, "Kessler, The Alpha 21264 (IEEE Micro 19(2), 1999): 80 instructions in flight"},
    .classes = {{
        {1, 1, documented},                                       // integer
        {1, 1, documented},                                       // shift
        {1, 7, documented},                                       // multiply
        {80, 80, routine},                                        // divide
        {1, 3, documented},                                       // load
        {1, 1, documented},                                       // store
        {1, 1, documented},                                       // branch
        {1, 1, documented},                                       // call
        {1, 4, documented},                                       // float_add
        {1, 4, documented},                                       // float_multiply
        {12, 15, documented},                                     // float_divide
        {30, 33, documented},                                     // float_sqrt
        {1, 7, "the same model: itof and fadd"},                  // conversion
        {1, 1, documented},                                       // move
        {50, 50, "assumed: ldq_l, stq_c and mb"},                 // atomic
        {0, 0, "it has none: a multiplication and an addition"},  // float_fused
    }},
    .float_load_latency = {4, documented},
    .units = {{"integer", 4,
               cpu::classes_of(
                   {HAL_INTEGER, HAL_SHIFT, HAL_MULTIPLY, HAL_LOAD, HAL_STORE, HAL_BRANCH, HAL_CALL, HAL_MOVE}),
               "the same model: U0, U1, L0, L1"},
              {"upper", 2, cpu::classes_of({HAL_SHIFT, HAL_MULTIPLY, HAL_BRANCH}), "the same model: U0, U1"},
              {"upper_1", 1, cpu::classes_of({HAL_MULTIPLY, HAL_DIVIDE}), "the same model: U1"},
              {"lower", 2, cpu::classes_of({HAL_LOAD, HAL_STORE, HAL_ATOMIC}), "the same model: L0, L1"},
              {"lower_0", 1, cpu::classes_of({HAL_CALL}), "the same model: L0"},
              {"float_add", 1, cpu::classes_of({HAL_FLOAT_ADD, HAL_FLOAT_DIVIDE, HAL_FLOAT_SQRT, HAL_CONVERSION}),
               "the same model: FA"},
              {"float_multiply", 1, cpu::classes_of({HAL_FLOAT_MULTIPLY, HAL_FLOAT_FUSED}), "the same model: FM"}},
    .counted_integer = {1.26, cpu::by_kernels},
    .counted_move = {0.95, cpu::by_kernels}};

const Registration<cpu::CpuPart> registration{
    {.name = "alpha_21264a",
     .summary = "Alpha 21264A, 833 MHz: the AlphaServer ES40's (QsNET)",
     .clock_MHz = {833, "FACTS 1.1"},
     .pipeline = pipeline,
     .cycles = cycles,
     .cache_KiB = {8192, "FACTS 1.1: ES40, 8 MB of B-cache (docs/cpu.md)"},
     .memory_MBps = {1150, "recalled: STREAM triad of an ES40, one CPU, 1.1 to 1.2 GB/s (docs/cpu.md)"},
     .counted_error = {0.13, cpu::by_errors},
     .binary_error = {0.23, cpu::by_errors},
     .caches = {.instructions = {64, 64, 2, on_chip},
                .data = {64, 64, 2, on_chip},
                .second = {8192, 64, 1, "FACTS 1.1: ES40, 8 MB; recalled: direct-mapped, 64-byte blocks"},
                .second_cycles = {24, "assumed: 29 ns, a late-write SRAM at a third of the clock"},
                .second_line_cycles = {12, "recalled: 16 bytes at a third of the clock"},
                .memory_ns = {160, "recalled: 150 to 200 ns on an ES40"},
                .misses_in_flight = {3.5, "calibrated: the same STREAM triad; up to 8 are possible"},
                .misprediction_cycles = {7, "recalled: at least 7 cycles (21264 hardware reference)"}}}};

}  // namespace
}  // namespace sanvp::host
