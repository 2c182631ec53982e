#include "models/cpu/riscv/linux/files.hpp"

#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>

#include "models/cpu/riscv/linux/devices.hpp"
#include "models/cpu/riscv/linux/host_file.hpp"
#include "platform/core/error.hpp"

namespace sanvp::riscv::os {

namespace {

/// Whether a folder's files are an interface of the kernel: by them a program could change the simulator or the
/// computer.
bool is_of_kernel(int folder) {
  // Not in linux/magic.h: fs/configfs/mount.c, fs/fuse/control.c and ipc/mqueue.c of Linux.
  constexpr std::uint32_t configfs = 0x62656570, fusectl = 0x65735543, mqueue = 0x19800202;
  constexpr std::array<std::uint32_t, 22> kinds{PROC_SUPER_MAGIC,
                                                SYSFS_MAGIC,
                                                DEBUGFS_MAGIC,
                                                TRACEFS_MAGIC,
                                                SECURITYFS_MAGIC,
                                                CGROUP_SUPER_MAGIC,
                                                CGROUP2_SUPER_MAGIC,
                                                BPF_FS_MAGIC,
                                                EFIVARFS_MAGIC,
                                                BINFMTFS_MAGIC,
                                                PSTOREFS_MAGIC,
                                                SELINUX_MAGIC,
                                                SMACK_MAGIC,
                                                AAFS_MAGIC,
                                                RDTGROUP_SUPER_MAGIC,
                                                DEVPTS_SUPER_MAGIC,
                                                BINDERFS_SUPER_MAGIC,
                                                XENFS_SUPER_MAGIC,
                                                NSFS_MAGIC,
                                                configfs,
                                                fusectl,
                                                mqueue};
  struct statfs system {};
  if (::fstatfs(folder, &system) != 0) return false;
  return std::find(kinds.begin(), kinds.end(), static_cast<std::uint32_t>(system.f_type)) != kinds.end();
}

/// Devices belong to the computer; by a FIFO or socket a program would talk to programs outside of the machine, whose
/// timing its results must not depend on.
bool may_be_opened(mode_t mode) { return S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode); }

/// A name of what a descriptor leads to, wherever that is now.
std::string name_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// The path of a folder; empty, which leads nowhere, if it cannot be found.
std::string path_of(int folder) {
  std::error_code none;
  return std::filesystem::read_symlink(name_of(folder), none).string();
}

constexpr int most_links = 40;  // as Linux follows

/// The target of the link whose own path this is; the same path if it is no longer a link.
std::string behind_link(const std::string& path, const JobFile& link) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlinkat(link.descriptor(), "", target.data(), target.size());
  const std::string text(target.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  if (text.empty() || text.starts_with('/')) return text.empty() ? path : "/";
  const std::size_t slash = path.rfind('/');
  return (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + text;
}

}  // namespace

bool has_parents(const std::string& path) {
  const std::filesystem::path parts(path);
  return std::find(parts.begin(), parts.end(), "..") != parts.end();
}

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

std::string Files::working_folder() const { return work_ < 0 ? folder_ : path_of(work_); }

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

std::shared_ptr<OpenFile> Files::locking(const std::shared_ptr<OpenFile>& file) {
  struct stat status {};
  if (file->status(status) != 0 || !S_ISREG(status.st_mode)) return file;
  if (locking_.size() >= most) std::erase_if(locking_, [](const auto& known) { return known.second.expired(); });
  auto& known = locking_[{status.st_dev, status.st_ino}];
  if (auto by = known.lock()) return by;
  known = file;
  return file;
}

Files::Start Files::start_of(int directory, const std::string& path) const {
  if (!path.starts_with('/')) {
    if (directory == AT_FDCWD && work_ < 0) return {root_, path};
    int folder = work_;
    if (directory != AT_FDCWD) {
      const auto found = descriptors_.find(directory);
      if (found == descriptors_.end()) return {-EBADF, {}};
      folder = found->second.file->folder();
      if (folder < 0) return {folder, {}};
      if (!has_parents(path)) return {folder, path};
    }
    return path.empty() ? Start{-ENOENT, {}} : start_of(directory, path_of(folder) + "/" + path);
  }
  const std::string_view temporary = "/tmp";  // where libraries make files of their own: it is the job's folder, too
  const std::string below = folder_ == "/" ? folder_ : folder_ + "/";
  const std::string whole = path.substr(std::min(path.find_first_not_of('/'), path.size()) - 1);  // one slash first
  const bool is_own = whole == folder_ || whole.starts_with(below);
  if (!is_own && whole != temporary && !whole.starts_with("/tmp/")) return {-EACCES, {}};
  const std::string rest = whole.substr(std::min(whole.size(), is_own ? below.size() : temporary.size() + 1));
  const std::size_t name = rest.find_first_not_of('/');
  return {root_, name == std::string::npos ? "." : rest.substr(name)};
}

/// The kernel itself keeps the path within the folder: neither `..` nor a link leads out of it, nor does a mounted file
/// system, through whose files a program could reach the simulator (/proc) or devices. The file that was checked is the
/// one that is opened, even if the path changes meanwhile.
JobFile Files::open_beneath(int directory, const std::string& path, std::uint64_t flags, std::uint64_t mode,
                            int followed) {
  const auto [from, rest] = start_of(directory, path);
  if (from < 0) return JobFile::failed(from);
  const auto open_path = [from = from, &rest = rest, mode](std::uint64_t how_opened, std::uint64_t resolve) {
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
  const bool creates = (flags & O_CREAT) != 0, is_exclusive = creates && (flags & O_EXCL) != 0;
  const std::uint64_t looks = O_PATH | (flags & (O_NOFOLLOW | O_DIRECTORY)) | (is_exclusive ? O_NOFOLLOW : 0);
  JobFile found = open_path(looks, RESOLVE_NO_XDEV);
  if (found.error() == -EXDEV) return JobFile::failed(open_path(O_PATH, 0).error() == 0 ? -EXDEV : -EACCES);
  if (found.error() == -ENOENT && creates) {
    JobFile created = open_path(flags | O_EXCL | O_NOFOLLOW, RESOLVE_NO_XDEV);  // opens nothing that is there
    if (created.error() != -EEXIST || is_exclusive) return created;
    return followed < most_links
               ? open_beneath(directory, behind_link(path, open_path(O_PATH | O_NOFOLLOW, RESOLVE_NO_XDEV)), flags,
                              mode, followed + 1)
               : JobFile::failed(-ELOOP);
  }
  if (found.error() != 0) return found;
  struct stat status {};
  if (::fstat(found.descriptor(), &status) != 0 || !may_be_opened(status.st_mode)) return JobFile::failed(-EACCES);
  if (is_exclusive) return JobFile::failed(-EEXIST);
  if ((flags & O_PATH) != 0) return found;
  if (S_ISLNK(status.st_mode)) return JobFile::failed(-ELOOP);
  if (creates && S_ISDIR(status.st_mode)) return JobFile::failed(-EISDIR);
  const std::uint64_t how = (flags & ~std::uint64_t{O_CREAT | O_NOFOLLOW}) | O_CLOEXEC;
  const int opened = ::open(name_of(found.descriptor()).c_str(), static_cast<int>(how), mode);
  return JobFile(opened < 0 ? -errno : opened);
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
  if (path.empty()) return JobFile::failed(-ENOENT);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path == "/") return JobFile::failed(-EBUSY);
  const std::size_t slash = path.rfind('/');
  std::string parent = ".";
  if (slash != std::string::npos) {
    parent = slash == 0 ? "/" : path.substr(0, slash);
    path.erase(0, slash + 1);
  }
  return open_beneath(directory, parent, O_PATH | O_DIRECTORY, 0);
}

}  // namespace sanvp::riscv::os
