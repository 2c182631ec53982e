/// Calls that wait for a pipe are retried when files have changed.
#pragma once

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {

/// Suspends the caller; then its system call begins again.
/// @param until_ps  or at this time
/// @param restarts  also after a signal whose handler has SA_RESTART
/// @param rest      address for the time that was left when a signal ended the wait; 0: none
inline Result wait_for_files(Call& call, std::optional<std::int64_t> until_ps, bool restarts = false,
                             std::uint64_t rest = 0) {
  call.thread.hart.pc -= ecall_bytes;
  call.process.suspend(call.thread,
                       {.what = Wait::For::retry, .until_ps = until_ps, .rest = rest, .restarts = restarts});
  return no_result;
}

}  // namespace sanvp::riscv::os
