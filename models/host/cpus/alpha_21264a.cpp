/// Alpha 21264A, of the AlphaServer ES40 (QsNET): four instructions a cycle, out of order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted = "fitted: issue cost of the real code, raised until LINPACK n=100 fits (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the pipeline (gcc/config/alpha/ev6.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.25, fitted},                                                                     // integer
    {0.3, fitted},                                                                      // shift
    {4, documented},                                                                    // multiply
    {80, "recalled: a routine of 70 to 130 cycles, as the Alpha divides no integers"},  // divide
    {0.4, fitted},                                                                      // load
    {0.3, fitted},                                                                      // store
    {0.5, fitted},                                                                      // branch
    {1.5, fitted},                                                                      // call
    {0.6, fitted},                                                                      // float_add
    {0.6, fitted},                                                                      // float_multiply
    {15, documented},                                                                   // float_divide
    {33, documented},                                                                   // float_sqrt
    {3, documented},                                                                    // conversion
    {0.2, fitted},                                                                      // move
    {50, "assumed: ldq_l, stq_c and mb"},                                               // atomic
    cpu::two_instructions,                                                              // float_fused
}};

constexpr const char* on_chip = "recalled: 64 KB each, 2-way, 64-byte lines (21264 hardware reference)";

const Registration<cpu::CpuPart> registration{
    {.name = "alpha_21264a",
     .summary = "Alpha 21264A, 833 MHz: the AlphaServer ES40's (QsNET)",
     .clock_MHz = {833, "FACTS 1.1"},
     .cycles = cycles,
     .cache_KiB = {8192, "FACTS 1.1: ES40, 8 MB of B-cache (docs/cpu.md)"},
     .memory_MBps = {1150, "recalled: STREAM triad of an ES40, one CPU, 1.1 to 1.2 GB/s (docs/cpu.md)"},
     .caches = {.instructions = {64, 64, 2, on_chip},
                .data = {64, 64, 2, on_chip},
                .second = {8192, 64, 1, "FACTS 1.1: ES40, 8 MB; recalled: direct-mapped, 64-byte blocks"},
                .second_cycles = {24, "assumed: 29 ns, a late-write SRAM at a third of the clock"},
                .memory_ns = {160, "recalled: 150 to 200 ns on an ES40"},
                .misses_in_flight = {3.5, "calibrated: the same STREAM triad; up to 8 are possible"},
                .misprediction_cycles = {7, "recalled: at least 7 cycles (21264 hardware reference)"}}}};

}  // namespace
}  // namespace sanvp::host
