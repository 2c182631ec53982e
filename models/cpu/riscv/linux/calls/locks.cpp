/// flock, and the locks of fcntl: advisory locks that the ranks of a run have on files of their job's folder. All ranks
/// are one process of the simulating computer: locks of open file descriptions tell them apart.
#include "models/cpu/riscv/linux/calls/locks.hpp"

#include <sys/file.h>

#include "models/cpu/riscv/linux/calls/wait_for_files.hpp"

namespace sanvp::riscv::os {
namespace {

/// A lock that another rank holds is retried after this span. An assumption: about the time that a kernel takes to wake
/// a process. Native programs: sw/hal/locks.c.
constexpr std::int64_t retry_ps = 20'000'000;

/// @param waits  if another one holds the lock
Result result_of(Call& call, std::int64_t done, bool waits) {
  const bool is_held = done == -EWOULDBLOCK || done == -EACCES;
  if (!is_held || !waits) return done;
  return wait_for_files(call, call.thread.hart.time_ps + retry_ps, true);
}

Result flock(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  const int operation = call.integer(1);
  return result_of(call, descriptor->file->lock(operation), (operation & LOCK_NB) == 0);
}

const SystemCallRegistration registration({"flock", "locks a file", 32, flock});

}  // namespace

Result find_lock(Call& call, const OpenFile& file) {
  auto region = call.memory().read<struct flock>(call[2]);
  if (!region) return -EFAULT;
  region->l_pid = 0;
  const std::int64_t found = file.find_lock(*region);
  if (found < 0) return found;
  region->l_pid = 0;
  return call.memory().write(call[2], *region) ? 0 : -EFAULT;
}

Result set_lock(Call& call, OpenFile& file, bool waits) {
  auto region = call.memory().read<struct flock>(call[2]);
  if (!region) return -EFAULT;
  region->l_pid = 0;
  return result_of(call, file.lock_region(*region), waits);
}

}  // namespace sanvp::riscv::os
