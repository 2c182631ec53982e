/// openat, close, lseek, ftruncate, fallocate, fsync, dup, fcntl, pipe2, ioctl.
#include <sys/ioctl.h>

#include <algorithm>

#include "models/cpu/riscv/linux/calls/file_access.hpp"
#include "models/cpu/riscv/linux/calls/locks.hpp"
#include "models/cpu/riscv/linux/open_flags.hpp"
#include "models/cpu/riscv/linux/system_call.hpp"
#include "models/cpu/riscv/linux/system_files.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr std::size_t longest_path = 4096;

Result openat(Call& call) {
  const auto path = call.memory().text(call[1], longest_path);
  if (!path) return -EFAULT;
  const int flags = host_open_flags(call.integer(2));
  if (auto file = system_file(call.process, *path)) {
    struct stat status {};
    file->status(status);
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return -EEXIST;
    if ((flags & O_DIRECTORY) != 0) return -ENOTDIR;
    if ((flags & O_ACCMODE) != O_RDONLY && (status.st_mode & S_IWOTH) == 0) return -EACCES;
    file->flags = flags & (O_ACCMODE | O_APPEND | O_NONBLOCK | O_LARGEFILE);
    return call.process.files().add(std::move(file), (flags & O_CLOEXEC) != 0);
  }
  return call.process.files().open(call.integer(0), *path, flags, static_cast<unsigned>(call[3]));
}

Result close(Call& call) {
  if (!call.process.files().close(call.integer(0))) return -EBADF;
  call.process.files_changed(call.thread.hart.time_ps);
  return 0;
}

Result lseek(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  return descriptor->file->seek(static_cast<std::int64_t>(call[1]), call.integer(2));
}

Result ftruncate(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  return descriptor == nullptr ? -EBADF : descriptor->file->truncate(static_cast<std::int64_t>(call[1]));
}

Result fsync(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  struct stat status {};
  const bool is_known = descriptor->file->status(status) >= 0;
  if (is_known && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return -EINVAL;
  return after_access(call, *descriptor->file, FileAccess::Way::sync, 0, 0);
}

/// Makes the file at least as long as the range.
Result fallocate(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  const auto begin = static_cast<std::int64_t>(call[2]), bytes = static_cast<std::int64_t>(call[3]);
  if (begin < 0 || bytes <= 0) return -EINVAL;
  if (call[1] != 0) return -EOPNOTSUPP;  // holes and the like
  struct stat status {};
  const std::int64_t result = descriptor->file->status(status);
  if (result < 0) return result;
  std::int64_t end = 0;
  if (__builtin_add_overflow(begin, bytes, &end)) return -EFBIG;
  return end <= status.st_size ? 0 : descriptor->file->truncate(end);
}

/// Advice has no effect.
Result fadvise64(Call& call) { return call.process.files().find(call.integer(0)) == nullptr ? -EBADF : 0; }

Result dup(Call& call) {
  Files& files = call.process.files();
  const Files::Descriptor* const descriptor = files.find(call.integer(0));
  return descriptor == nullptr ? -EBADF : files.add(descriptor->file, false);
}

Result dup3(Call& call) {
  Files& files = call.process.files();
  const Files::Descriptor* const descriptor = files.find(call.integer(0));
  const int target = call.integer(1);
  if (descriptor == nullptr || target < 0 || target >= Files::most) return -EBADF;
  if (target == call.integer(0)) return -EINVAL;
  files.put(target, descriptor->file, (call[2] & O_CLOEXEC) != 0);
  call.process.files_changed(call.thread.hart.time_ps);  // what the target was is closed
  return target;
}

Result fcntl(Call& call) {
  Files& files = call.process.files();
  Files::Descriptor* const descriptor = files.find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  switch (call[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      if (call.integer(2) < 0 || call.integer(2) >= Files::most) return -EINVAL;
      return files.add(descriptor->file, call[1] == F_DUPFD_CLOEXEC, call.integer(2));
    case F_GETFD:
      return descriptor->closes_on_exec ? FD_CLOEXEC : 0;
    case F_SETFD:
      descriptor->closes_on_exec = (call[2] & FD_CLOEXEC) != 0;
      return 0;
    case F_GETFL:
      return guest_open_flags(descriptor->file->flags);
    case F_SETFL:
      return descriptor->file->change_flags(call.integer(2) & (O_APPEND | O_NONBLOCK));
    case F_GETPIPE_SZ:
      return descriptor->file->pipe_bytes();
    case F_GETLK:
      return find_lock(call, descriptor->file, LockOwner::process);
    case F_OFD_GETLK:
      return find_lock(call, descriptor->file, LockOwner::open_file);
    case F_SETLK:
    case F_SETLKW:
      return set_lock(call, descriptor->file, LockOwner::process, call[1] == F_SETLKW);
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      return set_lock(call, descriptor->file, LockOwner::open_file, call[1] == F_OFD_SETLKW);
    default:
      return -EINVAL;
  }
}

Result pipe2(Call& call) {
  Files& files = call.process.files();
  const auto [reader, writer] = make_pipe();
  for (OpenFile* const end : {reader.get(), writer.get()}) end->flags |= call.integer(1) & O_NONBLOCK;
  const bool closes_on_exec = (call[1] & O_CLOEXEC) != 0;
  const int from = files.add(reader, closes_on_exec);
  if (from < 0) return from;
  const int to = files.add(writer, closes_on_exec);
  if (to >= 0 && call.memory().write(call[0], std::array<std::int32_t, 2>{from, to})) return 0;
  files.close(from);
  if (to >= 0) files.close(to);
  return to < 0 ? to : -EFAULT;
}

/// No descriptor is a terminal.
Result ioctl(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  if (call[1] != FIONREAD) return -ENOTTY;
  const std::int64_t bytes = descriptor->file->readable_bytes();
  if (bytes < 0) return bytes;
  return call.memory().write(call[2], static_cast<std::int32_t>(std::min<std::int64_t>(bytes, INT32_MAX))) ? 0
                                                                                                           : -EFAULT;
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"openat", "a file of the job's folder", 56, openat}),
    SystemCallRegistration({"close", "a descriptor", 57, close}),
    SystemCallRegistration({"lseek", "position in a file", 62, lseek}),
    SystemCallRegistration({"ftruncate", "length of a file", 46, ftruncate}),
    SystemCallRegistration({"fsync", "waits for the disk", 82, fsync}),
    SystemCallRegistration({"fdatasync", "waits for the disk", 83, fsync}),
    SystemCallRegistration({"fallocate", "a file is as long as that, at least", 47, fallocate}),
    SystemCallRegistration({"fadvise64", "does nothing", 223, fadvise64}),
    SystemCallRegistration({"dup", "another descriptor", 23, dup}),
    SystemCallRegistration({"dup3", "another descriptor, chosen", 24, dup3}),
    SystemCallRegistration({"fcntl", "flags of descriptors", 25, fcntl}),
    SystemCallRegistration({"pipe2", "a pipe within the process", 59, pipe2}),
    SystemCallRegistration({"ioctl", "bytes that can be read; no descriptor is a terminal", 29, ioctl})};

}  // namespace
}  // namespace sanvp::riscv::os
