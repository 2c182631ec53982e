/// SPARC64 VIIIfx of 2 GHz (K computer, TOFU): four instructions a cycle, out of order; scalar code.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented = "assumed: division and root by reciprocal approximation, about 30 cycles";

constexpr const char* fused = "Maruyama 2010: 128 Gflop/s of eight cores are two pipelines of two lanes each";

constexpr cpu::SourcedCycles cycles{{
    {0.4, by_libraries},                     // integer
    {0.4, by_libraries},                     // shift
    {2.5, "recalled: 2 to 5 cycles"},        // multiply
    {37, "assumed"},                         // divide
    {0.5, by_libraries},                     // load
    {0.6, by_libraries},                     // store
    {0.5, by_libraries},                     // branch
    {1.5, by_libraries},                     // call
    {0.4, by_libraries},                     // float_add
    {0.4, by_libraries},                     // float_multiply
    {30, documented},                        // float_divide
    {30, documented},                        // float_sqrt
    {3, "assumed: through memory"},          // conversion
    {0.15, by_libraries},                    // move
    {40, "recalled: cas, 30 to 50 cycles"},  // atomic
    {0.5, fused},                            // float_fused
}};

constexpr const char* on_chip = "Maruyama 2010: 32 KB each; recalled: 2-way, 128-byte lines";

constexpr const char* recalled = "recalled: SPARC64 VI's and VII's, of which it is a successor";
constexpr const char* pipes = "Maruyama 2010: two integer units, two address units, four units of multiply-add";

const cpu::SourcedPipeline pipeline{
    .issue = {4, "Maruyama 2010: four instructions a cycle"},
    .window = {48, "recalled: 48 entries of its commit stack"},
    .classes = {{
        {1, 1, recalled},                            // integer
        {1, 1, recalled},                            // shift
        {1, 4, "recalled: 2 to 5 cycles"},           // multiply
        {37, 37, "assumed"},                         // divide
        {1, 4, recalled},                            // load
        {1, 1, recalled},                            // store
        {1, 1, recalled},                            // branch
        {1, 1, recalled},                            // call
        {1, 6, recalled},                            // float_add
        {1, 6, recalled},                            // float_multiply
        {30, 30, documented},                        // float_divide
        {30, 30, documented},                        // float_sqrt
        {1, 10, "assumed: through memory"},          // conversion
        {1, 1, recalled},                            // move
        {40, 40, "recalled: cas, 30 to 50 cycles"},  // atomic
        {1, 6, fused},                               // float_fused
    }},
    .float_load_latency = {4, recalled},
    .units = {{"integer", 2, cpu::classes_of({HAL_INTEGER, HAL_SHIFT, HAL_MULTIPLY, HAL_DIVIDE, HAL_MOVE}), pipes},
              {"address", 2, cpu::classes_of({HAL_LOAD, HAL_STORE, HAL_ATOMIC}), pipes},
              {"store", 1, cpu::classes_of({HAL_STORE}), "recalled: a store a cycle"},
              {"branch", 1, cpu::classes_of({HAL_BRANCH, HAL_CALL}), "assumed"},
              {"float", 2,
               cpu::classes_of({HAL_FLOAT_ADD, HAL_FLOAT_MULTIPLY, HAL_FLOAT_DIVIDE, HAL_FLOAT_SQRT, HAL_CONVERSION,
                                HAL_FLOAT_FUSED}),
               fused}},
    .lanes = {2, "Maruyama 2010: an instruction of vectors uses both lanes of a unit"},
    .counted_integer = {1.21, cpu::by_kernels},
    .counted_move = {0.36, cpu::by_kernels}};

const Registration<cpu::CpuPart> registration{
    {.name = "sparc64_8fx",
     .summary = "SPARC64 VIIIfx, 2 GHz: the K computer's (TOFU)",
     .clock_MHz = {2000, "Maruyama et al., IEEE Micro 30(2), 2010"},
     .pipeline = pipeline,
     .cycles = cycles,
     .cache_KiB = {6144, "Maruyama 2010: 6 MB for the eight cores"},
     .memory_MBps = {15000, "assumed: a third of what the eight cores get"},
     .counted_error = {0.11, cpu::by_errors},
     .binary_error = {0.13, cpu::by_errors},
     .caches = {
         .instructions = {32, 128, 2, on_chip},
         .data = {32, 128, 2, on_chip},
         .second = {6144, 128, 12, "Maruyama 2010: 6 MB for the eight cores; recalled: 12-way"},
         .second_cycles = {35, "assumed"},
         .second_line_cycles = {2, "assumed: 32 bytes a cycle each way"},
         .memory_ns = {90, "assumed: the controller is on the chip"},
         .misses_in_flight = {8, "assumed: one of six instructions in its window is a load that misses"},
         .prefetch_streams = {8, "recalled: its instructions can say that data be not fetched ahead; assumed: 8"},
         .misprediction_cycles = {12, "assumed: from fetch to execution"}}}};

}  // namespace
}  // namespace sanvp::host
