/// Locks on parts of files, for fcntl.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// Whose a lock is: locks of one owner do not exclude one another.
enum class LockOwner : std::uint8_t {
  process,    ///< F_SETLK
  open_file,  ///< F_OFD_SETLK
};

/// F_GETLK: the first lock that conflicts with the one at the third argument. Does not say which process holds it.
Result find_lock(Call& call, const std::shared_ptr<OpenFile>& file, LockOwner owner);

/// F_SETLK and, if it waits, F_SETLKW.
Result set_lock(Call& call, const std::shared_ptr<OpenFile>& file, LockOwner owner, bool waits);

}  // namespace sanvp::riscv::os
