/// Output of firmware.
#pragma once

#include <cstdio>
#include <utility>

#include "models/native/fiber.hpp"

namespace sanvp::native {

/// Resumes firmware with standard error as its `stdout`: the simulator's is for the lines of ranks and for `--json -`.
inline void resume_firmware(Fiber& code) {
  std::FILE* const simulators = std::exchange(stdout, stderr);
  code.resume();
  stdout = simulators;
}

}  // namespace sanvp::native
