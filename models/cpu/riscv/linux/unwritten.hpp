/// What a program has printed and its C or Fortran library still holds in a buffer: it fills whole buffers before it
/// writes them, as standard output is no terminal.
#pragma once

#include <string>

namespace sanvp::riscv::os {

class Process;

/// The held-back part of standard output. Empty if the program has none, has redirected it, or its file has no
/// symbols. Memory is only read: simulated time and the process are left as they are.
std::string unwritten_output(Process& process);

}  // namespace sanvp::riscv::os
