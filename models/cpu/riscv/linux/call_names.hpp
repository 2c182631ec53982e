/// Names of system calls that are not there, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace sanvp::riscv::os {

/// "198 (socket)"; the number alone where the name is not known.
std::string call_text(std::uint64_t number);

}  // namespace sanvp::riscv::os
