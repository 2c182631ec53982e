/// INMOS T9000 (Macramé): a grouper joins simple instructions, in order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted = "assumed: two thirds of a cycle for what the grouper joins (docs/cpu.md)";
constexpr const char* documented =
    "the INMOS paper on the T9000's floating-point unit, as others cite it (docs/cpu.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.7, fitted},                     // integer
    {2, fitted},                       // shift
    {5, "recalled: 2 to 5 cycles"},    // multiply
    {12, "recalled: 5 to 12 cycles"},  // divide
    {1.5, fitted},                     // load
    {1.5, fitted},                     // store
    {1.5, fitted},                     // branch
    {4, fitted},                       // call
    {2, fitted},                       // float_add
    {3, fitted},                       // float_multiply
    {15, documented},                  // float_divide
    {15, documented},                  // float_sqrt
    {4, "recalled: 2 to 4 cycles"},    // conversion
    {0.25, fitted},                    // move
    {10, "assumed"},                   // atomic
    cpu::two_instructions,             // float_fused
}};

const Registration<cpu::CpuPart> registration{
    {.name = "t9000",
     .summary = "INMOS T9000, 25 MHz (Macrame)",
     .clock_MHz = {25, "assumed: silicon ran at 20 to 25 MHz"},
     .cycles = cycles,
     .cache_KiB = {16, "16 KB on the chip"},
     .memory_MBps = {40, "assumed"},
     .caches = {
         .data = {16, 16, 256,
                  "T9000 hardware reference manual: four banks of 256 lines of 16 bytes, fully associative, random "
                  "replacement, of instructions and data",
                  true},
         .memory_ns = {400, "assumed: a line of 16 bytes at 40 MB/s"},
         .misprediction_cycles = {4, "assumed: the pipeline has five stages, and does not predict"}}}};

}  // namespace
}  // namespace sanvp::host
