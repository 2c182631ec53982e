/// INMOS T805 of 30 MHz (Parsytec GCel): a stack machine, microcoded; data in external memory.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* by_libraries =
    "assumed: what code of libraries takes on average, with host.cpu.library (docs/cpu.md)";
constexpr const char* documented = "recalled: the transputer's instruction set manual (docs/cpu.md)";

constexpr cpu::SourcedCycles cycles{{
    {8, by_libraries},         // integer
    {12, by_libraries},        // shift
    {42, documented},          // multiply
    {43, documented},          // divide
    {17, by_libraries},        // load
    {17, by_libraries},        // store
    {8, by_libraries},         // branch
    {10, by_libraries},        // call
    {10, by_libraries},        // float_add
    {22, by_libraries},        // float_multiply
    {37, documented},          // float_divide
    {244, documented},         // float_sqrt
    {20, documented},          // conversion
    {3, by_libraries},         // move
    {20, "assumed: one CPU"},  // atomic
    cpu::two_instructions,     // float_fused
}};

// Cycles of the T805's data sheet (table of instructions), of the instructions in brackets, and four cycles for each
// word of external memory, which has the program's data; its workspace is on the chip.
constexpr const char* sheet = "T805 data sheet: cycles of the instructions that it takes; workspace on the chip";
constexpr const char* external =
    "T805 data sheet: ldl, ldl, wsubdb, fpldnldb (fpstnldb); assumed: two words of external memory at four cycles each";

const cpu::SourcedPipeline pipeline{
    .issue = {1, "it executes one instruction after the other"},
    .window = {0, "it executes one instruction after the other"},
    .classes = {{
        {6, 6, sheet},           // integer: ldl, ldl, add, stl
        {12, 12, sheet},         // shift: ldl, ldc, shl with its prefix and a place more for each bit
        {43, 43, sheet},         // multiply: ldl, ldl, prod
        {44, 44, sheet},         // divide: ldl, ldl, div
        {18, 18, external},      // load
        {18, 18, external},      // store
        {6, 6, sheet},           // branch: gt, cj
        {12, 12, sheet},         // call, ret
        {7, 7, sheet},           // float_add: fpadd with its prefix
        {19, 19, sheet},         // float_multiply: fpmul
        {32, 32, sheet},         // float_divide: fpdiv
        {244, 244, documented},  // float_sqrt
        {20, 20, documented},    // conversion
        {0, 0, "assumed: an operand on the stack"},               // move
        {20, 20, "assumed: one CPU"},                             // atomic
        {0, 0, "it has none: a multiplication and an addition"},  // float_fused
    }},
    .float_load_latency = {18, external},
    .units = {
        {"processor", 1, ~0U,
         "assumed: one operation after the other; what the float unit overlaps with addresses makes up for loads of "
         "operands that x86-64 has in registers"}}};

const Registration<cpu::CpuPart> registration{
    {.name = "t805",
     .summary = "INMOS T805, 30 MHz (Parsytec GCel)",
     .clock_MHz = {30, "FACTS 5"},
     .pipeline = pipeline,
     .cycles = cycles,
     .cache_KiB = {4, "data sheet: 4 KB on the chip"},
     .memory_MBps = {20, "assumed: half of the 40 MB/s that external memory can have at most"}}};  // it has no cache

}  // namespace
}  // namespace sanvp::host
