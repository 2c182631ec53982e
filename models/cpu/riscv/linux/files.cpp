#include "models/cpu/riscv/linux/files.hpp"

#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "platform/core/error.hpp"

namespace sanvp::riscv::os {

Files::Files(const std::string& folder, const std::function<void(bool, std::string_view)>& output,
             std::function<std::uint64_t()> draw)
    : root_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), draw_(std::move(draw)) {
  if (root_ < 0) throw UserError(folder, "is not a folder that can be opened");
  folder_ = std::filesystem::canonical(folder).string();
  put(0, special("/dev/null"), false);
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

/// Devices that every process may have; null for other paths.
std::shared_ptr<OpenFile> Files::special(const std::string& path) const {
  if (path == "/dev/urandom" || path == "/dev/random") return std::make_shared<RandomSource>(draw_);
  if (path != "/dev/null" && path != "/dev/zero") return nullptr;
  return std::make_shared<HostFile>(::open(path.c_str(), O_RDWR | O_CLOEXEC), O_RDWR);
}

/// The kernel itself keeps the path within the folder: neither `..` nor a link leads out of it.
int Files::open_beneath(int directory, const std::string& path, std::uint64_t flags, std::uint64_t mode) {
  // The whole path, so that `..` may lead out of the working folder.
  if (directory == AT_FDCWD && work_ >= 0 && !path.empty() && !path.starts_with('/'))
    return open_beneath(directory, working_folder() + "/" + path, flags, mode);
  int from = root_;
  std::string rest = path;
  if (path.starts_with('/')) {
    const std::string_view temporary = "/tmp";  // where libraries make files of their own: it is the job's folder, too
    const bool is_own = path == folder_ || path.starts_with(folder_ + "/");
    const std::string_view before = is_own ? std::string_view(folder_) : temporary;
    if (!is_own && path != temporary && !path.starts_with("/tmp/")) return -EACCES;
    rest = path.substr(std::min(path.size(), before.size() + 1));
    if (rest.empty()) rest = ".";
  } else if (directory != AT_FDCWD) {
    const Descriptor* const descriptor = find(directory);
    if (descriptor == nullptr) return -EBADF;
    if (descriptor->file->host() < 0) return -ENOTDIR;
    from = descriptor->file->host();
  }
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long opened = syscall(SYS_openat2, from, rest.c_str(), &how, sizeof how);
  if (opened >= 0) return static_cast<int>(opened);
  return errno == EXDEV ? -EACCES : -errno;
}

std::int64_t Files::open(int directory, const std::string& path, int flags, unsigned mode) {
  const bool closes_on_exec = (flags & O_CLOEXEC) != 0;
  if (auto file = special(path)) return add(std::move(file), closes_on_exec);
  constexpr int known =
      O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY | O_NOFOLLOW | O_LARGEFILE | O_TMPFILE;
  const int passed = (flags & known) | O_NONBLOCK;  // a FIFO or a device must not stop the simulator
  const bool creates = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  const int opened = open_beneath(directory, path, passed, creates ? mode & 0777 : 0);
  if (opened < 0) return opened;
  const int number = add(std::make_shared<HostFile>(opened, flags & ~(O_CREAT | O_EXCL | O_TRUNC)), closes_on_exec);
  return number;
}

int Files::find_path(int directory, const std::string& path, bool follows_link) {
  return open_beneath(directory, path, O_PATH | (follows_link ? 0 : O_NOFOLLOW), 0);
}

int Files::find_parent(int directory, std::string& path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::size_t slash = path.rfind('/');
  std::string parent = ".";
  if (slash != std::string::npos) {
    parent = slash == 0 ? "/" : path.substr(0, slash);
    path.erase(0, slash + 1);
  }
  if (path.empty() || path == "." || path == "..") return -EINVAL;
  return open_beneath(directory, parent, O_PATH | O_DIRECTORY, 0);
}

}  // namespace sanvp::riscv::os
