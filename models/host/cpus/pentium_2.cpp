/// Pentium II of 450 MHz (Myrinet): three micro-operations a cycle, out of order.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented = "GCC's model of the P6 (gcc/config/i386/ppro.md)";

constexpr cpu::SourcedCycles cycles{{
    {0.55, by_libraries},                                  // integer
    {0.8, by_libraries},                                   // shift
    {3, documented},                                       // multiply
    {39, documented},                                      // divide
    {1.2, by_libraries},                                   // load
    {1.4, by_libraries},                                   // store
    {1, by_libraries},                                     // branch
    {3, by_libraries},                                     // call
    {2, by_libraries},                                     // float_add
    {2.5, by_libraries},                                   // float_multiply
    {35, documented},                                      // float_divide
    {55, "recalled: 29 to 57 cycles"},                     // float_sqrt
    {6, documented},                                       // conversion
    {0.5, by_libraries},                                   // move
    {25, "recalled: lock, 20 to 30 cycles in the cache"},  // atomic
    cpu::two_instructions,                                 // float_fused
}};

constexpr const char* on_chip = "recalled: 16 KB each, 4-way, 32-byte lines";

const cpu::SourcedPipeline pipeline{
    .issue = {3, documented},
    .window = {40, "Intel Architecture Optimization Manual (245127), 1: a reorder buffer of 40 micro-operations"},
    .classes = {{
        {1, 1, documented},                                            // integer
        {1, 1, documented},                                            // shift
        {1, 4, documented},                                            // multiply
        {37, 39, documented},                                          // divide
        {1, 3, documented},                                            // load
        {1, 1, "the same model: two micro-operations", 2},             // store
        {1, 1, documented},                                            // branch
        {1, 1, "the same model: typically four micro-operations", 4},  // call
        {1, 3, documented},                                            // float_add
        {2, 5, documented},                                            // float_multiply
        {31, 32, documented},                                          // float_divide
        {56, 57, "recalled: 29 to 57 cycles"},                         // float_sqrt
        {2, 5, documented},                                            // conversion
        {1, 1, documented},                                            // move
        {25, 25, "recalled: lock, 20 to 30 cycles in the cache"},      // atomic
        {0, 0, "it has none: a multiplication and an addition"},       // float_fused
    }},
    .float_load_latency = {3, documented},
    .units = {
        {"port_0", 1,
         cpu::classes_of({HAL_SHIFT, HAL_MULTIPLY, HAL_FLOAT_ADD, HAL_FLOAT_MULTIPLY, HAL_FLOAT_FUSED, HAL_CONVERSION}),
         "the same model"},
        {"ports_0_1", 2,
         cpu::classes_of({HAL_INTEGER, HAL_SHIFT, HAL_MULTIPLY, HAL_BRANCH, HAL_MOVE, HAL_FLOAT_ADD, HAL_FLOAT_MULTIPLY,
                          HAL_FLOAT_FUSED, HAL_CONVERSION}),
         "the same model"},
        {"port_1", 1, cpu::classes_of({HAL_BRANCH}), "the same model"},
        {"port_2", 1, cpu::classes_of({HAL_LOAD, HAL_ATOMIC}), "the same model: a load a cycle"},
        {"ports_3_4", 1, cpu::classes_of({HAL_STORE}), "the same model: a store a cycle"},
        {"integer_divider", 1, cpu::classes_of({HAL_DIVIDE}), "the same model: idiv"},
        {"float_divider", 1, cpu::classes_of({HAL_FLOAT_DIVIDE, HAL_FLOAT_SQRT}), "the same model: fdiv"}}};

const Registration<cpu::CpuPart> registration{
    {.name = "pentium_2",
     .summary = "Pentium II, 450 MHz: a PC of 1999 (Myrinet)",
     .clock_MHz = {450, "of the period: platform/machines/base/myrinet.ini"},
     .pipeline = pipeline,
     .cycles = cycles,
     .cache_KiB = {512, "recalled: 512 KB at half the clock"},
     .memory_MBps = {310, "recalled: STREAM triad with a 440BX and PC100 memory, 300 to 340 MB/s (docs/cpu.md)"},
     .counted_error = {0.20, cpu::by_errors},
     .binary_error = {0.15, cpu::by_errors},
     .caches = {.instructions = {16, 32, 4, on_chip},
                .data = {16, 32, 4, on_chip},
                .second = {512, 32, 4, "recalled: 512 KB at half the clock, 4-way"},
                .second_cycles = {11, "recalled: 14 cycles for a load, 3 of them the first level's"},
                .second_line_cycles = {8, "recalled: 8 bytes at half the clock"},
                .memory_ns = {140, "recalled: 440BX and PC100 memory, 130 to 150 ns"},
                .misses_in_flight = {2, "calibrated: the same STREAM triad; up to 4 are possible"},
                .misprediction_cycles = {11, "recalled: 10 to 15 cycles"}}}};

}  // namespace
}  // namespace sanvp::host
