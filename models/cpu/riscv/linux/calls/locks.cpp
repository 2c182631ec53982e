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

/// From the start of the file, as the file by which the process locks has a position of its own.
static std::int64_t from_start(struct flock& region, OpenFile& file) {
  region.l_pid = 0;
  if (region.l_whence != SEEK_CUR) return 0;
  const std::int64_t position = file.seek(0, SEEK_CUR);
  if (position < 0) return position;
  region.l_start += position;
  region.l_whence = SEEK_SET;
  return 0;
}

Result find_lock(Call& call, const std::shared_ptr<OpenFile>& file, LockOwner owner) {
  auto region = call.memory().read<struct flock>(call[2]);
  if (!region) return -EFAULT;
  const std::int64_t wrong = from_start(*region, *file);
  if (wrong < 0) return wrong;
  const auto by = owner == LockOwner::process ? call.process.files().locking(file) : file;
  const std::int64_t found = by->find_lock(*region);
  if (found < 0) return found;
  region->l_pid = 0;
  return call.memory().write(call[2], *region) ? 0 : -EFAULT;
}

/// Whether a descriptor that has been opened with these flags may set such a lock.
static bool permits(int flags, const struct flock& region) {
  const int needed = region.l_type == F_WRLCK ? O_WRONLY : O_RDONLY;
  return region.l_type == F_UNLCK || (flags & O_ACCMODE) == O_RDWR || (flags & O_ACCMODE) == needed;
}

Result set_lock(Call& call, const std::shared_ptr<OpenFile>& file, LockOwner owner, bool waits) {
  auto region = call.memory().read<struct flock>(call[2]);
  if (!region) return -EFAULT;
  const std::int64_t wrong = from_start(*region, *file);
  if (wrong < 0) return wrong;
  auto by = file;
  if (owner == LockOwner::process && permits(file->flags, *region)) {
    by = call.process.files().locking(file);
    if (!permits(by->flags, *region)) by = file;
  }
  return result_of(call, by->lock_region(*region), waits);
}

}  // namespace sanvp::riscv::os
