/// Alpha 21264A at 833 MHz, of the AlphaServer ES40: four instructions a cycle, out of order.
#include "models/native/cpu_part.hpp"

namespace sanvp::host {
namespace {

const Registration<native::CpuPart> registration{{.name = "alpha_21264a",
                                          .summary = "Alpha 21264A, 833 MHz: the AlphaServer ES40's (QsNET)",
                                          .clock_MHz = {833, "FACTS 1.1"},
                                          .cycles = {{{0.5, "assumed"},
                                                      {0.5, "assumed"},
                                                      {2, "assumed"},
                                                      {20, "assumed"},
                                                      {1, "assumed"},
                                                      {1, "assumed"},
                                                      {0.5, "assumed"},
                                                      {2, "assumed"},
                                                      {1, "assumed"},
                                                      {1, "assumed"},
                                                      {15, "assumed"},
                                                      {33, "assumed"},
                                                      {1, "assumed"},
                                                      {0, "assumed"},
                                                      {10, "assumed"}}},
                                          .cache_KiB = {8192, "assumed"},
                                          .memory_MBps = {1000, "assumed"}}};

}  // namespace
}  // namespace sanvp::host
