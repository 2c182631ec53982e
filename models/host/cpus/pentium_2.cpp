/// Pentium II of 450 MHz (Myrinet): three micro-operations a cycle, out of order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted = "fitted: issue cost of the real code, raised until LINPACK n=100 fits (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the P6 (gcc/config/i386/ppro.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.55, fitted},                                        // integer
    {0.8, fitted},                                         // shift
    {3, documented},                                       // multiply
    {39, documented},                                      // divide
    {1.2, fitted},                                         // load
    {1.4, fitted},                                         // store
    {1, fitted},                                           // branch
    {3, fitted},                                           // call
    {2, fitted},                                           // float_add
    {2.5, fitted},                                         // float_multiply
    {35, documented},                                      // float_divide
    {55, "recalled: 29 to 57 cycles"},                     // float_sqrt
    {6, documented},                                       // conversion
    {0.5, fitted},                                         // move
    {25, "recalled: lock, 20 to 30 cycles in the cache"},  // atomic
    cpu::two_instructions,                                 // float_fused
}};

constexpr const char* on_chip = "recalled: 16 KB each, 4-way, 32-byte lines";

const Registration<cpu::CpuPart> registration{
    {.name = "pentium_2",
     .summary = "Pentium II, 450 MHz: a PC of 1999 (Myrinet)",
     .clock_MHz = {450, "of the period: platform/machines/base/myrinet.ini"},
     .cycles = cycles,
     .cache_KiB = {512, "recalled: 512 KB at half the clock"},
     .memory_MBps = {310, "recalled: STREAM triad with a 440BX and PC100 memory, 300 to 340 MB/s (docs/cpu.md)"},
     .caches = {.instructions = {16, 32, 4, on_chip},
                .data = {16, 32, 4, on_chip},
                .second = {512, 32, 4, "recalled: 512 KB at half the clock, 4-way"},
                .second_cycles = {11, "recalled: 14 cycles for a load, 3 of them the first level's"},
                .memory_ns = {140, "recalled: 440BX and PC100 memory, 130 to 150 ns"},
                .misses_in_flight = {2, "calibrated: the same STREAM triad; up to 4 are possible"},
                .misprediction_cycles = {11, "recalled: 10 to 15 cycles"}}}};

}  // namespace
}  // namespace sanvp::host
