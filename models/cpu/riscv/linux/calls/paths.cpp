/// newfstatat, fstat, statfs, fstatfs, readlinkat, unlinkat, mkdirat, faccessat: by path, within the job's folder.
#include <sys/stat.h>
#include <unistd.h>

#include "models/cpu/riscv/linux/calls/paths.hpp"
#include "models/cpu/riscv/linux/system_files.hpp"

namespace sanvp::riscv::os {
namespace {

/// struct stat of RISC-V (include/uapi/asm-generic/stat.h).
struct Status {
  std::uint64_t device, inode;
  std::uint32_t mode, links, user, group;
  std::uint64_t special_device, padding;
  std::int64_t bytes;
  std::int32_t block_bytes, padding_2;
  std::int64_t blocks;
  std::int64_t accessed, accessed_ns, modified, modified_ns, changed, changed_ns;
  std::uint32_t unused[2];
};
static_assert(sizeof(Status) == 128);

Result put(Call& call, std::uint64_t address, const struct stat& status) {
  const Status converted{.device = status.st_dev,
                         .inode = status.st_ino,
                         .mode = status.st_mode,
                         .links = static_cast<std::uint32_t>(status.st_nlink),
                         .user = status.st_uid,
                         .group = status.st_gid,
                         .special_device = status.st_rdev,
                         .padding = 0,
                         .bytes = status.st_size,
                         .block_bytes = static_cast<std::int32_t>(status.st_blksize),
                         .padding_2 = 0,
                         .blocks = status.st_blocks,
                         .accessed = status.st_atim.tv_sec,
                         .accessed_ns = status.st_atim.tv_nsec,
                         .modified = status.st_mtim.tv_sec,
                         .modified_ns = status.st_mtim.tv_nsec,
                         .changed = status.st_ctim.tv_sec,
                         .changed_ns = status.st_ctim.tv_nsec,
                         .unused = {}};
  return call.memory().write(address, converted) ? 0 : -EFAULT;
}

Result fstat(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  struct stat status {};
  const std::int64_t result = descriptor->file->status(status);
  return result < 0 ? Result(result) : put(call, call[1], status);
}

Result newfstatat(Call& call) {
  const auto path = call.memory().text(call[1], longest_path);
  if (!path) return -EFAULT;
  if (path->empty() && (call[3] & AT_EMPTY_PATH) != 0) {
    Call of_descriptor{call.process, call.thread, {call[0], call[2]}};
    return fstat(of_descriptor);
  }
  struct stat status {};
  if (const auto file = system_file(call.process, *path)) {
    file->status(status);
    if (*path == "/proc/self/exe" && (call[3] & AT_SYMLINK_NOFOLLOW) != 0) {
      status.st_mode = S_IFLNK | 0777;
      status.st_size = 0;
    }
    return put(call, call[2], status);
  }
  if (call.process.files().is_above(*path))
    return ::stat(path->c_str(), &status) != 0 ? Result(-errno) : put(call, call[2], status);
  const bool follows_link = (call[3] & AT_SYMLINK_NOFOLLOW) == 0;
  const JobFile file = call.process.files().find_path(call.integer(0), *path, follows_link);
  if (file.error() != 0) return file.error();
  return ::fstat(file.descriptor(), &status) != 0 ? Result(-errno) : put(call, call[2], status);
}

Result readlinkat(Call& call) {
  auto path = call.memory().text(call[1], longest_path);
  if (!path) return -EFAULT;
  if (call.integer(3) <= 0) return -EINVAL;
  std::string target(longest_path, 0);
  const Files& files = call.process.files();
  if (files.is_above(*path) || *path == files.folder()) return -EINVAL;  // the folder's path has no links
  if (*path == "/proc/self/exe") {
    target = call.process.own_path();
  } else {
    const JobFile parent = call.process.files().find_parent(call.integer(0), *path);
    if (parent.error() != 0) return parent.error();
    const std::int64_t length = ::readlinkat(parent.descriptor(), path->c_str(), target.data(), target.size());
    if (length < 0) return -errno;
    target.resize(static_cast<std::size_t>(length));
  }
  const std::size_t count = std::min<std::size_t>(target.size(), call[3]);
  const auto place = call.memory().bytes_at(call[2], count, writable);
  if (!place) return -EFAULT;
  std::memcpy(place->data(), target.data(), count);
  return count;
}

Result unlinkat(Call& call) {
  const Place place(call, 0, 1);
  if (place.error() != 0) return place.error();
  return ::unlinkat(place.folder(), place.name(), call.integer(2) & AT_REMOVEDIR) == 0 ? 0 : -errno;
}

Result mkdirat(Call& call) {
  const Place place(call, 0, 1);
  if (place.error() != 0) return place.error();
  return ::mkdirat(place.folder(), place.name(), call[2] & 0777) == 0 ? 0 : -errno;
}

Result faccessat(Call& call) {
  const auto path = call.memory().text(call[1], longest_path);
  if (!path) return -EFAULT;
  if (const auto file = system_file(call.process, *path)) {
    struct stat status {};
    file->status(status);
    const unsigned wanted = call[2] & (R_OK | W_OK | X_OK);  // the bits of others, as the files are another user's
    return (status.st_mode & wanted) == wanted ? 0 : -EACCES;
  }
  if (call.process.files().is_above(*path)) return (call.integer(2) & W_OK) != 0 ? -EACCES : 0;
  const JobFile file = call.process.files().find_path(call.integer(0), *path, true);
  if (file.error() != 0) return file.error();
  const std::string same = "/proc/self/fd/" + std::to_string(file.descriptor());
  return ::faccessat(AT_FDCWD, same.c_str(), call.integer(2), 0) == 0 ? 0 : -errno;
}

/// struct statfs: a file system that has room for all. The free space of the simulating computer would differ from run
/// to run.
struct FileSystem {
  std::uint64_t kind = 0xEF53;                                          // EXT4_SUPER_MAGIC of linux/magic.h
  std::uint64_t block_bytes = 4096;                                     // ext4's
  std::uint64_t blocks = 1 << 28, free = 1 << 28, available = 1 << 28;  // a TiB
  std::uint64_t files = 1 << 24, free_files = 1 << 24;                  // one for each 64 KiB
  std::array<std::int32_t, 2> id{};
  std::uint64_t longest_name = NAME_MAX, fragment_bytes = 4096, flags = 0;
  std::array<std::uint64_t, 4> unused{};
};
static_assert(sizeof(FileSystem) == 120);

Result put_file_system(Call& call) { return call.memory().write(call[1], FileSystem{}) ? 0 : -EFAULT; }

Result statfs(Call& call) {
  const auto path = call.memory().text(call[0], longest_path);
  if (!path) return -EFAULT;
  if (call.process.files().is_above(*path)) return put_file_system(call);
  if (system_file(call.process, *path)) return put_file_system(call);
  const JobFile file = call.process.files().find_path(AT_FDCWD, *path, true);
  return file.error() != 0 ? file.error() : put_file_system(call);
}

Result fstatfs(Call& call) {
  return call.process.files().find(call.integer(0)) == nullptr ? -EBADF : put_file_system(call);
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"statfs", "the file system of a file", 43, statfs}),
    SystemCallRegistration({"fstatfs", "the file system of a descriptor", 44, fstatfs}),
    SystemCallRegistration({"faccessat2", "whether a file may be accessed", 439, faccessat}),
    SystemCallRegistration({"fstat", "status of a descriptor", 80, fstat}),
    SystemCallRegistration({"newfstatat", "status of a file", 79, newfstatat}),
    SystemCallRegistration({"readlinkat", "target of a link; the program's own path", 78, readlinkat}),
    SystemCallRegistration({"unlinkat", "removes a file or a folder", 35, unlinkat}),
    SystemCallRegistration({"mkdirat", "makes a folder", 34, mkdirat}),
    SystemCallRegistration({"faccessat", "whether a file may be accessed", 48, faccessat})};

}  // namespace
}  // namespace sanvp::riscv::os
