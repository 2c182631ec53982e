/// Locks on parts of files, for fcntl.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// F_GETLK: the first lock that conflicts with the one at the third argument. Does not say which process holds it.
Result find_lock(Call& call, const OpenFile& file);

/// F_SETLK and, if it waits, F_SETLKW.
Result set_lock(Call& call, OpenFile& file, bool waits);

}  // namespace sanvp::riscv::os
