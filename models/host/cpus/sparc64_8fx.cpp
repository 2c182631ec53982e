/// SPARC64 VIIIfx of 2 GHz (K computer, TOFU): four instructions a cycle, out of order; scalar code.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted =
    "assumed: two integer and two address units; scalar code of GCC, no vectors (docs/cpu.md)";
constexpr const char* documented = "assumed: division and root by reciprocal approximation, about 30 cycles";

constexpr const char* fused =
    "Maruyama 2010: 128 Gflop/s of eight cores are two pipelines of two lanes each; scalar code uses one lane";

constexpr cpu::SourcedCycles cycles{{
    {0.4, fitted},                           // integer
    {0.4, fitted},                           // shift
    {2.5, "recalled: 2 to 5 cycles"},        // multiply
    {37, "assumed"},                         // divide
    {0.5, fitted},                           // load
    {0.6, fitted},                           // store
    {0.5, fitted},                           // branch
    {1.5, fitted},                           // call
    {0.4, fitted},                           // float_add
    {0.4, fitted},                           // float_multiply
    {30, documented},                        // float_divide
    {30, documented},                        // float_sqrt
    {3, "assumed: through memory"},          // conversion
    {0.15, fitted},                          // move
    {40, "recalled: cas, 30 to 50 cycles"},  // atomic
    {0.5, fused},                            // float_fused
}};

constexpr const char* on_chip = "Maruyama 2010: 32 KB each; recalled: 2-way, 128-byte lines";

const Registration<cpu::CpuPart> registration{
    {.name = "sparc64_8fx",
     .summary = "SPARC64 VIIIfx, 2 GHz: the K computer's (TOFU)",
     .clock_MHz = {2000, "Maruyama et al., IEEE Micro 30(2), 2010"},
     .cycles = cycles,
     .cache_KiB = {6144, "Maruyama 2010: 6 MB for the eight cores"},
     .memory_MBps = {15000, "assumed: a third of what the eight cores get"},
     .caches = {.instructions = {32, 128, 2, on_chip},
                .data = {32, 128, 2, on_chip},
                .second = {6144, 128, 12, "Maruyama 2010: 6 MB for the eight cores; recalled: 12-way"},
                .second_cycles = {35, "assumed"},
                .memory_ns = {90, "assumed: the controller is on the chip"},
                .misses_in_flight = {8, "assumed: the hardware prefetches"},
                .misprediction_cycles = {12, "assumed: from fetch to execution"}}}};

}  // namespace
}  // namespace sanvp::host
