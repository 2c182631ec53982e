/// INMOS T9000 (Macramé): a grouper joins simple instructions, in order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented =
    "the INMOS paper on the T9000's floating-point unit, as others cite it (docs/cpu.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.7, by_libraries},               // integer
    {2, by_libraries},                 // shift
    {5, "recalled: 2 to 5 cycles"},    // multiply
    {12, "recalled: 5 to 12 cycles"},  // divide
    {1.5, by_libraries},               // load
    {1.5, by_libraries},               // store
    {1.5, by_libraries},               // branch
    {4, by_libraries},                 // call
    {2, by_libraries},                 // float_add
    {3, by_libraries},                 // float_multiply
    {15, documented},                  // float_divide
    {15, documented},                  // float_sqrt
    {4, "recalled: 2 to 4 cycles"},    // conversion
    {0.25, by_libraries},              // move
    {10, "assumed"},                   // atomic
    cpu::two_instructions,             // float_fused
}};

constexpr const char* stages =
    "The T9000 Transputer Products Overview Manual: a group has two loads of locals, two addresses, two non-local "
    "loads, "
    "an operation of ALU or FPU, and a write or jump";

const cpu::SourcedPipeline pipeline{
    .issue = {3,
              "the same manual: a group of up to eight instructions a cycle; assumed: 2.75 of them for an operation"},
    .window = {0, stages},
    .classes = {{
        {1, 1, stages},                                           // integer
        {1, 1, "assumed: a barrel shifter"},                      // shift
        {5, 5, "recalled: 2 to 5 cycles"},                        // multiply
        {12, 12, "recalled: 5 to 12 cycles"},                     // divide
        {1, 1, stages},                                           // load
        {1, 1, stages},                                           // store
        {1, 1, stages},                                           // branch
        {4, 4, "assumed"},                                        // call
        {2, 2, documented},                                       // float_add
        {3, 3, documented},                                       // float_multiply
        {15, 15, documented},                                     // float_divide
        {15, 15, documented},                                     // float_sqrt
        {4, 4, "recalled: 2 to 4 cycles"},                        // conversion
        {0, 0, "assumed: an operand on the stack"},               // move
        {10, 10, "assumed"},                                      // atomic
        {0, 0, "it has none: a multiplication and an addition"},  // float_fused
    }},
    .float_load_latency = {1, stages},
    .units = {{"load", 2, cpu::classes_of({HAL_LOAD, HAL_ATOMIC}), stages},
              {"operation", 1,
               cpu::classes_of({HAL_INTEGER, HAL_SHIFT, HAL_MULTIPLY, HAL_DIVIDE, HAL_CALL, HAL_FLOAT_ADD,
                                HAL_FLOAT_MULTIPLY, HAL_FLOAT_DIVIDE, HAL_FLOAT_SQRT, HAL_CONVERSION, HAL_FLOAT_FUSED}),
               stages},
              {"write", 1, cpu::classes_of({HAL_STORE, HAL_BRANCH}), stages}}};

const Registration<cpu::CpuPart> registration{
    {.name = "t9000",
     .summary = "INMOS T9000, 25 MHz (Macrame)",
     .clock_MHz = {25, "assumed: silicon ran at 20 to 25 MHz"},
     .pipeline = pipeline,
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
