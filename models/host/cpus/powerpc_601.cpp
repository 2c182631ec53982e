/// PowerPC 601 of 80 MHz (Parsytec Mesh of Clos): an integer, a float and a branch unit, in order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted = "fitted: issue cost of the real code, raised until LINPACK n=100 fits (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the 601 (gcc/config/rs6000/601.md)";

constexpr const char* fused =
    "the same model: the unit is busy for two cycles, as by a product of doubles (type dmul in rs6000.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.9, fitted},                      // integer
    {1, fitted},                        // shift
    {5, documented},                    // multiply
    {36, documented},                   // divide
    {1.3, fitted},                      // load
    {1.3, fitted},                      // store
    {0.6, fitted},                      // branch
    {2, fitted},                        // call
    {1.1, fitted},                      // float_add
    {1.8, fitted},                      // float_multiply
    {31, documented},                   // float_divide
    {150, "assumed: a routine"},        // float_sqrt
    {8, documented},                    // conversion
    {0.2, fitted},                      // move
    {10, "assumed: lwarx and stwcx."},  // atomic
    {2, fused},                         // float_fused
}};

const Registration<cpu::CpuPart> registration{
    {.name = "powerpc_601",
     .summary = "PowerPC 601, 80 MHz (Parsytec Mesh of Clos)",
     .clock_MHz = {80, "FACTS 4.1"},
     .cycles = cycles,
     .cache_KiB = {256, "assumed: a second one on the board, as 32 KB alone would have LINPACK at the rate of memory"},
     .memory_MBps = {60, "recalled: STREAM triad, 50 to 70 MB/s (docs/cpu.md)"},
     .caches = {.data = {32, 64, 8, "recalled: 32 KB, 8-way, 64-byte lines, of instructions and data"},
                .second = {256, 64, 1, "assumed: on the board, direct-mapped"},
                .second_cycles = {12, "assumed: 150 ns of SRAM behind the bus"},
                .memory_ns = {600, "assumed: a line in ten cycles of a bus at half the clock, and DRAM of 60 ns"},
                .misprediction_cycles = {2, "recalled: branches are resolved in the decode stage"}}}};

}  // namespace
}  // namespace sanvp::host
