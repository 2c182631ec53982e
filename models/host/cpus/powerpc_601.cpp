/// PowerPC 601 of 80 MHz (Parsytec Mesh of Clos): an integer, a float and a branch unit, in order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the 601 (gcc/config/rs6000/601.md)";

constexpr const char* fused =
    "the same model: the unit is busy for two cycles, as by a product of doubles (type dmul in rs6000.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.9, by_libraries},                // integer
    {1, by_libraries},                  // shift
    {5, documented},                    // multiply
    {36, documented},                   // divide
    {1.3, by_libraries},                // load
    {1.3, by_libraries},                // store
    {0.6, by_libraries},                // branch
    {2, by_libraries},                  // call
    {1.1, by_libraries},                // float_add
    {1.8, by_libraries},                // float_multiply
    {31, documented},                   // float_divide
    {150, "assumed: a routine"},        // float_sqrt
    {8, documented},                    // conversion
    {0.2, by_libraries},                // move
    {10, "assumed: lwarx and stwcx."},  // atomic
    {2, fused},                         // float_fused
}};

const cpu::SourcedPipeline pipeline{
    .issue = {3, "the same model: an instruction for each of its units"},
    .window = {0, "PowerPC 601 user's manual: in order, but for branches and what the float unit waits for"},
    .classes = {{
        {1, 1, documented},                                                 // integer
        {1, 1, documented},                                                 // shift
        {5, 5, documented},                                                 // multiply
        {36, 36, documented},                                               // divide
        {1, 2, documented},                                                 // load
        {1, 1, documented},                                                 // store
        {1, 1, documented},                                                 // branch
        {1, 1, documented},                                                 // call
        {1, 4, documented},                                                 // float_add
        {2, 5, documented},                                                 // float_multiply
        {31, 31, documented},                                               // float_divide
        {150, 150, "assumed: a routine"},                                   // float_sqrt
        {2, 8, "assumed: an instruction of the unit, and through memory"},  // conversion
        {1, 1, documented},                                                 // move
        {10, 10, "assumed: lwarx and stwcx."},                              // atomic
        {2, 5, fused},                                                      // float_fused
    }},
    .float_load_latency = {3, documented},
    .units = {{"integer", 1,
               cpu::classes_of(
                   {HAL_INTEGER, HAL_SHIFT, HAL_MULTIPLY, HAL_DIVIDE, HAL_LOAD, HAL_STORE, HAL_MOVE, HAL_ATOMIC}),
               "the same model: iu; it makes addresses, too"},
              {"float", 1,
               cpu::classes_of({HAL_FLOAT_ADD, HAL_FLOAT_MULTIPLY, HAL_FLOAT_DIVIDE, HAL_FLOAT_SQRT, HAL_CONVERSION,
                                HAL_FLOAT_FUSED}),
               "the same model: fpu"},
              {"branch", 1, cpu::classes_of({HAL_BRANCH, HAL_CALL}), "the same model: bpu"}},
    .counted_integer = {0.75, cpu::by_kernels},
    .counted_move = {0.25, cpu::by_kernels}};

const Registration<cpu::CpuPart> registration{
    {.name = "powerpc_601",
     .summary = "PowerPC 601, 80 MHz (Parsytec Mesh of Clos)",
     .clock_MHz = {80, "FACTS 4.1"},
     .pipeline = pipeline,
     .cycles = cycles,
     .cache_KiB = {256, "assumed: a second one on the board, as 32 KB alone would have LINPACK at the rate of memory"},
     .memory_MBps = {60, "recalled: STREAM triad, 50 to 70 MB/s (docs/cpu.md)"},
     .counted_error = {0.26, cpu::by_errors},
     .binary_error = {0.31, cpu::by_errors},
     .caches = {.data = {32, 64, 8, "recalled: 32 KB, 8-way, 64-byte lines, of instructions and data"},
                .second = {256, 64, 1, "assumed: on the board, direct-mapped"},
                .second_cycles = {12, "assumed: 150 ns of SRAM behind the bus"},
                .memory_ns = {600, "assumed: a line in ten cycles of a bus at half the clock, and DRAM of 60 ns"},
                .misprediction_cycles = {2, "recalled: branches are resolved in the decode stage"}}}};

}  // namespace
}  // namespace sanvp::host
