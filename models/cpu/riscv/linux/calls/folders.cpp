/// getdents64, renameat2, linkat, symlinkat, fchmod, fchmodat, utimensat, truncate, umask: what a folder has, and
/// changes to it.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "models/cpu/riscv/linux/calls/paths.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned permission_bits = 0777;

Result or_error(std::int64_t result) { return result < 0 ? -errno : result; }

Result getdents64(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  constexpr std::uint64_t most = 1 << 16;
  const auto place = call.memory().bytes_at(call[1], std::min(call[2], most), writable);
  return place ? Result(descriptor->file->read_entries(*place)) : -EFAULT;
}

/// Whether it is a link by which a user of the folder would get elsewhere from `to`, perhaps out of the job's folder.
bool leads_elsewhere(const Place& place, const Place& to) {
  std::array<char, longest_path> target;
  const ssize_t length = ::readlinkat(place.folder(), place.name(), target.data(), target.size());
  if (length < 0 || !has_parents(std::string(target.data(), static_cast<std::size_t>(length)))) return false;
  struct stat before {
  }, after{};
  const bool is_known = ::fstat(place.folder(), &before) == 0 && ::fstat(to.folder(), &after) == 0;
  return !is_known || before.st_ino != after.st_ino || before.st_dev != after.st_dev;
}

Result renameat2(Call& call) {
  const Place from(call, 0, 1), to(call, 2, 3);
  if (from.error() != 0 || to.error() != 0) return from.error() != 0 ? from.error() : to.error();
  if (leads_elsewhere(from, to) || ((call[4] & RENAME_EXCHANGE) != 0 && leads_elsewhere(to, from))) return -EPERM;
  constexpr std::uint64_t known = RENAME_NOREPLACE | RENAME_EXCHANGE;
  if ((call[4] & ~known) != 0) return -EINVAL;
  return or_error(::renameat2(from.folder(), from.name(), to.folder(), to.name(), static_cast<unsigned>(call[4])));
}

/// The program itself cannot follow a link out of the folder, but a user of the folder could.
Result symlinkat(Call& call) {
  const auto target = call.memory().text(call[0], longest_path);
  if (!target) return -EFAULT;
  if (target->starts_with('/') || has_parents(*target)) return -EPERM;
  const Place place(call, 1, 2);
  return place.error() != 0 ? place.error() : or_error(::symlinkat(target->c_str(), place.folder(), place.name()));
}

Result linkat(Call& call) {
  const auto path = call.memory().text(call[1], longest_path);
  if (!path) return -EFAULT;
  if ((call[4] & ~std::uint64_t{AT_SYMLINK_FOLLOW}) != 0) return -EINVAL;
  const bool follows = (call[4] & AT_SYMLINK_FOLLOW) != 0;
  const Place from(call, 0, 1), to(call, 2, 3);
  if (from.error() != 0 || to.error() != 0) return from.error() != 0 ? from.error() : to.error();
  if (!follows && leads_elsewhere(from, to)) return -EPERM;
  const JobFile file = call.process.files().find_path(call.integer(0), *path, follows);
  if (file.error() != 0) return file.error();
  if (!follows) return or_error(::linkat(from.folder(), from.name(), to.folder(), to.name(), 0));
  return or_error(::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(file.descriptor())).c_str(), to.folder(),
                           to.name(), AT_SYMLINK_FOLLOW));
}

/// By a descriptor of the file itself (O_PATH).
template <class Change>
Result change_by_path(Call& call, std::size_t folder, std::size_t path, Change change, bool follows = true) {
  const auto text = call.memory().text(call[path], longest_path);
  if (!text) return -EFAULT;
  const JobFile file = call.process.files().find_path(call.integer(folder), *text, follows);
  if (file.error() != 0) return file.error();
  return or_error(change(("/proc/self/fd/" + std::to_string(file.descriptor())).c_str()));
}

Result fchmodat(Call& call) {
  return change_by_path(call, 0, 1, [&](const char* path) { return ::chmod(path, call[2] & permission_bits); });
}

Result fchmod(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  return descriptor == nullptr ? -EBADF : descriptor->file->change_mode(call[1] & permission_bits);
}

Result truncate(Call& call) {
  Call of_folder{call.process, call.thread, {static_cast<std::uint64_t>(AT_FDCWD), call[0]}};
  return change_by_path(of_folder, 0, 1,
                        [&](const char* path) { return ::truncate(path, static_cast<off_t>(call[1])); });
}

Result utimensat(Call& call) {
  using Times = std::array<struct timespec, 2>;
  const auto given = call[2] == 0 ? std::optional<Times>{Times{}} : call.memory().read<Times>(call[2]);
  if (!given) return -EFAULT;
  const struct timespec* const times = call[2] == 0 ? nullptr : given->data();
  if (call[1] == 0) {
    const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
    return descriptor == nullptr ? -EBADF : descriptor->file->change_times(times);
  }
  const bool follows = (call[3] & AT_SYMLINK_NOFOLLOW) == 0;
  return change_by_path(
      call, 0, 1, [&](const char* path) { return ::utimensat(AT_FDCWD, path, times, 0); }, follows);
}

/// The simulating computer's own applies.
Result umask(Call& /*call*/) {
  constexpr std::int64_t usual = 022;
  return usual;
}

/// The caller copies by read and write, which take the time of disks.
Result sendfile(Call& /*call*/) { return -EINVAL; }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"getdents64", "what a folder has, in the order of names", 61, getdents64}),
    SystemCallRegistration({"renameat2", "another name of a file", 276, renameat2}),
    SystemCallRegistration({"symlinkat", "a symbolic link", 36, symlinkat}),
    SystemCallRegistration({"linkat", "a second name of a file", 37, linkat}),
    SystemCallRegistration({"truncate", "length of a file", 45, truncate}),
    SystemCallRegistration({"fchmod", "permissions of a file", 52, fchmod}),
    SystemCallRegistration({"fchmodat", "permissions of a file", 53, fchmodat}),
    SystemCallRegistration({"utimensat", "times of a file", 88, utimensat}),
    SystemCallRegistration({"umask", "is always 022", 166, umask}),
    SystemCallRegistration({"sendfile", "EINVAL: the caller reads and writes", 71, sendfile})};

}  // namespace
}  // namespace sanvp::riscv::os
