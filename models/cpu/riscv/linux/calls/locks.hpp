/// Locks on parts of files, for fcntl.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// F_GETLK: the first lock that stands in the way of the one at the third argument. Which process holds it is not told.
Result find_lock(Call& call, const OpenFile& file);

/// F_SETLK and, where it waits, F_SETLKW.
Result set_lock(Call& call, OpenFile& file, bool waits);

}  // namespace sanvp::riscv::os
