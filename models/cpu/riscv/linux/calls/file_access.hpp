/// Accesses of files take the time of the machine's disks, if the process is told it.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// Tells a regular file from all others; 0: it is none.
std::uint64_t file_number(const OpenFile& file);

/// Ends a call that has read or written `bytes` of a file, from byte `begin` on, or has synced it: the thread waits
/// until its request ends. For anything but a regular file the call has ended.
Result after_access(Call& call, const OpenFile& file, FileAccess::Way way, std::int64_t begin, std::int64_t bytes);

}  // namespace sanvp::riscv::os
