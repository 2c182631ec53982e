/// Names of missing system calls, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace sanvp::riscv::os {

/// "198 (socket)"; only the number if the name is unknown.
std::string call_text(std::uint64_t number);

}  // namespace sanvp::riscv::os
