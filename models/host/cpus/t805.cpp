/// INMOS T805 of 30 MHz (Parsytec GCel): a stack machine, microcoded; data in external memory.
#include "models/cpu/costs/cpu_part.hpp"

namespace sanvp::host {
namespace {

constexpr const char* fitted =
    "fitted to LINPACK n=100: an operation is two or three instructions of a stack machine, with its workspace in "
    "external memory (docs/cpu.md)";
constexpr const char* documented = "recalled: the transputer's instruction set manual (docs/cpu.md)";

constexpr cpu::SourcedCycles cycles{{
    {8, fitted},               // integer
    {12, fitted},              // shift
    {42, documented},          // multiply
    {43, documented},          // divide
    {17, fitted},              // load
    {17, fitted},              // store
    {8, fitted},               // branch
    {10, fitted},              // call
    {10, fitted},              // float_add
    {22, fitted},              // float_multiply
    {37, documented},          // float_divide
    {244, documented},         // float_sqrt
    {20, documented},          // conversion
    {3, fitted},               // move
    {20, "assumed: one CPU"},  // atomic
    cpu::two_instructions,     // float_fused
}};

const Registration<cpu::CpuPart> registration{
    {.name = "t805",
     .summary = "INMOS T805, 30 MHz (Parsytec GCel)",
     .clock_MHz = {30, "FACTS 5"},
     .cycles = cycles,
     .cache_KiB = {4, "data sheet: 4 KB on the chip"},
     .memory_MBps = {20, "assumed: half of the 40 MB/s that external memory can have at most"}}};  // it has no cache

}  // namespace
}  // namespace sanvp::host
