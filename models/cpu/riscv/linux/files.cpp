#include "models/cpu/riscv/linux/files.hpp"

#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "models/cpu/riscv/linux/devices.hpp"
#include "models/cpu/riscv/linux/host_file.hpp"
#include "platform/core/error.hpp"

namespace sanvp::riscv::os {

namespace {

/// Whether a folder's files are an interface of the kernel: by them a program could change the simulator or the
/// computer.
bool is_of_kernel(int folder) {
  constexpr std::array<std::uint32_t, 9> kinds{PROC_SUPER_MAGIC,    SYSFS_MAGIC,      DEBUGFS_MAGIC,
                                               TRACEFS_MAGIC,       SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
                                               CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,     EFIVARFS_MAGIC};
  struct statfs system {};
  if (::fstatfs(folder, &system) != 0) return false;
  return std::find(kinds.begin(), kinds.end(), static_cast<std::uint32_t>(system.f_type)) != kinds.end();
}

/// Devices belong to the computer; by a FIFO or socket a program would talk to programs outside of the machine, whose
/// timing its results must not depend on.
bool may_be_opened(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode));
}

}  // namespace

Files::Files(const std::string& folder, const std::function<void(bool, std::string_view)>& output)
    : root_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (root_ < 0) throw UserError(folder, "is not a folder that can be opened");
  folder_ = std::filesystem::canonical(folder).string();
  if (is_of_kernel(root_)) {
    ::close(root_);
    throw UserError(folder_, "holds files of the kernel, which programs must not change: run it in another folder");
  }
  put(0, device("/dev/null", {}), false);
  put(1, std::make_shared<OutputStream>(false, output), false);
  put(2, std::make_shared<OutputStream>(true, output), false);
}

Files::~Files() {
  ::close(root_);
  if (work_ >= 0) ::close(work_);
}

std::string Files::working_folder() const {
  std::error_code none;  // then it is empty, and leads nowhere
  return work_ < 0 ? folder_ : std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(work_), none).string();
}

int Files::enter(int folder) {
  const int opened = ::openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return -errno;
  if (work_ >= 0) ::close(work_);
  work_ = opened;
  return 0;
}

Files::Descriptor* Files::find(int number) {
  const auto found = descriptors_.find(number);
  return found == descriptors_.end() ? nullptr : &found->second;
}

int Files::add(std::shared_ptr<OpenFile> file, bool closes_on_exec, int least) {
  int number = least;
  while (descriptors_.contains(number)) ++number;
  if (number >= most) return -EMFILE;
  put(number, std::move(file), closes_on_exec);
  return number;
}

void Files::put(int number, std::shared_ptr<OpenFile> file, bool closes_on_exec) {
  descriptors_[number] = {std::move(file), closes_on_exec};
}

/// The kernel itself keeps the path within the folder: neither `..` nor a link leads out of it, nor does a mounted file
/// system, through whose files a program could reach the simulator (/proc) or devices.
JobFile Files::open_beneath(int directory, const std::string& path, std::uint64_t flags, std::uint64_t mode) {
  // The whole path, so that `..` may lead out of the working folder.
  if (directory == AT_FDCWD && work_ >= 0 && !path.empty() && !path.starts_with('/'))
    return open_beneath(directory, working_folder() + "/" + path, flags, mode);
  int from = root_;
  std::string rest = path;
  if (path.starts_with('/')) {
    const std::string_view temporary = "/tmp";  // where libraries make files of their own: it is the job's folder, too
    const std::string below = folder_ == "/" ? folder_ : folder_ + "/";
    const bool is_own = path == folder_ || path.starts_with(below);
    if (!is_own && path != temporary && !path.starts_with("/tmp/")) return JobFile::failed(-EACCES);
    rest = path.substr(std::min(path.size(), is_own ? below.size() : temporary.size() + 1));
    if (rest.empty()) rest = ".";
  } else if (directory != AT_FDCWD) {
    const Descriptor* const descriptor = find(directory);
    if (descriptor == nullptr) return JobFile::failed(-EBADF);
    from = descriptor->file->folder();
    if (from < 0) return JobFile::failed(from);
  }
  const auto open_path = [&](std::uint64_t how_opened, std::uint64_t resolve) {
    open_how how{};
    how.flags = how_opened | O_CLOEXEC;
    how.mode = (how_opened & O_PATH) != 0 ? 0 : mode;
    how.resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    long opened = -1;
    do {
      opened = syscall(SYS_openat2, from, rest.c_str(), &how, sizeof how);
    } while (opened < 0 && errno == EAGAIN);  // anything was renamed or mounted on this computer meanwhile: openat2(2)
    return JobFile(static_cast<int>(opened < 0 ? -errno : opened));
  };
  // To open a device can already have an effect, so the kind is looked at before.
  JobFile found = open_path(O_PATH | (flags & O_NOFOLLOW), RESOLVE_NO_XDEV);
  if (found.error() == 0 && !may_be_opened(found.descriptor())) return JobFile::failed(-EACCES);
  if (found.error() == -EXDEV) return JobFile::failed(open_path(O_PATH, 0).error() == 0 ? -EXDEV : -EACCES);
  return (flags & O_PATH) != 0 ? std::move(found) : open_path(flags, RESOLVE_NO_XDEV);
}

std::int64_t Files::open(int directory, const std::string& path, int flags, unsigned mode) {
  constexpr int known =
      O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY | O_NOFOLLOW | O_LARGEFILE | O_TMPFILE;
  const int passed = (flags & known) | O_NONBLOCK;  // a FIFO must not stop the simulator
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  JobFile opened = open_beneath(directory, path, passed, creates ? mode & 0777 : 0);
  if (opened.error() != 0) return opened.error();
  auto file = std::make_shared<HostFile>(std::move(opened), flags & ~(O_CREAT | O_EXCL | O_TRUNC));
  return add(std::move(file), (flags & O_CLOEXEC) != 0);
}

JobFile Files::find_path(int directory, const std::string& path, bool follows_link) {
  return open_beneath(directory, path, O_PATH | (follows_link ? 0 : O_NOFOLLOW), 0);
}

JobFile Files::find_parent(int directory, std::string& path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t slash = path.rfind('/');
  std::string parent = ".";
  if (slash != std::string::npos) {
    parent = slash == 0 ? "/" : path.substr(0, slash);
    path.erase(0, slash + 1);
  }
  if (path.empty() || path == "." || path == "..") return JobFile::failed(-EINVAL);
  return open_beneath(directory, parent, O_PATH | O_DIRECTORY, 0);
}

}  // namespace sanvp::riscv::os
